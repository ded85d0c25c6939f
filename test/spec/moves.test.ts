import test from 'ava'

import { nextAttempt } from '../../actors/attempt/retry.ts'
import { decide as decideBatch } from '../../actors/batch/decide.ts'
import { statusOf } from '../../actors/batch/state.ts'
import { size } from '../../actors/bitset.ts'
import type { Failure } from '../../actors/failure.ts'
import { decide } from '../../actors/run/decide.ts'
import type { RunCommand } from '../../actors/run/protocol.ts'
import { chunkErrorsOf, chunksOf, standingOf } from '../../actors/run/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import { aBatch, aRun, aRunningFile, anError, bits, done, failed, nowMs } from '../support/batch-builders.ts'

/** The moves that the specification describes, one by one, as decisions. */

const limits = { window: 8, lostMax: 2 }
const outage: Failure = { kind: 'retryable', code: 'overloaded', detail: 'Come back later.' }
const modes = {
  'default mode': { retriesMax: 3, intervalsMs: [5000, 15_000, 45_000] },
  'separate mode': { retriesMax: 3, intervalsMs: [30_000, 60_000, 120_000] },
}

const after = (file: RunState, ...commands: RunCommand[]): RunState => decide(file, commands, limits).state

test('POST /batch accepted: for each resolved input a job is queued, and its parent job is enqueued on the file queue', (t) => {
  const submitted = aBatch({ total: 3, issued: 0 })
  t.is(statusOf(submitted), 'queued')
  const { effects } = decideBatch(submitted, [{ type: 'Wake' }], { window: 10 })
  t.deepEqual(effects, [{ type: 'IssueFiles', indexes: [0, 1, 2] }])
})

for (const [mode, policy] of Object.entries(modes)) {
  test(`${mode}: a parent with a transient error is retrying while retries remain, re-enqueued with a delay`, (t) => {
    const planning = aRun({ phase: 'planning', attempt: 1, sinceMs: nowMs })
    const next = nextAttempt(policy, 1, outage)
    if (!next.retry) return t.fail('no retry')
    const { delayMs } = next
    const command: RunCommand = { type: 'StepFailed', step: 'plan', attempt: 1, error: anError(), delayMs }
    const { state, effects } = decide(planning, [command], limits)
    t.like(state.progress, { phase: 'waiting', attempt: 2 })
    t.deepEqual(effects, [{ type: 'EnqueueStep', step: 'plan', attempt: 2, delayMs: policy.intervalsMs[0]! }])
  })

  test(`${mode}: a chunk with a transient error is retrying while retries remain; other jobs are unaffected`, (t) => {
    const running = aRunningFile({ total: 3, done: bits(0) })
    t.true(nextAttempt(policy, 3, outage).retry)
    const { state, effects } = decide(
      running,
      [{ type: 'ChunkRetrying', chunk: 1, attempt: 3, error: anError({ attempts: 3 }) }],
      limits,
    )
    const chunks = chunksOf(state.progress)
    t.deepEqual(Object.keys(chunks?.active ?? {}), ['1'])
    t.like(chunks?.active[1], { status: 'retrying', attempt: 3 })
    t.is(chunks?.done, bits(0))
    t.deepEqual(effects, [])
  })

  test(`${mode}: a chunk whose retries are exhausted has failed for good, and completion accounting still advances`, (t) => {
    t.deepEqual(nextAttempt(policy, 4, outage), { retry: false })
    const running = aRunningFile({ total: 3, issued: 2 })
    const { state, effects } = decide(running, [failed(1, { attempts: 4 })], { ...limits, window: 2 })
    const chunks = chunksOf(state.progress)
    t.is(size(chunks!.failed), 1)
    t.like(chunkErrorsOf(chunks!.errors)[0], { chunk: 1, attempts: 4 })
    t.deepEqual(effects, [{ type: 'EnqueueChunks', chunks: [{ chunk: 2, attempt: 1 }] }])
  })
}

test('a parent whose chunks are all terminal, at least one of them failed, is partial, with the merged result of what exists', (t) => {
  const file = aRunningFile({ total: 2 })
  const settled = decide(file, [done(0), failed(1)], limits)
  t.deepEqual(settled.effects, [{ type: 'EnqueueStep', step: 'assemble', attempt: 1, delayMs: 0 }])
  const { progress } = after(settled.state, { type: 'Assembled', atMs: nowMs })
  t.is(standingOf(progress), 'partial')
  t.deepEqual([chunksOf(progress)?.done, chunksOf(progress)?.failed], [bits(0), bits(1)])
})

test('a parent whose chunks are all terminal and none failed is completed', (t) => {
  const file = after(aRunningFile({ total: 2 }), done(0), done(1), { type: 'Assembled', atMs: nowMs })
  t.is(standingOf(file.progress), 'completed')
})

test('a parent whose chunks have all failed is failed', (t) => {
  const { state, effects } = decide(aRunningFile({ total: 2 }), [failed(0), failed(1)], limits)
  t.is(standingOf(state.progress), 'failed')
  t.deepEqual(effects, [{ type: 'RemoveParts' }, { type: 'TellBatch' }])
})

