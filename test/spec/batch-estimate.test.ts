import test from 'ava'
import * as fc from 'fast-check'

import {
  heardPerSecondOf,
  queueOf,
  secondsUntilDone,
  secondsUntilIdle,
  secondsUntilRoom,
  unmeasuredHeardPerSecond,
} from '../../actors/batch/estimate.ts'
import type { OpenWork } from '../../actors/batch/estimate.ts'
import { remainingSecondsOf } from '../../actors/batch/state.ts'
import { batchOf } from '../support/batches.ts'
import { aBatchId, anOwner } from '../support/builders.ts'

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
      return estimate >= one.seconds / 2 && estimate <= whole / 2
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

test('what remains is what the headers told without what has settled', (t) => {
  const batch = batchOf(anOwner(), [{ stage: 'completed' }, { stage: 'queued' }, { stage: 'queued' }])
  t.is(remainingSecondsOf({ ...batch, estimatedSeconds: 60, settledSeconds: 20 }), 40)
})

test('where the headers told too little, files that remain are taken to be like those that settled', (t) => {
  const batch = batchOf(anOwner(), [{ stage: 'completed' }, { stage: 'queued' }, { stage: 'queued' }])
  t.is(remainingSecondsOf({ ...batch, estimatedSeconds: 60, settledSeconds: 600 }), 1200)
})

test('nothing remains of a batch that is settled, whatever the headers told', (t) => {
  const batch = batchOf(anOwner(), [{ stage: 'completed' }, { stage: 'uncut' }])
  t.is(remainingSecondsOf({ ...batch, estimatedSeconds: 600, settledSeconds: 20 }), 0)
})
