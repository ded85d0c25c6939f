import test from 'ava'
import * as fc from 'fast-check'

import {
  finishingSeconds,
  paceOf,
  queueOf as queueAt,
  secondsUntilDone,
  secondsUntilIdle,
  secondsUntilRoom,
  waitOf,
  unmeasuredHeardPerSecond,
} from '../../actors/batch/estimate.ts'
import type { OpenWork, QueueAhead } from '../../actors/batch/estimate.ts'
import type { WorkerPulse } from '../../actors/worker/state.ts'
import { aBatchId, anOwner } from '../support/builders.ts'

const queueOf = (works: readonly OpenWork[], heardPerSecond: number): QueueAhead =>
  queueAt(works, { workers: 1, heardPerSecond })
const heardPerSecondOf = (pulses: readonly WorkerPulse[]): number => paceOf(pulses).heardPerSecond

const work = (user: string, seconds: number, files = 1): OpenWork => ({
  owner: anOwner(user),
  batchId: aBatchId(),
  files,
  seconds,
})

test('alone in the queue a batch takes as long as its sound takes to be heard', (t) => {
  const mine = work('a', 100)
  t.is(secondsUntilDone(queueOf([mine], 10), mine), 10)
  t.is(secondsUntilDone(queueOf([], 10), mine), 10, 'also before it is in the queue')
})

test('a user with one file is not behind ten thousand of another', (t) => {
  const mine = work('a', 10)
  t.is(secondsUntilDone(queueOf([work('b', 1_000_000, 10_000), mine], 10), mine), 2)
})

test('everybody waits for no more of each other user than they have themselves', (t) => {
  const mine = work('a', 100)
  const others = [work('b', 30), work('c', 60), work('c', 60), work('d', 5000)]
  t.is(secondsUntilDone(queueOf([...others, mine], 1), mine), 100 + 30 + 100 + 100)
})

test('the batches of one user take turns, too', (t) => {
  const [small, large] = [work('a', 10), work('a', 1000)]
  const queue = queueOf([small, large], 1)
  t.is(secondsUntilDone(queue, small), 20)
  t.is(secondsUntilDone(queue, large), 1010)
  t.is(secondsUntilIdle(queue, small.owner), 1010)
})

test('a batch of which nothing is left takes no time, however full the queue', (t) => {
  t.is(secondsUntilDone(queueOf([work('b', 500)], 1), work('a', 0, 0)), 0)
})

test('room for some files comes after their share of the sound', (t) => {
  const queue = queueOf([work('a', 100, 10), work('b', 300, 30)], 10)
  t.is(queue.files, 40)
  t.is(secondsUntilRoom(queue, 10), 10)
  t.is(secondsUntilRoom(queue, 400), 40)
})

test('no estimate is shorter than its own sound or longer than everything', (t) => {
  const works = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 1000 })), { minLength: 1 })
  const isSane = fc.property(works, (given) => {
    const all = given.map(([user, seconds]) => work(user, seconds))
    const queue = queueOf(all, 2)
    const whole = all.reduce((sum, { seconds }) => sum + seconds, 0)
    return all.every((one) => {
      const estimate = secondsUntilDone(queue, one)
      return estimate >= one.seconds / 2 && estimate <= Math.max(finishingSeconds, whole / 2)
    })
  })
  t.notThrows(() => fc.assert(isSane))
})

test('workers are as fast as they say, those that have not said yet as the others, and those that hear nothing do not count', (t) => {
  t.is(heardPerSecondOf([{ mode: 'both', heardPerSecond: 20 }]), 20)
  t.is(
    heardPerSecondOf([
      { mode: 'both', heardPerSecond: 20 },
      { mode: 'chunk', heardPerSecond: 10 },
    ]),
    30,
  )
  t.is(heardPerSecondOf([{ mode: 'both', heardPerSecond: 20 }, { mode: 'chunk' }]), 40)
  t.is(heardPerSecondOf([{ mode: 'both', heardPerSecond: 20 }, { mode: 'file' }]), 20)
  t.is(heardPerSecondOf([{ mode: 'both' }, { mode: 'both' }]), 2 * unmeasuredHeardPerSecond)
  t.is(heardPerSecondOf([]), unmeasuredHeardPerSecond)
})

const fetching = { what: 'fetching model a', percent: 40, secondsLeft: 12 }

test('what is fetched is waited for before anything is heard, and not by what is heard already', (t) => {
  const mine = work('a', 100)
  const queue = queueAt([mine], { workers: 1, heardPerSecond: 10, waitingFor: fetching })
  t.is(secondsUntilDone(queue, mine), 12 + 10)
  t.is(secondsUntilDone(queue, { ...mine, seconds: 0 }), finishingSeconds)
  t.is(secondsUntilIdle(queue, mine.owner), 12 + 10)
  t.is(secondsUntilRoom(queue, 1), 12 + 10)
})

test('storage that is away is waited for also by what is heard already, since that is put together there', (t) => {
  const mine = work('a', 100)
  const storage = { what: 'storage', secondsLeft: 12, stopsAll: true } as const
  const queue = queueAt([mine], { workers: 1, heardPerSecond: 10, waitingFor: storage })
  const heard = { ...mine, seconds: 0 }
  t.is(secondsUntilDone(queue, heard), 12)
  t.is(waitOf(queue, heard), storage)
  t.is(waitOf(queue, { ...heard, files: 0 }), undefined)
  t.is(waitOf(queueAt([mine], { workers: 1, heardPerSecond: 10, waitingFor: fetching }), heard), undefined)
})

test('a batch that is open takes a moment, however little is left of it', (t) => {
  const mine = work('a', 0.1)
  t.is(secondsUntilDone(queueOf([mine], 10), mine), finishingSeconds)
})

for (const [sentence, pulses, waitingFor] of [
  ['a worker that waits is waited for', [{ mode: 'both', waitingFor: fetching }], fetching],
  [
    'of several the first to be ready is waited for',
    [
      { mode: 'both', waitingFor: { ...fetching, secondsLeft: 50 } },
      { mode: 'chunk', waitingFor: fetching },
    ],
    fetching,
  ],
  ['nobody waits while another worker hears', [{ mode: 'both', waitingFor: fetching }, { mode: 'both' }], undefined],
  [
    'that files are cut elsewhere does not help who waits to be heard',
    [{ mode: 'chunk', waitingFor: fetching }, { mode: 'file' }],
    fetching,
  ],
  [
    'that chunks are heard elsewhere does not help who waits to be cut',
    [{ mode: 'chunk' }, { mode: 'file', waitingFor: fetching }],
    fetching,
  ],
  ['without any worker nothing is being fetched', [], undefined],
] as const)
  test(sentence, (t) => {
    t.deepEqual(paceOf(pulses).waitingFor, waitingFor)
  })