const fanOutFailed: RunCommand = { type: 'FanOutFailed', error: anError({ code: 'fan_out_failed' }) }

test('a failure during fan-out fails the parent and prevents a second enqueue on retry', (t) => {
  const file = after(aRunningFile({ total: 4 }), fanOutFailed)
  t.is(standingOf(file.progress), 'failed')
  const retried = decide(file, [{ type: 'Begin', step: 'plan', attempt: 1, atMs: nowMs }], limits)
  t.is(retried.state, file)
  t.false(retried.effects.some(({ type }) => type === 'EnqueueChunks' || type === 'EnqueueStep'))
})

test('after a failure during fan-out the chunks that are enqueued continue to a terminal state, and the outcome stays', (t) => {
  const file = after(aRunningFile({ total: 4 }), fanOutFailed)
  const { state, effects } = decide(file, [done(0), failed(1), done(2)], limits)
  t.is(standingOf(state.progress), 'failed')
  t.deepEqual([chunksOf(state.progress)?.done, chunksOf(state.progress)?.failed], [bits(0, 2), bits(1)])
  t.deepEqual(effects.at(-1), { type: 'FindLostChunks', chunks: [{ chunk: 3, attempt: 1 }] })
})

test('after a failure during fan-out a chunk that was never enqueued is failed and not enqueued', (t) => {
  const file = after(aRunningFile({ total: 2 }), fanOutFailed, done(0))
  const { state, effects } = decide(file, [{ type: 'ChunksLost', chunks: [1], atMs: nowMs }], limits)
  t.is(chunksOf(state.progress)?.failed, bits(1))
  t.deepEqual(effects, [{ type: 'RemoveParts' }])
})

test('a file of which something can never be stored fails with a sentence, and keeps no more than that', (t) => {
  const error = anError({ code: 'too_large', message: 'This would make a record that is too large.' })
  const { state, effects } = decide(aRunningFile({ total: 4, done: bits(0) }), [{ type: 'GaveUp', error }], limits)
  const outcome = { phase: 'finished', outcome: 'failed', attempt: 1, finishedAtMs: error.atMs, errors: [error] }
  t.deepEqual(state.progress, outcome as never)
  t.deepEqual(effects, [{ type: 'RemoveParts' }, { type: 'TellBatch' }])
})

test('a file that has ended keeps its outcome when what its chunks say can never be stored', (t) => {
  const ended = after(aRunningFile({ total: 4 }), fanOutFailed)
  const { progress } = after(ended, { type: 'GaveUp', error: anError({ code: 'too_large' }) })
  t.is(chunksOf(progress), undefined)
  t.like(progress, { phase: 'finished', errors: [{ code: 'fan_out_failed' }] })
})

test('its batch is told once more then: what could not be stored may have kept it from being told at first', (t) => {
  const ended = after(aRunningFile({ total: 4 }), fanOutFailed)
  const { effects } = decide(ended, [{ type: 'GaveUp', error: anError({ code: 'too_large' }) }], limits)
  t.deepEqual(effects, [{ type: 'RemoveParts' }, { type: 'TellBatch' }])
})

test('what is cancelled ends with what is done of it, as if the rest had failed', (t) => {
  const cancel: RunCommand = { type: 'Cancel', atMs: nowMs }
  const { state, effects } = decide(aRunningFile({ total: 20, done: bits(0, 2), failed: bits(1) }), [cancel], limits)
  t.is(state.progress.phase, 'assembling')
  t.is(size(chunksOf(state.progress)!.failed), 18)
  t.is(chunkErrorsOf(chunksOf(state.progress)!.errors).filter(({ code }) => code === 'cancelled').length, 17)
  t.deepEqual(effects, [{ type: 'LookOnceMore' }, { type: 'EnqueueStep', step: 'assemble', attempt: 1, delayMs: 0 }])
  t.is(standingOf(after(aRunningFile({ total: 4 }), cancel).progress), 'failed')
  t.is(standingOf(after(state, { type: 'Assembled', atMs: nowMs }).progress), 'partial')
})

test('what is cancelled before it is cut is ended by who takes it up, who knows whether it was deleted, and at once', (t) => {
  const { state, effects } = decide(aRun({ phase: 'queued' }), [{ type: 'Cancel', atMs: nowMs }], limits)
  t.deepEqual(state.progress, { phase: 'queued', cancelledAtMs: nowMs })
  t.deepEqual(effects, [{ type: 'LookOnceMore' }, { type: 'EnqueueStep', step: 'plan', attempt: 1, delayMs: 0 }])
  const begun = after(state, { type: 'Begin', step: 'plan', attempt: 1, atMs: nowMs })
  t.is(standingOf(begun.progress), 'started')
  const planned = after(begun, { type: 'Planned', total: 3, seconds: 60 })
  t.like(planned.progress, { phase: 'finished', outcome: 'failed' })
  const unlucky: RunCommand = { type: 'StepFailed', step: 'plan', attempt: 1, error: anError(), delayMs: 5000 }
  t.like(after(begun, unlucky).progress, { outcome: 'failed', errors: [{ code: 'cancelled' }] })
})

