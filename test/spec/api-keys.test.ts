import test from 'ava'

import { openApiKeys } from '../../infra/identity/api-keys.ts'
import type { StoredKey } from '../../infra/identity/api-keys.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { failureOf } from '../support/tokens.ts'

const issuer = 'https://issuer.example'
const dayMs = 86_400_000

function someKeys() {
  const records = memoryRecords<StoredKey>()
  const clock = aManualClock()
  return { keys: openApiKeys({ records, issuer, clock }), records, clock }
}

test('an API key acts for the user that a token with the same name acts for', async (t) => {
  const { keys } = someKeys()
  const { key } = await keys.create({ user: 'asha', label: 'app' })
  t.is((await keys.identify(key)).principal.owner, principalOf(issuer, 'asha').owner)
})

test('nothing that is kept of an API key lets anyone use it', async (t) => {
  const { keys, records } = someKeys()
  const { id, key } = await keys.create({ user: 'asha', label: '' })
  const secret = key.slice(`vaak_${id}_`.length)
  const stored = JSON.stringify([...(await records.readUnder('key'))])
  t.false(stored.includes(secret))
  t.false(stored.includes(Buffer.from(secret, 'base64url').toString('hex')))
  t.false(JSON.stringify(await keys.list()).includes((await records.read(`key.${id}`))!.value.sha256))
})

test('a key that was revoked, or never made, is unauthenticated', async (t) => {
  const { keys } = someKeys()
  const { id, key } = await keys.create({ user: 'asha', label: '' })
  t.true(await keys.revoke(id))
  t.is((await failureOf(t, keys.identify(key))).code, 'unauthenticated')
  t.false(await keys.revoke(id))
  t.false(await keys.revoke('../*'))
  for (const wrong of [
    `vaak_${'0'.repeat(16)}_${'A'.repeat(43)}`,
    'vaak_',
    `${key}x`,
    key.replace(/.$/, '.'),
    'vaak_>_*',
  ])
    t.is((await failureOf(t, keys.identify(wrong))).code, 'unauthenticated', wrong)
})

test('of some ids it is known which are of keys that are no more', async (t) => {
  const { keys } = someKeys()
  const [one, other] = [await keys.create({ user: 'asha', label: '' }), await keys.create({ user: 'bala', label: '' })]
  t.is((await keys.identify(one.key)).keyId, one.id)
  t.deepEqual(await keys.revoked([one.id, other.id]), [])
  await keys.revoke(one.id)
  t.deepEqual(await keys.revoked([one.id, other.id, '0'.repeat(16)]), [one.id, '0'.repeat(16)])
})

test('the right id with another secret is unauthenticated', async (t) => {
  const { keys } = someKeys()
  const [one, other] = [await keys.create({ user: 'asha', label: '' }), await keys.create({ user: 'bala', label: '' })]
  const mixed = `vaak_${one.id}_${other.key.slice(`vaak_${other.id}_`.length)}`
  t.is((await failureOf(t, keys.identify(mixed))).code, 'unauthenticated')
})

test('a key with a term says when it ends, and ends then', async (t) => {
  const { keys, clock } = someKeys()
  const { key } = await keys.create({ user: 'asha', label: '', days: 2 })
  t.is((await keys.identify(key)).untilMs, Date.UTC(2026, 0, 3))
  clock.advance(2 * dayMs)
  t.is((await failureOf(t, keys.identify(key))).code, 'unauthenticated')
})
