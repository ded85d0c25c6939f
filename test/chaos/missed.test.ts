import test from 'ava'

import { emptySet } from '../../actors/bitset.ts'
import { runKey } from '../../actors/ids.ts'
import type { ActiveChunk, RunState } from '../../actors/run/state.ts'
import { aRunningFile, bits } from '../support/batch-builders.ts'
import { watchMissed } from './check/missed.ts'

const heard: ActiveChunk = { status: 'processing', attempt: 1, sinceMs: 0 }
const waiting: ActiveChunk = { status: 'retrying', attempt: 1, sinceMs: 0 }

const file = aRunningFile({ total: 2 })

/** Of the same file each time, chunk 1 of which is under way or not. */
function aRecord(active: ActiveChunk | undefined, failed = emptySet): RunState {
  const { progress } = aRunningFile({ total: 2, active: active ? { 1: active } : {}, failed })
  return { ...file, progress }
}

function complaintsOf(records: readonly RunState[], taken: readonly string[] = []): string[] {
  const missed = watchMissed(new Set(taken))
  for (const [at, record] of records.entries()) missed.changed(records[at - 1], record)
  return missed.complaints()
}

const lostWhileHeard = [aRecord(heard), aRecord({ ...heard, lost: 1 })]

test('a message that is gone while its chunk is heard is complained of', (t) => {
  t.is(complaintsOf(lostWhileHeard).length, 1)
})

test('also when the chunk is heard in the end', (t) => {
  t.is(complaintsOf([...lostWhileHeard, aRecord(undefined)]).length, 1)
})

test('one that was gone before anybody had begun is not, nor one that the rig took', (t) => {
  t.deepEqual(complaintsOf([aRecord(waiting), aRecord({ ...waiting, lost: 1 })]), [])
  t.deepEqual(complaintsOf(lostWhileHeard, [`${runKey(file)}.1`]), [])
})

test('nor one whose chunk had failed for good before the record was told', (t) => {
  t.deepEqual(complaintsOf([...lostWhileHeard, aRecord(undefined, bits(1))]), [])
  t.is(complaintsOf([...lostWhileHeard, aRecord({ ...heard, lost: 1 }, bits(0))]).length, 1)
})
