import test from 'ava'

import { decide } from '../../actors/run/decide.ts'
import type { RunCommand } from '../../actors/run/protocol.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { RunProgress, RunState } from '../../actors/run/state.ts'
import { aRun, aRunningFile, anError, bits, done, failed, nowMs, someChunks } from '../support/batch-builders.ts'

const limits = { window: 2, lostMax: 2 }
const decided = (file: RunState, ...commands: RunCommand[]): ReturnType<typeof decide> => decide(file, commands, limits)

const begin = (step: 'plan' | 'assemble', attempt = 1): RunCommand => ({ type: 'Begin', step, attempt, atMs: nowMs })
const planned = (total: number): RunCommand => ({ type: 'Planned', total, seconds: 10 })
const planning: RunProgress = { phase: 'planning', attempt: 1, sinceMs: nowMs }
const waiting: RunProgress = { phase: 'waiting', attempt: 2, delayMs: 5000, error: anError() }

test('a worker that takes up a queued file plans it, and its batch is told', (t) => {
  const { state, effects } = decided(aRun({ phase: 'queued' }), begin('plan'))
  t.like(state.progress, { phase: 'planning', attempt: 1 })
  t.deepEqual(effects, [{ type: 'TellBatch' }])
})

test('a plan issues as many chunks as the window has, and tells the batch how many there are', (t) => {
  const { state, effects } = decided(aRun(planning), planned(5))
  t.like(state.progress, { phase: 'running', chunks: { total: 5, issued: 2 } })
  t.deepEqual(effects, [
    { type: 'TellBatch' },
    {
      type: 'EnqueueChunks',
      chunks: [
        { chunk: 0, attempt: 1 },
        { chunk: 1, attempt: 1 },
      ],
    },
  ])
})

test('a recording without speech is put together at once', (t) => {
  const { state, effects } = decided(aRun(planning), planned(0))
  t.like(state.progress, { phase: 'assembling', chunks: { total: 0 } })
  t.deepEqual(effects, [{ type: 'TellBatch' }, { type: 'EnqueueStep', step: 'assemble', attempt: 1, delayMs: 0 }])
})

test('the total is written once: a second plan changes nothing', (t) => {
  const { state } = decided(aRun(planning), planned(5))
  t.is(decided(state, planned(7)).state, state)
})

test('a plan that was slow is taken although another attempt is waited for', (t) => {
  t.like(decided(aRun(waiting), planned(1)), {
    state: { progress: { phase: 'running' } },
    effects: [{ type: 'TellBatch' }, { type: 'EnqueueChunks' }],
  })
  t.like(decided(aRun(waiting), planned(0)), {
    state: { progress: { phase: 'assembling' } },
    effects: [{ type: 'TellBatch' }, { type: 'EnqueueStep', step: 'assemble' }],
  })
})

test('a transcript that was slow is taken although another attempt is waited for', (t) => {
  const file = aRun({ ...waiting, chunks: someChunks({ total: 1, done: bits(0) }) })
  t.like(decided(file, { type: 'Assembled', atMs: nowMs }).state.progress, { phase: 'finished', outcome: 'completed' })
})

test('a settled chunk makes room for the next one', (t) => {
  const { state, effects } = decided(aRunningFile({ total: 5, issued: 2 }), done(1))
  t.is(chunksOf(state.progress)?.issued, 3)
  t.deepEqual(effects, [{ type: 'EnqueueChunks', chunks: [{ chunk: 2, attempt: 1 }] }])
})

test('a chunk that is settled twice counts once', (t) => {
  const once = decided(aRunningFile({ total: 3, issued: 2 }), done(1)).state
  t.is(decided(once, done(1)).state, once)
})

test('the first outcome of a chunk stays, whatever comes later', (t) => {
  const file = decided(aRunningFile({ total: 2 }), done(0)).state
  t.is(decided(file, failed(0)).state, file)
  const other = decided(aRunningFile({ total: 2 }), failed(0)).state
  t.is(decided(other, done(0)).state, other)
})

test('a report about a chunk that was not issued counts for nothing', (t) => {
  const file = aRunningFile({ total: 5, issued: 2 })
  for (const chunk of [2, 4, 5, 99]) t.is(decided(file, done(chunk)).state, file)
})

test('what is known of a chunk under way does not depend on the order in which it is told', (t) => {
  const reports: RunCommand[] = [
    { type: 'ChunkStarted', chunk: 0, attempt: 1, atMs: nowMs },
    { type: 'ChunkRetrying', chunk: 0, attempt: 1, error: anError({ attempts: 1 }) },
    { type: 'ChunkStarted', chunk: 0, attempt: 2, atMs: nowMs + 1 },
  ]
  const expected = { status: 'processing', attempt: 2, sinceMs: nowMs + 1, error: anError({ attempts: 1 }) }
  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0, 1, 2],
  ]) {
    const { state } = decided(aRunningFile({ total: 1 }), ...order.map((at) => reports[at]!))
    t.deepEqual(chunksOf(state.progress)?.active[0], expected, order.join())
  }
})