test('what waits for another attempt to be cut ends when it is cancelled, and what has ended stays as it is', (t) => {
  const cancel: RunCommand = { type: 'Cancel', atMs: nowMs }
  const waiting = aRun({ phase: 'waiting', attempt: 2, delayMs: 5000, error: anError() })
  const ended = after(waiting, cancel)
  t.like(ended.progress, { phase: 'finished', outcome: 'failed', errors: [{ code: 'cancelled', attempts: 2 }] })
  t.is(after(ended, cancel), ended)
})

test('what is cancelled looks once more for what comes late, also when that is said twice, and what is completed does not', (t) => {
  const cancel: RunCommand = { type: 'Cancel', atMs: nowMs }
  const looks = (run: RunState): boolean =>
    decide(run, [cancel], limits).effects.some(({ type }) => type === 'LookOnceMore')
  const running = aRunningFile({ total: 4 })
  t.true(looks(running))
  t.true(looks(after(running, cancel)))
  const assembling = { phase: 'assembling', attempt: 1, chunks: chunksOf(running.progress)! } as const
  t.false(looks(after(aRun(assembling), { type: 'Assembled', atMs: nowMs })))
})

test('worker startup recovery: in-flight jobs whose messages are lost are requeued', (t) => {
  const planning = aRun({ phase: 'planning', attempt: 2, sinceMs: nowMs })
  t.deepEqual(decide(planning, [{ type: 'Wake' }], limits).effects[0], {
    type: 'FindLostStep',
    step: 'plan',
    attempt: 2,
    delayMs: 0,
  })
  const running = aRunningFile({ total: 3, done: bits(1) })
  t.deepEqual(decide(running, [{ type: 'Wake' }], limits).effects[0], {
    type: 'FindLostChunks',
    chunks: [
      { chunk: 0, attempt: 1 },
      { chunk: 2, attempt: 1 },
    ],
  })
  t.deepEqual(decide(running, [{ type: 'ChunksLost', chunks: [2], atMs: nowMs }], limits).effects, [
    { type: 'EnqueueChunks', chunks: [{ chunk: 2, attempt: 1 }] },
  ])
})

test('stuck-chunk recovery: a processing chunk that is orphaned again and again is failed', (t) => {
  const lost: RunCommand = { type: 'ChunksLost', chunks: [1], atMs: nowMs }
  const processing = after(aRunningFile({ total: 3 }), { type: 'ChunkStarted', chunk: 1, attempt: 2, atMs: nowMs })
  let state = processing
  const effects = Array.from({ length: limits.lostMax + 1 }, () => {
    const next = decide(state, [lost], limits)
    state = next.state
    return next.effects
  }).flat()
  t.is(chunksOf(state.progress)?.failed, bits(1))
  t.like(chunkErrorsOf(chunksOf(state.progress)!.errors)[0], { chunk: 1, code: 'worker_lost', attempts: 2 })
  t.is(effects.filter(({ type }) => type === 'EnqueueChunks').length, limits.lostMax)
})

test('what is done in the same step as it is cut needs no message, and its batch is told once', (t) => {
  const planning = aRun({ phase: 'planning', attempt: 1, sinceMs: nowMs })
  const cut: RunCommand = { type: 'Planned', total: 1, seconds: 5 }
  const ended = decide(planning, [cut, done(0), { type: 'Assembled', atMs: nowMs }], limits)
  t.is(standingOf(ended.state.progress), 'completed')
  t.deepEqual(ended.effects, [{ type: 'RemoveParts' }, { type: 'TellBatch' }])
})

test('a chunk that failed in the same step as it was cut waits for its next attempt, which is enqueued already', (t) => {
  const planning = aRun({ phase: 'planning', attempt: 1, sinceMs: nowMs })
  const cut: RunCommand = { type: 'Planned', total: 1, seconds: 5 }
  const retrying: RunCommand = { type: 'ChunkRetrying', chunk: 0, attempt: 1, error: anError({ attempts: 1 }) }
  const { state, effects } = decide(planning, [cut, retrying], limits)
  t.is(state.progress.phase, 'running')
  t.deepEqual(effects, [{ type: 'TellBatch' }])
  t.deepEqual(decide(state, [{ type: 'Wake' }], limits).effects[0], {
    type: 'FindLostChunks',
    chunks: [{ chunk: 0, attempt: 2 }],
  })
})

test('a short file that could not be put together at once is tried again after its pause', (t) => {
  const planning = aRun({ phase: 'planning', attempt: 1, sinceMs: nowMs })
  const cut: RunCommand = { type: 'Planned', total: 1, seconds: 5 }
  const step = { step: 'assemble', attempt: 1 } as const
  const unassembled: RunCommand = { type: 'StepFailed', ...step, error: anError({ attempts: 1 }), delayMs: 5000 }
  const { state, effects } = decide(planning, [cut, done(0), unassembled], limits)
  t.is(state.progress.phase, 'waiting')
  t.deepEqual(effects, [{ type: 'TellBatch' }, { type: 'EnqueueStep', step: 'assemble', attempt: 2, delayMs: 5000 }])
})
