import test from 'ava'
import * as fc from 'fast-check'

import { has, members, missing, size } from '../../actors/bitset.ts'
import { decide } from '../../actors/run/decide.ts'
import { owedByRun } from '../../actors/run/owed.ts'
import type { ChunkReport, FileEffect, RunCommand } from '../../actors/run/protocol.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { RunProgress, RunState } from '../../actors/run/state.ts'
import { aRun, aRunningFile, anError, done, failed, nowMs } from '../support/batch-builders.ts'

/** What holds for a file whatever it is told. */

const chunk = fc.nat(4)
const attempt = fc.integer({ min: 1, max: 3 })
const step = fc.constantFrom('plan' as const, 'assemble' as const)
const atMs = fc.integer({ min: nowMs, max: nowMs + 1000 })

const someCommand: fc.Arbitrary<RunCommand> = fc.oneof(
  fc.record({ type: fc.constant('Begin' as const), step, attempt, atMs }),
  fc.record({ type: fc.constant('Planned' as const), total: fc.nat(6), seconds: fc.constant(60) }),
  fc.record(
    {
      type: fc.constant('StepFailed' as const),
      step,
      attempt,
      error: atMs.map((at) => anError({ atMs: at })),
      delayMs: fc.constant(5000),
    },
    { requiredKeys: ['type', 'step', 'attempt', 'error'] },
  ),
  fc.record({ type: fc.constant('ChunkStarted' as const), chunk, attempt, atMs }),
  fc.tuple(chunk, attempt).map(([of, attempts]): RunCommand => ({
    type: 'ChunkRetrying',
    chunk: of,
    attempt: attempts,
    error: anError({ attempts }),
  })),
  fc.record({ type: fc.constant('ChunkDone' as const), chunk, atMs }),
  chunk.map((input) => failed(input)),
  fc.record({ type: fc.constant('ChunksLost' as const), chunks: fc.array(chunk, { maxLength: 3 }), atMs }),
  fc.record({ type: fc.constant('Assembled' as const), atMs }),
  fc.constant<RunCommand>({ type: 'Wake' }),
)
/** What ends everything is rare, or nothing else would be seen. */
const someCommands = fc.array(
  fc.oneof(
    { weight: 60, arbitrary: someCommand },
    { weight: 1, arbitrary: fc.constant<RunCommand>({ type: 'Purge' }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('Cancel' as const), atMs }) },
    {
      weight: 1,
      arbitrary: fc.constant<RunCommand>({ type: 'FanOutFailed', error: anError({ code: 'fan_out_failed' }) }),
    },
    { weight: 1, arbitrary: fc.constant<RunCommand>({ type: 'GaveUp', error: anError({ code: 'too_large' }) }) },
  ),
  { maxLength: 40 },
)
/** Most sequences get beyond the plan. */
const someStory = fc.tuple(fc.nat(4), someCommands).map(([total, commands]): RunCommand[] => {
  const opening: RunCommand[] = [
    { type: 'Begin', step: 'plan', attempt: 1, atMs: nowMs },
    { type: 'Planned', total, seconds: 60 },
  ]
  return total === 0 ? commands : [...opening, ...commands]
})
const someLimits = fc.record({ window: fc.integer({ min: 1, max: 4 }), lostMax: fc.nat(2) })

test('whatever happens, an outcome stays until the file is deleted, and a deleted file stays deleted', (t) => {
  fc.assert(
    fc.property(someStory, someLimits, (commands, limits) => {
      let file = aRun({ phase: 'queued' })
      for (const command of commands) {
        const next = decide(file, [command], limits).state
        if (file.progress.phase === 'gone') t.is(next, file)
        if (file.progress.phase === 'finished' && next.progress.phase !== 'gone')
          t.deepEqual({ ...next.progress, chunks: undefined }, { ...file.progress, chunks: undefined })
        file = next
      }
    }),
  )
})

test('whatever happens, each chunk is in one set at most, none leaves it, and the total never changes', (t) => {
  fc.assert(
    fc.property(someStory, someLimits, (commands, limits) => {
      let file = aRun({ phase: 'queued' })
      for (const command of commands) {
        const before = chunksOf(file.progress)
        file = decide(file, [command], limits).state
        const now = chunksOf(file.progress)
        if (!now) continue
        t.is(now.total, before?.total ?? now.total)
        t.true(members(now.done).every((member) => !has(now.failed, member)))
        t.true(size(now.done) + size(now.failed) <= now.total)
        if (before) t.true(members(before.done).every((member) => has(now.done, member)))
        if (before) t.true(members(before.failed).every((member) => has(now.failed, member)))
        t.true(Object.keys(now.active).every((key) => missing(now.issued, now.done, now.failed).includes(Number(key))))
      }
    }),
  )
})

