import test from 'ava'
import * as fc from 'fast-check'

import { sentenceOf } from '../../actors/failure.ts'
import { openSessionSecrets } from '../../infra/identity/session-secrets.ts'
import { signingKeyOf } from '../../infra/identity/signing-key.ts'
import type { StoredSigningKey } from '../../infra/identity/signing-key.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { failureOf } from '../support/tokens.ts'

const clock = aManualClock()
const principal = principalOf('issuer', 'asha@example.org')
const key = Buffer.alloc(32, 7)
const secrets = openSessionSecrets({ key, clock })
const inTenMinutes = clock.nowMs() + 600_000

test('any node with the same key knows whose secret it is, and what it grants', async (t) => {
  const grant = { kind: 'realtime', model: 'vaak', session: { instructions: 'नमस्ते कहो' }, locked: true } as const
  const secret = await secrets.make({ principal, grant, untilMs: inTenMinutes })
  const caller = await openSessionSecrets({ key: Buffer.from(key), clock }).identify(secret)
  t.is(caller.principal.owner, principal.owner)
  t.is(caller.untilMs, inTenMinutes)
  t.deepEqual(caller.grant, grant)
})

test('a secret begins with ek_, fits into a subprotocol, and does not name its user', async (t) => {
  const secret = await secrets.make({ principal, grant: { kind: 'transcription' }, untilMs: inTenMinutes })
  t.regex(secret, /^ek_[A-Za-z0-9_.-]+$/)
  t.notRegex(Buffer.from(secret.slice(3), 'base64url').toString(), /asha/)
})

test('a secret that was changed anywhere, or signed by another key, is unauthenticated', async (t) => {
  const secret = await secrets.make({ principal, grant: { kind: 'realtime' }, untilMs: inTenMinutes })
  const others = openSessionSecrets({ key: Buffer.alloc(32, 8), clock })
  t.is((await failureOf(t, others.identify(secret))).code, 'unauthenticated')
  await fc.assert(
    fc.asyncProperty(fc.nat(secret.length - 4), fc.constantFrom('A', 'z', '_', '.'), async (at, letter) => {
      const changed = secret.slice(0, 3 + at) + letter + secret.slice(4 + at)
      // the last letter of base64 has bits that mean nothing
      if (changed === secret || at === secret.length - 4) return
      t.is((await failureOf(t, secrets.identify(changed))).code, 'unauthenticated')
    }),
  )
})

test('a secret ends when it says so', async (t) => {
  const secret = await secrets.make({ principal, grant: { kind: 'realtime' }, untilMs: clock.nowMs() })
  t.regex(sentenceOf(await failureOf(t, secrets.identify(secret))), /expired/)
})

test('a session that is too large for a header is refused with the limit', async (t) => {
  const grant = { kind: 'realtime', session: { instructions: 'x'.repeat(10_000) } } as const
  const failure = await failureOf(t, secrets.make({ principal, grant, untilMs: inTenMinutes }))
  t.is(failure.code, 'too_large')
  t.regex(sentenceOf(failure), /6144/)
})

test('nodes without a setting share the key that the first of them drew', async (t) => {
  const records = memoryRecords<StoredSigningKey>()
  const [one, other] = await Promise.all([signingKeyOf('sessions', '', records), signingKeyOf('sessions', '', records)])
  t.deepEqual(one, other)
  t.is(one.length, 32)
  t.deepEqual(
    await signingKeyOf('sessions', 'shared', records),
    await signingKeyOf('sessions', 'shared', memoryRecords()),
  )
  t.notDeepEqual(await signingKeyOf('sessions', 'shared', records), one)
  t.notDeepEqual(await signingKeyOf('receipts', 'shared', records), await signingKeyOf('sessions', 'shared', records))
})
