import test from 'ava'

import type { Caller, KeyScope } from '../../actors/identity.ts'
import { usualScopes } from '../../actors/identity.ts'
import { openApiKeys } from '../../infra/identity/api-keys.ts'
import type { KeyClaims } from '../../infra/identity/key-place.ts'
import type { KeyUse } from '../../infra/identity/key-use.ts'
import { ownKeysMax } from '../../infra/identity/make-key.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import type { KeptForOwner, StoredKey } from '../../infra/identity/stored-key.ts'
import { eventually } from '../support/eventually.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { failureOf } from '../support/tokens.ts'

const issuer = 'https://issuer.example'
const dayMs = 86_400_000

function someKeys({ usualDays = 0 } = {}) {
  const records = memoryRecords<StoredKey>()
  const clock = aManualClock()
  const kept = memoryRecords<KeptForOwner>()
  const claims = memoryRecords<KeyClaims>()
  const uses = memoryRecords<KeyUse>()
  const open = () =>
    openApiKeys({ records, kept, claims, uses, issuer, usualDays, clock, secret: undefined, reseals: true })
  return { keys: open(), another: open(), records, uses, clock }
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
  t.false(JSON.stringify(await keys.list()).includes((await records.read(`key.${id}`))!.value.sha256!))
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
  const own = await keys.listOf(asha.owner)
  t.deepEqual(own.map((one) => one.id).toSorted(), [made.id, id].toSorted())
  t.deepEqual(
    own.find((one) => one.id === made.id),
    made,
  )
  t.deepEqual(await keys.listOf(bala.owner), [])
  t.is((await keys.identify(key)).principal.owner, asha.owner)
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

test('a key without given scopes has those that all keys had, also one that was made before there were any', async (t) => {
  const { keys, records } = someKeys()
  const { id, key, scopes } = await keys.create({ user: 'asha', label: '' })
  t.deepEqual(scopes, usualScopes)
  t.is((await records.read(`key.${id}`))!.value.scopes, undefined)
  t.deepEqual((await keys.identify(key)).scopes, ['transcribe', 'files', 'realtime'])
})

test('a key whose term nobody named lasts as long as usual, and 0 days are for ever', async (t) => {
  const { keys, clock } = someKeys({ usualDays: 30 })
  const { key, untilMs } = await keys.create({ user: 'asha', label: '' })
  const forever = await keys.create({ user: 'asha', label: '', days: 0 })
  t.is(untilMs, clock.nowMs() + 30 * dayMs)
  clock.advance(30 * dayMs)
  t.is((await failureOf(t, keys.identify(key))).code, 'unauthenticated')
  t.is((await keys.identify(forever.key)).untilMs, undefined)
})

test('however many keys are asked for at once, of two gateways, a user gets so many and no more', async (t) => {
  const { keys, another } = someKeys()
  const principal = principalOf(issuer, 'asha')
  for (let made = 5; made < ownKeysMax; made += 1) await keys.make({ principal, label: '' })
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => (at % 2 ? keys : another).make({ principal, label: '' })),
  )
  t.is(answers.filter(({ status }) => status === 'fulfilled').length, 5)
  t.is((await keys.listOf(principal.owner)).length, ownKeysMax)
})

test('when a key was last used is written once an hour, not at every request', async (t) => {
  const { keys, uses, clock } = someKeys()
  const { id, key } = await keys.create({ user: 'asha', label: '' })
  const lastUse = async () => (await keys.list())[0]!.lastUsedAtMs
  t.is(await lastUse(), undefined)
  await keys.identify(key)
  await eventually('the use is noted', async () => (await lastUse()) === clock.nowMs())
  const { revision } = (await uses.read(`used.${id}`))!
  clock.advance(dayMs / 48)
  await keys.identify(key)
  t.is((await uses.read(`used.${id}`))!.revision, revision)
  clock.advance(dayMs / 48)
  await keys.identify(key)
  await eventually('the later use is noted', async () => (await lastUse()) === clock.nowMs())
})

test('a key in the place of another is for the same, and the other goes on for a while only', async (t) => {
  const { keys, clock } = someKeys()
  const old = await keys.create({ user: 'asha', label: 'app', days: 10, scopes: ['files'] })
  clock.advance(dayMs)
  const made = (await keys.rotate(old.id, 24))!
  t.like(made, { label: 'app', scopes: ['files'], untilMs: clock.nowMs() + 10 * dayMs })
  t.is((await keys.identify(old.key)).keyId, old.id)
  t.is((await keys.list())[0]!.replacedBy, made.id)
  t.is((await failureOf(t, keys.rotate(old.id, 24))).code, 'conflict')
  clock.advance(dayMs)
  t.is((await failureOf(t, keys.identify(old.key))).code, 'unauthenticated')
  t.deepEqual(await keys.revoked([old.id, made.id]), [old.id])
  t.is((await keys.identify(made.key)).keyId, made.id)
})

test('of two who rotate the same key at once one is told so, and leaves none behind', async (t) => {
  const { keys } = someKeys()
  const { id } = await keys.create({ user: 'asha', label: '' })
  const answers = await Promise.allSettled([keys.rotate(id, 1), keys.rotate(id, 1)])
  t.is(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  t.is((await keys.list()).length, 2)
})

test('a user who has as many keys as one may have can still rotate them', async (t) => {
  const { keys } = someKeys()
  const principal = principalOf(issuer, 'asha')
  const { id } = await keys.make({ principal, label: '' })
  for (let made = 1; made < ownKeysMax; made += 1) await keys.make({ principal, label: '' })
  t.truthy(await keys.rotateOf(principal.owner, { id, overlapHours: 1 }))
})

async function madeWith(scopes: readonly KeyScope[], days = 10) {
  const { keys, clock } = someKeys()
  const parent = await keys.create({ user: 'asha', label: '', scopes, days })
  const by: Caller = await keys.identify(parent.key)
  const make = (wanted?: readonly KeyScope[], term?: number) =>
    keys.make({
      principal: by.principal,
      label: '',
      by,
      ...(wanted && { scopes: wanted }),
      ...(term !== undefined && { days: term }),
    })
  return { keys, clock, parent, by, make }
}

test('a key gives no scope that it lacks, and never that of seeing to keys', async (t) => {
  const { make, keys, by, parent } = await madeWith(['keys', 'files'])
  t.deepEqual((await make()).scopes, ['files'])
  for (const wanted of [['transcribe'], ['files', 'keys'], ['admin']] as const)
    t.is((await failureOf(t, make(wanted))).code, 'forbidden', wanted.join())
  const other = await keys.create({ user: 'asha', label: '', scopes: ['transcribe'] })
  for (const id of [parent.id, other.id])
    t.is((await failureOf(t, keys.rotateOf(by.principal.owner, { id, overlapHours: 1, by }))).code, 'forbidden')
})

test('a key that a key has made does not outlast it, and goes when it is revoked', async (t) => {
  const { make, keys, parent } = await madeWith(['keys', 'files'])
  const [long, short] = [await make(['files'], 3650), await make(['files'], 1)]
  t.is(long.untilMs, parent.untilMs)
  t.true(short.untilMs! < parent.untilMs!)
  await keys.revoke(parent.id)
  t.deepEqual(await keys.list(), [])
})