test('whatever happens, no more chunks are under way than the window allows', (t) => {
  fc.assert(
    fc.property(someStory, someLimits, (commands, limits) => {
      let file = aRun({ phase: 'queued' })
      for (const command of commands) {
        file = decide(file, [command], limits).state
        const chunks = chunksOf(file.progress)
        if (chunks) t.true(missing(chunks.issued, chunks.done, chunks.failed).length <= limits.window)
      }
    }),
  )
})

test('whatever happens, a file is put together only when all of its chunks have settled', (t) => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(someStory, someLimits, (commands, limits) => {
      let file = aRun({ phase: 'queued' })
      for (const command of commands) {
        file = decide(file, [command], limits).state
        seen.add(file.progress.phase)
        if (file.progress.phase !== 'assembling') continue
        const { total, done: heard, failed: lost } = file.progress.chunks
        t.is(size(heard) + size(lost), total)
      }
    }),
    // always the same stories, so that they always go everywhere
    { numRuns: 1000, seed: 1 },
  )
  const phases = ['queued', 'planning', 'waiting', 'running', 'assembling', 'finished', 'gone']
  t.deepEqual([...seen].sort(), phases.sort(), 'the stories do not go everywhere')
})

test('a command that comes again changes nothing and asks for everything that is owed', (t) => {
  const mayChange = (command: RunCommand): boolean => command.type === 'ChunksLost'
  const isNews = (command: RunCommand): boolean => command.type === 'ChunkStarted' || command.type === 'ChunkRetrying'
  const isOwed = ({ type }: FileEffect): boolean => type !== 'LookOnceMore'
  fc.assert(
    fc.property(someStory, someLimits, (commands, limits) => {
      let file = aRun({ phase: 'queued' })
      for (const command of commands) {
        file = decide(file, [command], limits).state
        if (mayChange(command)) continue
        const again = decide(file, [command], limits)
        t.is(again.state, file)
        if (isInHand(file, command)) t.deepEqual(again.effects, [])
        else if (!isNews(command)) t.deepEqual(again.effects.filter(isOwed), owedByRun(file.progress))
        if (!again.effects.every(isOwed)) t.is(command.type, 'Cancel')
      }
    }),
  )
})

/** Whoever begins to put a file together has the message of it: nothing is looked for. */
function isInHand({ progress }: RunState, command: RunCommand): boolean {
  if (command.type !== 'Begin' || command.step !== 'assemble') return false
  return progress.phase === 'assembling' && progress.attempt === command.attempt
}

test('what is committed survives being stored as JSON', (t) => {
  fc.assert(
    fc.property(someStory, someLimits, (commands, limits) => {
      const file = decide(aRun({ phase: 'queued' }), commands, limits).state
      t.deepEqual(JSON.parse(JSON.stringify(file)), file)
    }),
  )
})

test('any order and repetition of the same settlements, in whatever groups, gives the same record', (t) => {
  const settlements = fc.array(fc.tuple(fc.boolean(), atMs), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(settlements, fc.infiniteStream(fc.nat(1000)), (outcomes, chance) => {
      const reports = outcomes.map(([isDone, at], index): ChunkReport =>
        isDone ? done(index) : failed(index, { atMs: at }),
      )
      const limits = { window: reports.length, lostMax: 1 }
      const file = aRunningFile({ total: reports.length })
      const shuffled = [...reports, ...reports]
        .map((report) => ({ report, place: chance.next().value }))
        .sort((one, other) => one.place - other.place)
        .map(({ report }) => report)
      const inOrder = decide(file, reports, limits).state
      t.deepEqual(
        inGroups(file, shuffled, () => 1 + (chance.next().value % 4), limits),
        inOrder,
      )
      t.not(inOrder.progress.phase, 'running')
    }),
  )
})

function inGroups(
  file: RunState,
  reports: readonly RunCommand[],
  ...[sizeOf, limits]: [() => number, { window: number; lostMax: number }]
): RunState {
  let state = file
  for (let at = 0; at < reports.length;) {
    const count = sizeOf()
    state = decide(state, reports.slice(at, at + count), limits).state
    at += count
  }
  return state
}

test('in every phase that is not the end something is owed', (t) => {
  fc.assert(
    fc.property(someStory, someLimits, (commands, limits) => {
      const { progress }: { progress: RunProgress } = decide(aRun({ phase: 'queued' }), commands, limits).state
      t.true(owedByRun(progress).length > 0)
    }),
  )
})
