import test from 'ava'
import * as fc from 'fast-check'

import type { RunState } from '../../actors/run/state.ts'
import { slicesOf } from '../../gateway/batches/jobs.ts'
import {
  addCounts,
  chunkStatusOf,
  fileStatusOf,
  isWorthRetry,
  jobCountsOf,
  matchesFilter,
  noJobs,
} from '../../gateway/batches/standing.ts'
import type { JobCounts } from '../../gateway/batches/standing.ts'
import { aBatchId, aFileId, anOwner } from '../support/builders.ts'
import { progressOf } from '../support/file-stages.ts'
import type { RunStage } from '../support/file-stages.ts'

test('pages of jobs, put together, are all jobs in order, whatever the files and the limit', (t) => {
  const files = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 30 })
  const isWhole = fc.property(files, fc.integer({ min: 1, max: 12 }), (sizes, limit) => {
    const given = sizes.map((jobs, at) => ({ index: at * 2, jobs }))
    const all = given.flatMap(({ index, jobs }) => Array.from({ length: jobs }, (_, job) => `${index}.${job}`))
    const paged: string[] = []
    for (let offset = 0; offset < all.length + limit; offset += limit) {
      const page = slicesOf(given, { offset, limit }).flatMap(({ index, from, to }) =>
        Array.from({ length: to - from }, (_, job) => `${index}.${from + job}`),
      )
      if (page.length !== Math.max(0, Math.min(limit, all.length - offset))) return false
      paged.push(...page)
    }
    return paged.join() === all.join()
  })
  t.notThrows(() => fc.assert(isWhole))
})

const stages: RunStage[] = [
  'planning',
  'waiting',
  'running',
  'completed',
  'partial',
  'failed',
  'uncut',
  'fan-out-failed',
]

function aRun(stage: RunStage, chunks = 5): RunState {
  const progress = progressOf({ stage, chunks })
  if (!progress) throw new Error(`${stage} has no record`)
  return {
    owner: anOwner(),
    batchId: aBatchId(),
    fileId: aFileId(),
    index: 0,
    filename: 'a.wav',
    source: { type: 'upload', key: 'k' },
    settings: { script: 'native', channels: 'mix' },
    acceptedAtMs: 0,
    estimatedSeconds: 10,
    progress,
  }
}

for (const stage of stages)
  test(`the counts of a file that is ${stage} are those of its jobs, one by one`, (t) => {
    const run = aRun(stage)
    const total = 'chunks' in run.progress ? (run.progress.chunks?.total ?? 0) : 0
    const statuses = [fileStatusOf(run), ...Array.from({ length: total }, (_, at) => chunkStatusOf(run.progress, at))]
    const counted = statuses.reduce<JobCounts>(
      (counts, status) => addCounts(counts, { ...noJobs, [status]: 1 }),
      noJobs,
    )
    t.deepEqual(jobCountsOf(run), counted)
  })

test('a file without a record is one queued job', (t) => {
  t.deepEqual(jobCountsOf(undefined), { ...noJobs, queued: 1 })
})

test('a file with gaps belongs to the completed ones', (t) => {
  t.true(matchesFilter('partial', 'completed'))
  t.false(matchesFilter('partial', 'failed'))
  t.true(matchesFilter('queued', undefined))
})

test('another attempt is offered where it may help, and not for a damaged recording, or one that is gone', (t) => {
  const failed = (...codes: readonly string[]): RunState => ({
    ...aRun('uncut'),
    progress: {
      phase: 'finished',
      outcome: 'failed',
      attempt: 1,
      finishedAtMs: 0,
      errors: codes.map((code) => ({ code, message: code, attempts: 1, atMs: 0 })),
    },
  })
  const isOffered = (run: RunState, isAudioExpired = false): boolean => isWorthRetry({ run, isAudioExpired })
  t.false(isOffered(failed('unsupported_media')))
  t.false(isOffered(failed('remote_refused', 'unsupported_media')))
  t.true(isOffered(failed('deadline_exceeded')))
  t.true(isOffered(failed('unsupported_media', 'worker_lost')))
  t.false(isOffered(failed('deadline_exceeded'), true))
  t.true(isOffered(aRun('partial')))
  t.false(isOffered(aRun('completed')))
  t.false(isOffered(aRun('running')))
})
