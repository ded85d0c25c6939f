import test from 'ava'

import { retryable } from '../../../actors/failure.ts'
import type { Records } from '../../../actors/ports.ts'
import { SharedPlaces } from '../../../realtime/connect/shared-places.ts'
import { eventually } from '../../support/eventually.ts'
import { aLog } from '../../support/log.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { memoryRecords } from '../../support/memory-records.ts'
import { ownerOf } from '../../support/service.ts'

const owner = ownerOf('asha')

/** Servers on one broker, whose clocks and timers move when the test says so. */
function aHouse(perUser: number) {
  const clock = aManualClock()
  const stored = memoryRecords<never>(() => clock.nowMs())
  let away: 'not' | 'to all' | 'to writers' = 'not'
  let erasing: (() => Promise<void>) | undefined
  const erase: Records<never>['erase'] = async (key, revision) => {
    const before = erasing
    erasing = undefined
    await before?.()
    await stored.erase(key, revision)
  }
  const records = new Proxy(stored, {
    get: (target, name: keyof Records<never>) =>
      away === 'to all' || (away === 'to writers' && name !== 'read')
        ? () => Promise.reject(retryable('overloaded', 'away'))
        : name === 'erase'
          ? erase
          : target[name],
  })
  return {
    clock,
    records: stored,
    setAway: (isAway: boolean) => void (away = isAway ? 'to all' : 'not'),
    takeNoWrites: () => void (away = 'to writers'),
    /** Somebody comes between the look at what is erased and its erasure, once. */
    beforeErase: (run: () => Promise<boolean>): Promise<boolean> =>
      new Promise((resolve) => (erasing = async () => resolve(await run()))),
    node: async (nodeId: string) => {
      let due: (() => void) | undefined
      const timer = { after: (_ms: number, run: () => void) => ((due = run), () => (due = undefined)) }
      const log = aLog()
      const places = new SharedPlaces({ places: records, pulses: records, clock, timer, log }, { nodeId, perUser })
      await places.start()
      /** The next moment in which it says that it lives. */
      const look = async (): Promise<void> => {
        const run = await eventually('it waits', () => due)
        due = undefined
        run()
        await eventually('it waits again', () => due)
      }
      return { places, look, log, hold: (of = owner) => places.hold(of) }
    },
  }
}

test('all servers together hold as many sessions of a user as the limit says', async (t) => {
  const { node } = aHouse(3)
  const [one, other] = [await node('one'), await node('other')]
  t.deepEqual([await one.hold(), await other.hold(), await one.hold()], [true, true, true])
  t.deepEqual([await one.hold(), await other.hold()], [false, false])
  t.true(await one.places.hold(ownerOf('another')))
})

test('who come at once, at several servers, are as many as the limit says', async (t) => {
  const { node } = aHouse(5)
  const nodes = await Promise.all(['one', 'two', 'three'].map(node))
  const held = await Promise.all(nodes.flatMap(({ hold }) => [hold(), hold(), hold(), hold()]))
  t.is(held.filter(Boolean).length, 5)
})

test('a session that ended makes room at another server, and nothing is kept of who has none', async (t) => {
  const { node, records } = aHouse(1)
  const [one, other] = [await node('one'), await node('other')]
  t.true(await one.hold())
  one.places.give(owner)
  await eventually('there is room', () => other.hold())
  other.places.give(owner)
  await eventually('it is forgotten', async () => (await records.read(`places.${owner}`)) === undefined)
  t.pass()
})

test('a session that moves to another server, which hears of both at once, leaves no place taken behind', async (t) => {
  const { node, records, beforeErase } = aHouse(2)
  const [one, other] = [await node('one'), await node('other')]
  t.true(await one.hold())
  const moved = beforeErase(() => other.hold())
  one.places.give(owner)
  t.true(await moved)
  await one.places.close()
  t.deepEqual((await records.read(`places.${owner}`))?.value, { nodes: { other: 1 } })
  t.deepEqual([await other.hold(), await other.hold()], [true, false])
})

test('what a server held that says nothing any more is free after ten seconds, and not before', async (t) => {
  const { node, clock } = aHouse(1)
  const [dead, other] = [await node('dead'), await node('other')]
  t.true(await dead.hold())
  clock.advance(9_000)
  t.false(await other.hold())
  clock.advance(1_001)
  t.true(await other.hold())
})

test('what a server holds counts for as long as it says that it lives', async (t) => {
  const { node, clock, records } = aHouse(1)
  const [one, other] = [await node('one'), await node('other')]
  t.true(await one.hold())
  for (let beats = 0; beats < 100; beats += 1) {
    clock.advance(9_000)
    await one.look()
  }
  // a broker forgets what was not written for ten minutes
  t.true((await records.ageMs((await records.read(`places.${owner}`))!)) < 600_000)
  t.false(await other.hold())
})

test('a server that was taken for dead counts again', async (t) => {
  const { node, clock } = aHouse(2)
  const [one, other] = [await node('one'), await node('other')]
  t.true(await one.hold())
  clock.advance(20_000)
  t.true(await other.hold())
  await one.look()
  await other.look()
  t.false(await other.hold())
})

test('a server that closes leaves no place taken', async (t) => {
  const { node } = aHouse(1)
  const [one, other] = [await node('one'), await node('other')]
  t.true(await one.hold())
  await one.places.close()
  t.true(await other.hold())
})

test('while the broker is away a server lets in whom it would itself, and says so when it is back', async (t) => {
  const { node, setAway } = aHouse(1)
  const [one, other] = [await node('one'), await node('other')]
  setAway(true)
  t.true(await one.hold())
  setAway(false)
  await one.look()
  t.false(await other.hold())
})

test('that a server counts alone is said once, however many sessions begin and end meanwhile, and that it no longer does', async (t) => {
  const { node, setAway, takeNoWrites } = aHouse(3)
  const { places, look, log, hold } = await node('one')
  const said = (): string[] => log.lines.map(({ message }) => message).filter((one) => one.includes('counted by'))
  const users = Array.from({ length: 20 }, (_, at) => ownerOf(`user ${at}`))
  setAway(true)
  for (const user of users) await hold(user)
  takeNoWrites()
  for (const user of users) places.give(user)
  await look()
  t.deepEqual(said(), ['sessions are counted by this server alone'])
  setAway(false)
  await look()
  t.deepEqual(said(), [
    'sessions are counted by this server alone',
    'sessions are counted by all servers together again',
  ])
})
