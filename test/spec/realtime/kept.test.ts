import { randomBytes } from 'node:crypto'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { principalOf } from '../../../infra/identity/principal.ts'
import { gatherMs, restMs } from '../../../realtime/kept/keeper.ts'
import { seal, unseal } from '../../../realtime/kept/seal.ts'
import { keptForm } from '../../../realtime/session/kept.ts'
import type { KeptSession } from '../../../realtime/session/session.ts'
import { defaultSettings } from '../../../realtime/session/settings/settings.ts'
import { eventually } from '../../support/eventually.ts'
import { aTimer, sealedRecords, someKeptSessions } from '../../support/kept-sessions.ts'

const { owner } = principalOf('test', 'asha')
const other = principalOf('test', 'ravi').owner
const id = `sess_${'a'.repeat(21)}`
const anyone = (): boolean => true

function said(text: string, more: Partial<KeptSession> = {}): KeptSession {
  return {
    form: keptForm,
    id,
    conversationId: 'conv_1',
    kind: 'realtime',
    expiresAt: Math.floor(Date.now() / 1_000) + 3_600,
    isLocked: false,
    settings: defaultSettings('asha'),
    items: [message('item_1', text)],
    ...more,
  }
}

function message(itemId: string, text: string): KeptSession['items'][number] {
  return { type: 'message', id: itemId, role: 'user', status: 'completed', parts: [{ type: 'text', text }] }
}

/** One session that says what it knows, with a timer of the test's. */
function aKeeper(t: ExecutionContext, { bytes = 1_000_000, records = sealedRecords() } = {}) {
  const timer = aTimer()
  const kept = someKeptSessions({ records, timer, bytes })
  const known = { session: said('नमस्ते') }
  let takenOver = 0
  const keeper = kept.keeper(
    owner,
    undefined,
  )({
    id,
    read: () => known.session,
    takenOver: () => void (takenOver += 1),
  })
  t.teardown(() => keeper.forget())
  const written = async (): Promise<string[]> => {
    const found = await records.read((await records.keys())[0] ?? 'none')
    const opened = found && (await unseal(Buffer.from(found.value.sealed, 'base64'), { owner, id }))
    return (opened?.items ?? []).map((item) => (item.type === 'message' ? textOf(item.parts) : ''))
  }
  return { timer, kept, keeper, known, written, records, takenOver: () => takenOver }
}

function textOf(parts: readonly { readonly type: string; readonly text?: string | undefined }[]): string {
  return parts.map((part) => part.text ?? '').join('')
}

test('what is said in one breath is written once, and what comes meanwhile a while later', async (t) => {
  const { timer, keeper, known, written } = aKeeper(t)
  keeper.changed()
  keeper.changed()
  t.deepEqual(timer.waitsMs, [gatherMs])
  known.session = said('the last of it')
  timer.end()
  keeper.changed()
  t.deepEqual(timer.waitsMs, [], 'nothing is written twice at once')
  await eventually('it rests', () => timer.waitsMs.length > 0)
  t.deepEqual(timer.waitsMs, [restMs])
  t.deepEqual(await written(), ['the last of it'])
  timer.end()
  await eventually('it was written', () => timer.waitsMs.length > 0)
  t.true(timer.waitsMs[0]! < 300_000, 'and is written again before it vanishes')
})

test('a session that is left writes the rest at once, and waits for nothing any more', async (t) => {
  const { timer, keeper, known, written } = aKeeper(t)
  keeper.changed()
  known.session = said('goodbye')
  await keeper.leave()
  t.deepEqual(timer.waitsMs, [])
  t.deepEqual(await written(), ['goodbye'])
  keeper.changed()
  t.deepEqual(timer.waitsMs, [])
})

test('a session that is over leaves nothing', async (t) => {
  const { timer, keeper, records, kept } = aKeeper(t)
  keeper.changed()
  timer.end()
  await keeper.forget()
  t.deepEqual(await records.keys(), [])
  t.is(await kept.resume(owner, id, anyone), undefined)
})

test('a session in which nothing happened is not kept', async (t) => {
  const { keeper, records } = aKeeper(t)
  await keeper.leave()
  t.deepEqual(await records.keys(), [])
})

