import test from 'ava'

import type { SessionDay } from '../../../actors/conversation/ports.ts'
import { retryable } from '../../../actors/failure.ts'
import type { Records } from '../../../actors/ports.ts'
import { SessionDays } from '../../../realtime/connect/session-days.ts'
import { eventually } from '../../support/eventually.ts'
import { aLog } from '../../support/log.ts'
import { memoryRecords } from '../../support/memory-records.ts'
import { ownerOf } from '../../support/service.ts'

const asha = ownerOf('asha')
const bala = ownerOf('bala')
const lateOnMonday = Date.parse('2026-11-16T23:59:00Z')

/** Servers on one broker, whose clock and timers move when the test says so. */
function aHouse() {
  const stored = memoryRecords<SessionDay>()
  const state: { isAway: boolean; nowMs: number; due?: () => void } = { isAway: false, nowMs: lateOnMonday }
  const days = new Proxy(stored, {
    get: (target, name: keyof Records<SessionDay>) =>
      state.isAway ? () => Promise.reject(retryable('overloaded', 'away')) : target[name],
  })
  const timer = { after: (_ms: number, run: () => void) => ((state.due = run), () => {}) }
  const log = aLog()
  const server = () => new SessionDays({ days, clock: { nowMs: () => state.nowMs }, timer, log })
  const of = async (owner: string, date: string) => (await stored.read(`${owner}.${date}`))?.value
  return { state, server, of, log }
}

test('sessions are added up for each user by the day on which they ended, whichever server had them', async (t) => {
  const { server, state, of } = aHouse()
  const [one, other] = [server(), server()]
  for (const days of [one, other, one]) days.ended(asha, 10)
  other.ended(bala, 1.5)
  state.nowMs += 120_000
  one.ended(asha, 5)
  await Promise.all([one.close(), other.close()])
  t.deepEqual(await of(asha, '2026-11-16'), { sessions: 3, seconds: 30 })
  t.deepEqual(await of(asha, '2026-11-17'), { sessions: 1, seconds: 5 })
  t.deepEqual(await of(bala, '2026-11-16'), { sessions: 1, seconds: 1.5 })
})

test('what ended while the broker was away is counted when it is back', async (t) => {
  const { server, state, of } = aHouse()
  const days = server()
  state.isAway = true
  days.ended(asha, 10)
  days.ended(asha, 20)
  const again = await eventually('it waits for the broker', () => state.due)
  state.isAway = false
  again()
  await days.close()
  t.deepEqual(await of(asha, '2026-11-16'), { sessions: 2, seconds: 30 })
})

test('the broker is not asked again for each session that ends while it is away', async (t) => {
  const { server, state, of, log } = aHouse()
  const days = server()
  state.isAway = true
  days.ended(asha, 10)
  await eventually('it waits for the broker', () => state.due)
  for (let session = 0; session < 20; session += 1) days.ended(bala, 1)
  await new Promise(setImmediate)
  t.is(log.lines.length, 1)
  state.isAway = false
  state.due?.()
  await days.close()
  t.deepEqual(
    [await of(asha, '2026-11-16'), await of(bala, '2026-11-16')],
    [
      { sessions: 1, seconds: 10 },
      { sessions: 20, seconds: 20 },
    ],
  )
})
