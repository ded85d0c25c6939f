import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { MadeKey } from '../../actors/identity.ts'
import { openApiKeys } from '../../infra/identity/api-keys.ts'
import type { KeyClaims } from '../../infra/identity/key-place.ts'
import type { KeySecret } from '../../infra/identity/key-seal.ts'
import type { KeyUse } from '../../infra/identity/key-use.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import type { KeptForOwner, StoredKey } from '../../infra/identity/stored-key.ts'
import { allocationEnvironment } from '../../infra/process/memory-allocation.ts'
import { roleEnvironment } from '../../infra/up/role-environment.ts'
import { eventually } from '../support/eventually.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { failureOf } from '../support/tokens.ts'

const issuer = 'https://issuer.example'
const asha = principalOf(issuer, 'asha')
const ravi = principalOf(issuer, 'ravi')

function aBroker() {
  const stores = {
    records: memoryRecords<StoredKey>(),
    kept: memoryRecords<KeptForOwner>(),
    claims: memoryRecords<KeyClaims>(),
    uses: memoryRecords<KeyUse>(),
  }
  const clock = aManualClock()
  const openWith = (secret: KeySecret | undefined, { reseals = true } = {}) =>
    openApiKeys({ ...stores, issuer, usualDays: 0, clock, secret, reseals })
  return { ...stores, openWith }
}

/** What a writer to the broker does, who has read everything there. */
async function forge(broker: ReturnType<typeof aBroker>, id: string, forged: Partial<StoredKey>): Promise<void> {
  const found = (await broker.records.read(`key.${id}`))!
  await broker.records.replace(`key.${id}`, { ...found.value, ...forged }, found.revision)
}

async function isRefused(t: ExecutionContext, keys: ReturnType<typeof openApiKeys>, { key }: MadeKey): Promise<void> {
  t.is((await failureOf(t, keys.identify(key))).code, 'unauthenticated')
}

test('a sealed key is accepted, also by another process with the same secret', async (t) => {
  const { openWith, records } = aBroker()
  const { id, key } = await openWith({ text: 'ours', sinceMs: 0 }).create({ user: 'asha', label: 'app' })
  t.is((await openWith({ text: 'ours', sinceMs: 0 }).identify(key)).principal.owner, asha.owner)
  t.is((await records.read(`key.${id}`))!.value.sha256, undefined)
})

test('a key that was made without the secret, or with another, is refused', async (t) => {
  const { openWith } = aBroker()
  const ours = openWith({ text: 'ours', sinceMs: 0 })
  await isRefused(t, ours, await openWith(undefined).create({ user: 'asha', label: '' }))
  await isRefused(t, ours, await openWith({ text: 'theirs' }).create({ user: 'asha', label: '' }))
})

for (const [what, forged] of [
  ['user', { user: 'ravi' }],
  ['scopes', { scopes: ['admin'] }],
  ['end', { untilMs: 4_000_000_000_000 }],
] as const)
  test(`a key whose ${what} somebody else has changed is refused, and cannot be rotated`, async (t) => {
    const broker = aBroker()
    const keys = broker.openWith({ text: 'ours', sinceMs: 0 })
    const made = await keys.create({ user: 'asha', label: '' })
    await forge(broker, made.id, forged)
    await isRefused(t, keys, made)
    t.deepEqual(await keys.revoked([made.id]), [made.id])
    t.is(await keys.rotate(made.id, 1), undefined)
  })

test('the record of one key in the place of another is refused', async (t) => {
  const broker = aBroker()
  const keys = broker.openWith({ text: 'ours', sinceMs: 0 })
  const [mine, theirs] = [
    await keys.create({ user: 'ravi', label: '' }),
    await keys.create({ user: 'asha', label: '' }),
  ]
  const { value } = (await broker.records.read(`key.${mine.id}`))!
  await forge(broker, theirs.id, value)
  const secret = mine.key.slice(`vaak_${mine.id}_`.length)
  await isRefused(t, keys, { ...theirs, key: `vaak_${theirs.id}_${secret}` })
})

test('an answer of the broker in the place of a key is refused', async (t) => {
  const { records, openWith } = aBroker()
  const keys = openWith({ text: 'ours', sinceMs: 0 })
  const made = await keys.create({ user: 'asha', label: '' })
  const { revision } = (await records.read(`key.${made.id}`))!
  // as never: what is stored by an answer has no value at all
  await records.replace(`key.${made.id}`, null as never, revision)
  await isRefused(t, keys, made)
})

test('who is entered as the owner of a foreign key can neither rotate nor revoke it', async (t) => {
  const { kept, openWith } = aBroker()
  const keys = openWith({ text: 'ours', sinceMs: 0 })
  const { id, key } = await keys.create({ user: 'asha', label: '' })
  await kept.create(`own.${ravi.owner}.${id}`, { keyId: id })
  t.is(await keys.rotateOf(ravi.owner, { id, overlapHours: 1 }), undefined)
  t.false(await keys.revokeOf(ravi.owner, id))
  t.is((await keys.identify(key)).principal.owner, asha.owner)
})

test('a key from before the secret is accepted, and sealed when it is used', async (t) => {
  const { records, openWith } = aBroker()
  const { id, key } = await openWith(undefined).create({ user: 'asha', label: '' })
  const { storedAtMs } = (await records.read(`key.${id}`))!
  const since = { text: 'ours', sinceMs: storedAtMs + 1 }
  t.is((await openWith(since, { reseals: false }).identify(key)).principal.owner, asha.owner)
  t.is((await records.read(`key.${id}`))!.value.seal, undefined)
  t.is((await openWith(since).identify(key)).principal.owner, asha.owner)
  await eventually('it is sealed', async () => (await records.read(`key.${id}`))!.value.seal !== undefined)
  t.is((await records.read(`key.${id}`))!.value.sha256, undefined)
  t.is((await openWith({ text: 'ours', sinceMs: 0 }).identify(key)).principal.owner, asha.owner)
})

test('a sealed key is rotated, and both work until the old one ends', async (t) => {
  const { openWith } = aBroker()
  const keys = openWith({ text: 'ours', sinceMs: 0 })
  const old = await keys.create({ user: 'asha', label: '' })
  const made = (await keys.rotate(old.id, 1))!
  for (const { key } of [old, made]) t.is((await keys.identify(key)).principal.owner, asha.owner)
})

test('a worker is not told what keys are sealed with, and those who let people in are', (t) => {
  const environment = { PATH: '/bin', SESSION_SECRET: 'signs' }
  const input = {
    environment: { ...environment, NATS_STORE_KEY: 'for nobody' },
    keySecret: { text: 'ours', sinceMs: 0 },
  }
  t.deepEqual(roleEnvironment('worker', input), { ...allocationEnvironment, PATH: '/bin', METRICS_PORT: '0' })
  const sealing = {
    ...allocationEnvironment,
    ...environment,
    KEY_SECRET: 'ours',
    KEY_SECRET_SINCE: '1970-01-01T00:00:00.000Z',
  }
  t.deepEqual(roleEnvironment('gateway', input), sealing)
  t.deepEqual(roleEnvironment('realtime', input), { ...sealing, METRICS_PORT: '0' })
})
