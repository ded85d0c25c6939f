import test from 'ava'
import * as fc from 'fast-check'

import { decide } from '../../actors/batch/decide.ts'
import type { BatchCommand, BatchEffect, FileReport } from '../../actors/batch/protocol.ts'
import { countsOf, settledOf, statusOf, underWayOf } from '../../actors/batch/state.ts'
import type { BatchState, BatchStatus } from '../../actors/batch/state.ts'
import { has, members, size } from '../../actors/bitset.ts'
import { aBatch, bits, moved, nowMs } from '../support/batch-builders.ts'

const limits = { window: 2 }
const wake: BatchCommand = { type: 'Wake' }
const decided = (batch: BatchState, ...commands: BatchCommand[]): ReturnType<typeof decide> =>
  decide(batch, commands, limits)

test('a batch hands out as many files as its window has', (t) => {
  const { state, effects } = decided(aBatch({ total: 5, issued: 0 }), wake)
  t.is(state.issued, 2)
  t.deepEqual(effects, [{ type: 'IssueFiles', indexes: [0, 1] }])
})

test('a file that settles makes room for the next one', (t) => {
  const { state, effects } = decided(aBatch({ total: 5, issued: 2 }), moved(1, 'completed'))
  t.is(state.issued, 3)
  t.deepEqual(effects, [{ type: 'IssueFiles', indexes: [2] }])
})

test('a batch that is woken asks again for every file that is under way', (t) => {
  const batch = aBatch({ total: 5, issued: 3, completed: bits(1) })
  t.deepEqual(decided(batch, wake), { state: batch, effects: [{ type: 'IssueFiles', indexes: [0, 2] }] })
})

test('when the last file settles the batch is finished, at that time, and closed', (t) => {
  const { state, effects } = decided(aBatch({ total: 2, completed: bits(0) }), moved(1, 'failed', { atMs: nowMs + 7 }))
  t.is(state.finishedAtMs, nowMs + 7)
  t.deepEqual(effects, [{ type: 'List' }, { type: 'Close' }])
})

test('a batch whose user wants to be called owes the call before it is closed, and again when it is asked', (t) => {
  const batch = aBatch({ total: 1, callbackUrl: 'https://example.org/' })
  const { state, effects } = decided(batch, moved(0, 'completed'))
  t.deepEqual(effects, [{ type: 'List' }, { type: 'Announce' }, { type: 'Close' }])
  t.deepEqual(decided(state, wake).effects, effects)
})

test('a finished batch that is told the same again closes again', (t) => {
  const { state } = decided(aBatch({ total: 1 }), moved(0, 'completed'))
  t.deepEqual(decided(state, moved(0, 'completed')), { state, effects: [{ type: 'List' }, { type: 'Close' }] })
})

test('a batch that has ended closes again when its only file is deleted: who ended it may have died before that', (t) => {
  const ended = aBatch({ total: 1, completed: bits(0), finishedAtMs: nowMs, callbackUrl: 'https://example.org/' })
  const { state, effects } = decided(ended, moved(0, 'gone'))
  const end = [{ type: 'List' }, { type: 'Announce' }, { type: 'Close' }] as const
  t.deepEqual(effects, [{ type: 'ForgetMembers', indexes: [0] }, ...end])
  t.is(state.finishedAtMs, nowMs)
  t.deepEqual(decided(ended, moved(0, 'started')).effects, [])
})

test('the first outcome of a file stays; only deletion comes after it', (t) => {
  const { state } = decided(aBatch({ total: 2 }), moved(0, 'partial', { seconds: 5 }))
  for (const standing of ['started', 'completed', 'partial', 'failed'] as const)
    t.is(decided(state, moved(0, standing, { seconds: 5 })).state, state)
  const gone = decided(state, moved(0, 'gone'))
  t.deepEqual([gone.state.partial, gone.state.gone, gone.state.settledSeconds], [bits(0), bits(0), 5])
  t.deepEqual(gone.effects, [{ type: 'ForgetMembers', indexes: [0] }])
})