test('a lost chunk is enqueued again at the attempt that is due, and shows as processing when it is taken up', (t) => {
  const lost: RunCommand = { type: 'ChunksLost', chunks: [0], atMs: nowMs }
  const retrying: RunCommand = { type: 'ChunkRetrying', chunk: 0, attempt: 1, error: anError() }
  const file = aRunningFile({ total: 2 })
  t.deepEqual(decided(file, lost).effects, [{ type: 'EnqueueChunks', chunks: [{ chunk: 0, attempt: 1 }] }])
  t.deepEqual(decided(decided(file, retrying).state, lost).effects, [
    { type: 'EnqueueChunks', chunks: [{ chunk: 0, attempt: 2 }] },
  ])
  const { state } = decided(file, lost, { type: 'ChunkStarted', chunk: 0, attempt: 1, atMs: nowMs })
  t.like(chunksOf(state.progress)?.active[0], { status: 'processing', attempt: 1, lost: 1 })
})

test('the attempt that was waited for is taken up by its own step and number only', (t) => {
  const plan = aRun(waiting)
  const assemble = aRun({ ...waiting, chunks: someChunks({ total: 1, done: bits(0) }) })
  t.like(decided(plan, begin('plan', 2)).state.progress, { phase: 'planning', attempt: 2 })
  t.like(decided(assemble, begin('assemble', 2)).state.progress, { phase: 'assembling', attempt: 2 })
  for (const command of [begin('plan', 1), begin('assemble', 2)]) t.is(decided(plan, command).state, plan)
  for (const command of [begin('assemble', 1), begin('plan', 2)]) t.is(decided(assemble, command).state, assemble)
})

test('when a file was taken up, and how often a step was tried, is known to its end', (t) => {
  const retried: RunCommand = { type: 'StepFailed', step: 'plan', attempt: 1, error: anError(), delayMs: 5 }
  const again: RunCommand = { type: 'Begin', step: 'plan', attempt: 2, atMs: nowMs + 9 }
  const { state } = decided(aRun({ phase: 'queued' }), begin('plan'), retried, again, planned(1), done(0))
  const ended = decided(state, { type: 'Assembled', atMs: nowMs + 20 }).state
  t.like(ended, { startedAtMs: nowMs, attempts: 2, progress: { phase: 'finished', attempt: 1 } })
  const smooth = decided(aRun({ phase: 'queued' }), begin('plan'), planned(0), { type: 'Assembled', atMs: nowMs }).state
  t.is(smooth.startedAtMs, nowMs)
  t.false('attempts' in smooth)
})

test('a step that failed and will not be tried again fails the file, and its batch is told', (t) => {
  const command: RunCommand = { type: 'StepFailed', step: 'plan', attempt: 1, error: anError() }
  const { state, effects } = decided(aRun(planning), command)
  t.like(state.progress, { phase: 'finished', outcome: 'failed', errors: [anError()] })
  t.deepEqual(effects, [{ type: 'RemoveParts' }, { type: 'TellBatch' }])
})

test('the failure of an attempt that is no longer the current one says nothing', (t) => {
  const file = aRun({ ...planning, attempt: 2 })
  t.is(decided(file, { type: 'StepFailed', step: 'plan', attempt: 1, error: anError() }).state, file)
  t.is(decided(file, { type: 'StepFailed', step: 'assemble', attempt: 2, error: anError() }).state, file)
})

test('deletion ends every phase, and asks for everything to go, the record last', (t) => {
  const chunks = someChunks({ total: 1 })
  const phases: RunProgress[] = [
    { phase: 'queued' },
    planning,
    waiting,
    { phase: 'running', attempt: 1, chunks },
    { phase: 'assembling', attempt: 1, chunks },
    { phase: 'finished', outcome: 'completed', attempt: 1, finishedAtMs: nowMs, errors: [], chunks },
  ]
  for (const progress of phases) {
    const { state, effects } = decided(aRun(progress), { type: 'Purge' })
    t.deepEqual(state.progress, { phase: 'gone' })
    t.deepEqual(effects, [{ type: 'RemoveEverything' }, { type: 'Forget' }, { type: 'TellBatch' }])
  }
})

test('whatever comes after a deletion asks again for everything to go', (t) => {
  const gone = aRun({ phase: 'gone' })
  const late: RunCommand[] = [
    done(0),
    { type: 'ChunkRetrying', chunk: 0, attempt: 1, error: anError() },
    planned(3),
    { type: 'Wake' },
  ]
  for (const command of late) {
    const { state, effects } = decided(gone, command)
    t.is(state, gone)
    t.is(effects[0]?.type, 'RemoveEverything', command.type)
  }
})

test('news that says nothing new asks for nothing', (t) => {
  const started: RunCommand = { type: 'ChunkStarted', chunk: 0, attempt: 1, atMs: nowMs }
  const once = decided(aRunningFile({ total: 2 }), started)
  t.deepEqual(once.effects, [])
  t.deepEqual(decided(once.state, started), { state: once.state, effects: [] })
})

test('many reports at once count as they would one by one', (t) => {
  const file = aRunningFile({ total: 4, issued: 2 })
  const reports = [done(0), failed(1), done(0), done(2), done(3)]
  const oneByOne = reports.reduce((state, report) => decided(state, report).state, file)
  t.deepEqual(decided(file, ...reports).state, oneByOne)
})

test('a file that its batch hands out once more looks for its message unless somebody has taken it up', (t) => {
  const again: RunCommand = { type: 'Wake', isSaidAgain: true }
  t.deepEqual(decided(aRunningFile({ total: 2 }), again).effects, [])
  const queued = decided(aRun({ phase: 'queued' }), again).effects
  t.deepEqual(queued, decided(aRun({ phase: 'queued' }), { type: 'Wake' }).effects)
  t.is(queued[0]?.type, 'FindLostStep')
})