test('a session goes on for its user who knows its id, and for nobody else', async (t) => {
  const { keeper, kept, records } = aKeeper(t)
  keeper.changed()
  await keeper.leave()
  t.is(await kept.resume(other, id, anyone), undefined)
  t.is(await kept.resume(owner, `sess_${'b'.repeat(21)}`, anyone), undefined)
  t.is(await kept.resume(owner, id, () => false), undefined)
  t.deepEqual((await kept.resume(owner, id, anyone))?.kept.items, said('नमस्ते').items)
  const [key] = await records.keys()
  const found = await records.read(key!)
  const bytes = Buffer.from(found!.value.sealed, 'base64')
  t.false(`${key} ${bytes.toString('latin1')}`.includes(id))
  for (const name of [
    { owner: other, id },
    { owner, id: `${id.slice(0, -1)}b` },
  ])
    t.is(await unseal(bytes, name), undefined)
})

for (const odd of ['', 'sess_*', `${id}.x`, `sess_${'a'.repeat(500)}`, '../secret'])
  test(`${JSON.stringify(odd.slice(-12))} is no session, and nothing is asked of the broker for it`, async (t) => {
    const records = { ...sealedRecords(), read: () => Promise.reject(new Error('somebody asked')) }
    t.is(await someKeptSessions({ records }).resume(owner, odd, anyone), undefined)
  })

test('what was changed in the broker, or is of another version, is no session', async (t) => {
  const name = { owner, id }
  const sealed = await seal(said('hello'), name)
  t.truthy(await unseal(sealed, name))
  for (const at of [0, 13, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    t.is(await unseal(changed, name), undefined)
  }
  for (const length of [0, 5, 20]) t.is(await unseal(sealed.subarray(0, length), name), undefined)
  t.is(await unseal(await seal(said('hello', { form: keptForm + 1 }), name), name), undefined)
})

test('a session whose time is up does not go on', async (t) => {
  const { keeper, known, kept } = aKeeper(t)
  known.session = said('hello', { expiresAt: Math.floor(Date.now() / 1_000) - 1 })
  keeper.changed()
  await keeper.leave()
  t.is(await kept.resume(owner, id, anyone), undefined)
})

test('who goes on with a session takes it from the connection that had it', async (t) => {
  const { timer, keeper, kept, known, written, takenOver } = aKeeper(t)
  keeper.changed()
  timer.end()
  await eventually('it was written', () => timer.waitsMs.length > 0)
  const resumed = await kept.resume(owner, id, anyone)
  t.truthy(resumed)
  known.session = said('too late')
  keeper.changed()
  timer.end()
  await eventually('it is told', () => takenOver() === 1)
  t.deepEqual(await written(), ['नमस्ते'])
  await keeper.forget()
  t.deepEqual(await written(), ['नमस्ते'], 'nor does it erase what is not its own')

  const next = kept.keeper(
    owner,
    resumed,
  )({ id, read: () => said('goes on'), takenOver: () => t.fail('nobody took it') })
  next.changed()
  await next.leave()
  t.deepEqual(await written(), ['goes on'])
})

test('what vanished while the broker was away is written again', async (t) => {
  const { timer, keeper, written, records, takenOver } = aKeeper(t)
  keeper.changed()
  timer.end()
  await eventually('it was written', () => timer.waitsMs.length > 0)
  await records.erase((await records.keys())[0]!)
  keeper.changed()
  timer.end()
  await eventually('it is tried again', () => timer.waitsMs.length > 0)
  timer.end()
  await eventually('it was written', () => timer.waitsMs.length > 0)
  t.deepEqual(await written(), ['नमस्ते'])
  t.is(takenOver(), 0)
})

test('a conversation that does not fit is kept without its oldest items', async (t) => {
  const { keeper, known, written } = aKeeper(t)
  // what is drawn by chance cannot be made smaller
  const noise = (): string => randomBytes(150_000).toString('base64')
  const items = Array.from({ length: 4 }, (_, index) => message(`item_${index}`, `${index} ${noise()}`))
  known.session = said('', { items })
  keeper.changed()
  await keeper.leave()
  const left = await written()
  t.true(left.length > 0 && left.length < 4)
  t.true(left.at(-1)!.startsWith('3 '))
})

test('a user who has had enough kept waits, and nobody else does', async (t) => {
  const { timer, keeper, written } = aKeeper(t, { bytes: 10 })
  keeper.changed()
  timer.end()
  await eventually('it waits', () => timer.waitsMs.length > 0)
  t.true(timer.waitsMs[0]! > restMs)
  t.deepEqual(await written(), [])
})

test('who is back before the last of it is written goes on with all of it', async (t) => {
  const { kept, keeper, known } = aKeeper(t)
  keeper.changed()
  known.session = said('the last of it')
  const left = keeper.leave()
  const resumed = await kept.resume(owner, id, anyone)
  t.deepEqual(resumed?.kept.items, known.session.items)
  await left
})