test('a file that was deleted settles its batch, and its name is forgotten', (t) => {
  const { state, effects } = decided(aBatch({ total: 1 }), moved(0, 'gone'))
  t.not(state.finishedAtMs, undefined)
  t.deepEqual(effects, [{ type: 'ForgetMembers', indexes: [0] }, { type: 'List' }, { type: 'Close' }])
})

test('deleted files are no longer counted anywhere', (t) => {
  const batch = aBatch({ total: 4, completed: bits(0, 1), failed: bits(2), gone: bits(1, 2) })
  t.deepEqual(countsOf(batch), { total: 2, completed: 1, partial: 0, failed: 0 })
})

test('that a file has begun is told once: saying it again wakes nobody', (t) => {
  const { state, effects } = decided(aBatch({ total: 2 }), moved(0, 'started'))
  t.deepEqual(effects, [])
  t.deepEqual(decided(state, moved(0, 'started')), { state, effects: [] })
})

test('the number of chunks of a file is written once, when it is known', (t) => {
  const batch = aBatch({ total: 3 })
  const { state } = decided(
    batch,
    moved(2, 'started'),
    moved(2, 'started', { chunks: 7 }),
    moved(2, 'failed', { chunks: 9 }),
  )
  t.deepEqual(state.chunks, [0, 0, 7])
})

test('a report about a file that was not handed out counts for nothing, unless it was deleted', (t) => {
  const batch = aBatch({ total: 4, issued: 2 })
  for (const index of [2, 3, 4, 99]) t.is(decided(batch, moved(index, 'completed')).state, batch)
  t.is(decided(batch, moved(4, 'gone')).state, batch)
})

test('a file that is deleted before its turn is not handed out, and the next one takes its place', (t) => {
  const { state, effects } = decided(aBatch({ total: 5, issued: 2 }), moved(2, 'gone'), moved(3, 'gone'))
  t.deepEqual([state.gone, state.issued], [bits(2, 3), 2])
  t.deepEqual(effects, [{ type: 'ForgetMembers', indexes: [2, 3] }])
  const next = decided(state, moved(0, 'completed'))
  t.is(next.state.issued, 5)
  t.deepEqual(next.effects, [{ type: 'IssueFiles', indexes: [4] }])
})

test('a batch of which all other files were deleted before their turn ends with the last one', (t) => {
  const { state } = decided(aBatch({ total: 4, issued: 2, completed: bits(0) }), moved(2, 'gone'), moved(3, 'gone'))
  t.is(state.finishedAtMs, undefined)
  const { state: ended, effects } = decided(state, moved(1, 'completed'))
  t.is(statusOf(ended), 'completed')
  t.deepEqual(effects, [{ type: 'List' }, { type: 'Close' }])
})

test('a batch all of whose files are deleted before anything was handed out is finished', (t) => {
  const { state, effects } = decided(aBatch({ total: 2, issued: 0 }), moved(0, 'gone'), moved(1, 'gone'))
  t.not(state.finishedAtMs, undefined)
  t.deepEqual(effects, [{ type: 'ForgetMembers', indexes: [0, 1] }, { type: 'List' }, { type: 'Close' }])
})

test('that a file was deleted does not say that its batch has begun', (t) => {
  t.is(statusOf(decided(aBatch({ total: 3, issued: 2 }), moved(2, 'gone')).state), 'queued')
})

const statuses: readonly [Partial<BatchState>, BatchStatus][] = [
  [{}, 'queued'],
  [{ started: bits(0) }, 'processing'],
  [{ started: bits(0), completed: bits(0) }, 'processing'],
  [{ completed: bits(0, 1, 2) }, 'completed'],
  [{ completed: bits(0, 1), partial: bits(2) }, 'partial'],
  [{ completed: bits(0, 1), failed: bits(2) }, 'partial'],
  [{ failed: bits(0, 1, 2) }, 'failed'],
  [{ failed: bits(0, 1), gone: bits(2) }, 'failed'],
  [{ completed: bits(0), failed: bits(1), gone: bits(1, 2) }, 'completed'],
  [{ gone: bits(0, 1, 2) }, 'completed'],
]

