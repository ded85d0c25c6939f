import test from 'ava'

import { openApiKeys, ownKeysMax } from '../../infra/identity/api-keys.ts'
import type { KeptForOwner, StoredKey } from '../../infra/identity/api-keys.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { failureOf } from '../support/tokens.ts'

const issuer = 'https://issuer.example'
const dayMs = 86_400_000

function someKeys() {
  const records = memoryRecords<StoredKey>()
  const clock = aManualClock()
  const kept = memoryRecords<KeptForOwner>()
  return { keys: openApiKeys({ records, kept, issuer, clock }), records, clock }
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

test('a user sees the keys that were made for him, by himself or on the command line, and nobody else does', async (t) => {
  const { keys } = someKeys()
  const [asha, bala] = [principalOf(issuer, 'asha'), principalOf(issuer, 'bala')]
  const { key, ...made } = await keys.make({ principal: asha, label: 'mine', days: 1 })
  const { id } = await keys.create({ user: 'asha', label: 'for asha' })
  t.is((await keys.identify(key)).principal.owner, asha.owner)
  const own = await keys.listOf(asha.owner)
  t.deepEqual(new Set(own.map((one) => one.id)), new Set([made.id, id]))
  t.deepEqual(
    own.find((one) => one.id === made.id),
    made,
  )
  t.deepEqual(await keys.listOf(bala.owner), [])
})

test('a user revokes his own keys and no others', async (t) => {
  const { keys } = someKeys()
  const [asha, bala] = [principalOf(issuer, 'asha'), principalOf(issuer, 'bala')]
  const { id, key } = await keys.make({ principal: asha, label: '' })
  t.false(await keys.revokeOf(bala.owner, id))
  t.is((await keys.identify(key)).keyId, id)
  t.true(await keys.revokeOf(asha.owner, id))
  t.is((await failureOf(t, keys.identify(key))).code, 'unauthenticated')
  t.false(await keys.revokeOf(asha.owner, id))
  t.false(await keys.revokeOf(asha.owner, '*'))
  t.deepEqual(await keys.listOf(asha.owner), [])
})

test('a user has so many keys and no more, until one is revoked', async (t) => {
  const { keys } = someKeys()
  const principal = principalOf(issuer, 'asha')
  const { id } = await keys.make({ principal, label: '' })
  for (let made = 1; made < ownKeysMax; made += 1) await keys.make({ principal, label: '' })
  t.is((await failureOf(t, keys.make({ principal, label: '' }))).code, 'conflict')
  await keys.revoke(id)
  await keys.make({ principal, label: '' })
  t.is((await keys.listOf(principal.owner)).length, ownKeysMax)
})