for (const [batch, status] of statuses)
  test(`a batch of three with ${JSON.stringify(batch)} is ${status}`, (t) => {
    t.is(statusOf(aBatch({ total: 3, ...batch })), status)
  })

const outcomes = ['completed', 'partial', 'failed'] as const
const someReport: fc.Arbitrary<FileReport> = fc
  .tuple(fc.nat(6), fc.constantFrom('started', ...outcomes, 'gone'), fc.nat(3))
  .map(([index, standing, chunks]) => moved(index, standing, { chunks, seconds: 10 }))
const someCommands = fc.array(fc.oneof(someReport, fc.constant(wake)), { maxLength: 40 })
const someWindow = fc.record({ window: fc.integer({ min: 1, max: 4 }) })

test('whatever happens, a batch takes nothing back, counts each file once and keeps to its window', (t) => {
  fc.assert(
    fc.property(someCommands, someWindow, (commands, input) => {
      let batch = aBatch({ total: 5, issued: 0 })
      for (const command of commands) {
        const next = decide(batch, [command], input).state
        t.true(underWayOf(next).length <= input.window)
        t.true(next.issued >= batch.issued && next.issued <= 5)
        t.true(outcomes.reduce((sum, outcome) => sum + size(next[outcome]), 0) <= 5)
        for (const set of [...outcomes, 'gone', 'started'] as const)
          t.true(members(batch[set]).every((member) => has(next[set], member)))
        t.is(next.finishedAtMs !== undefined, size(settledOf(next)) === 5)
        if (batch.finishedAtMs !== undefined) t.is(next.finishedAtMs, batch.finishedAtMs)
        batch = next
      }
    }),
  )
})

const withoutWhy = (effect: BatchEffect): BatchEffect =>
  effect.type === 'IssueFiles' ? { type: effect.type, indexes: effect.indexes } : effect

test('what is said to a batch once more is no reason for files that are under way to look for their messages', (t) => {
  const batch = aBatch({ total: 5, issued: 3, completed: bits(1) })
  const { effects } = decided(batch, moved(1, 'completed'))
  t.deepEqual(effects, [{ type: 'IssueFiles', indexes: [0, 2], isSaidAgain: true }])
  t.deepEqual(decided(batch, moved(1, 'completed'), wake).effects, [{ type: 'IssueFiles', indexes: [0, 2] }])
})

test('a command that comes again changes nothing and asks for everything that is owed', (t) => {
  fc.assert(
    fc.property(someCommands, someWindow, (commands, input) => {
      let batch = decide(aBatch({ total: 5, issued: 0 }), [wake], input).state
      for (const command of commands) {
        batch = decide(batch, [command], input).state
        const again = decide(batch, [command], input)
        t.is(again.state, batch)
        if (command.type === 'Wake' || command.standing !== 'started')
          t.deepEqual(again.effects.map(withoutWhy), decide(batch, [wake], input).effects)
      }
    }),
  )
})

test('any order and repetition of the same outcomes gives the same counts', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.nat(1000)),
      (standings, chance) => {
        const reports = standings.map((standing, index) => moved(index, standing, { chunks: index, seconds: 1 }))
        const shuffled = [...reports, ...reports]
          .map((report) => ({ report, place: chance.next().value }))
          .sort((one, other) => one.place - other.place)
          .map(({ report }) => report)
        const batch = aBatch({ total: standings.length })
        const inOrder = decided(batch, ...reports).state
        t.deepEqual(
          shuffled.reduce((state, report) => decided(state, report).state, batch),
          inOrder,
        )
        t.not(inOrder.finishedAtMs, undefined)
      },
    ),
  )
})
