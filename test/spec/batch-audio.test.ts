import test from 'ava'
import * as fc from 'fast-check'

import { decide as decideBatch } from '../../actors/batch/decide.ts'
import { queueOf, secondsUntilDone } from '../../actors/batch/estimate.ts'
import type { OpenWork } from '../../actors/batch/estimate.ts'
import { audioSecondsOf, unsettledOf } from '../../actors/batch/state.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { missing } from '../../actors/bitset.ts'
import { decide as decideFile } from '../../actors/run/decide.ts'
import type { RunCommand } from '../../actors/run/protocol.ts'
import { chunksOf, standingOf } from '../../actors/run/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import { aBatch, aRun, aRunningFile, bits, done, failed, moved, nowMs, someChunks } from '../support/batch-builders.ts'
import { aBatchId, anOwner } from '../support/builders.ts'

const settle = (batch: BatchState, ...reports: readonly ReturnType<typeof moved>[]): BatchState =>
  decideBatch(batch, reports, { window: 100 }).state

test('what is left is what the headers of the files tell that have not settled', (t) => {
  const batch = aBatch({ total: 3, estimatedSeconds: 60 })
  t.deepEqual(audioSecondsOf(batch), { seconds: 60, left: 60 })
  const after = settle(batch, moved(0, 'completed', { seconds: 20, estimatedSeconds: 20 }))
  t.deepEqual(audioSecondsOf(after), { seconds: 60, left: 40 })
})

test('the chunks of a file under way count one by one, as long as the recording is and not as its header tells', (t) => {
  const batch = aBatch({ total: 1, estimatedSeconds: 10 })
  const cut = { ...aRunningFile({ total: 4, seconds: 80 }), estimatedSeconds: 10 }
  t.deepEqual(audioSecondsOf(batch, [cut]), { seconds: 80, left: 80 })
  const half = aRunningFile({ total: 4, seconds: 80, done: bits(0), failed: bits(2) })
  t.deepEqual(audioSecondsOf(batch, [half]), { seconds: 80, left: 40 })
})

test('nothing is left to hear of a file that is only put together', (t) => {
  const chunks = someChunks({ total: 2, seconds: 900, done: bits(0, 1) })
  const run = aRun({ phase: 'assembling', attempt: 1, chunks })
  t.deepEqual(audioSecondsOf(aBatch({ total: 1 }), [run]), { seconds: 900, left: 0 })
})

test('where headers tell too little, files that are not cut yet are taken to be like those that are', (t) => {
  const batch = aBatch({ total: 3, estimatedSeconds: 180 })
  const run = { ...aRunningFile({ total: 1, seconds: 600 }), estimatedSeconds: 60 }
  t.is(audioSecondsOf(batch, [run]).left, 600 + 1200)
  const after = settle(batch, moved(0, 'completed', { seconds: 600, estimatedSeconds: 60 }))
  t.is(audioSecondsOf(after).left, 1200)
})

for (const standing of ['failed', 'gone'] as const)
  test(`a file that is ${standing} before it is cut counts no more, whatever its header told`, (t) => {
    const batch = aBatch({ total: 2, estimatedSeconds: 1010 })
    const after = settle(batch, moved(0, standing, { estimatedSeconds: 1000 }))
    t.deepEqual(audioSecondsOf(after), { seconds: 10, left: 10 })
    t.deepEqual(settle(after, moved(0, 'gone', { estimatedSeconds: 1000 })).estimatedSeconds, 10, 'once')
  })

test('nothing is left of a batch that is settled, and its sound is what was heard', (t) => {
  const batch = aBatch({ total: 1, estimatedSeconds: 600 })
  const after = settle(batch, moved(0, 'completed', { seconds: 20, estimatedSeconds: 600 }))
  t.deepEqual(audioSecondsOf(after), { seconds: 20, left: 0 })
})

/** A batch, its files, and in which order they are cut and their chunks settle. */
interface Course {
  readonly files: readonly { readonly header: number; readonly seconds: number; readonly chunks: number }[]
  readonly others: readonly number[]
  readonly order: readonly number[]
}

const course: fc.Arbitrary<Course> = fc.record({
  files: fc.array(
    fc.record({
      header: fc.integer({ min: 1, max: 4000 }),
      seconds: fc.integer({ min: 1, max: 4000 }),
      chunks: fc.integer({ min: 1, max: 6 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  others: fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 3 }),
  order: fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 }),
})

interface Scene {
  readonly batch: BatchState
  readonly runs: readonly RunState[]
}

/** One command to one file, and what its batch is told of it. */
function tell({ batch, runs }: Scene, index: number, command: RunCommand): Scene {
  const run = decideFile(runs[index]!, [command], { window: 100, lostMax: 1 }).state
  const chunks = chunksOf(run.progress)
  const report = moved(index, standingOf(run.progress), {
    chunks: chunks?.total ?? 0,
    seconds: chunks?.seconds ?? 0,
    estimatedSeconds: run.estimatedSeconds,
  })
  return { batch: settle(batch, report), runs: runs.with(index, run) }
}

function nextCommand({ progress }: RunState, { seconds, chunks }: Course['files'][number], pick: number): RunCommand {
  if (progress.phase === 'planning') return { type: 'Planned', total: chunks, seconds }
  if (progress.phase === 'assembling') return { type: 'Assembled', atMs: nowMs }
  if (progress.phase !== 'running') throw new Error(progress.phase)
  const open = missing(progress.chunks.total, progress.chunks.done, progress.chunks.failed)
  const chunk = open[pick % open.length]!
  return pick % 5 === 0 ? failed(chunk) : done(chunk)
}

function estimateOf({ batch, runs }: Scene, others: readonly number[]): number {
  const { owner, batchId } = batch
  const mine: OpenWork = {
    owner,
    batchId,
    files: unsettledOf(batch),
    seconds: audioSecondsOf(batch, underWay(runs)).left,
  }
  const works = others.map((seconds) => ({ owner: anOwner(`b${seconds}`), batchId: aBatchId(), files: 1, seconds }))
  return secondsUntilDone(queueOf([...works, mine], { workers: 1, heardPerSecond: 3 }), mine)
}

const underWay = (runs: readonly RunState[]): RunState[] => runs.filter(({ progress }) => progress.phase !== 'finished')

test('with workers of the same speed, what settles never makes a batch take longer, and what has ended takes no time', (t) => {
  const tolerance = 1e-6
  const falls = fc.property(course, ({ files, others, order }) => {
    let scene: Scene = {
      batch: aBatch({ total: files.length, estimatedSeconds: files.reduce((sum, { header }) => sum + header, 0) }),
      runs: files.map(({ header }, index) => ({
        ...aRun({ phase: 'planning', attempt: 1, sinceMs: nowMs }),
        index,
        estimatedSeconds: header,
      })),
    }
    for (let step = 0; unsettledOf(scene.batch) > 0; step += 1) {
      const pick = order[step % order.length]!
      const open = underWay(scene.runs)
      const { index } = open[pick % open.length]!
      const command = nextCommand(scene.runs[index]!, files[index]!, pick)
      const before = estimateOf(scene, others)
      scene = tell(scene, index, command)
      if (command.type !== 'Planned' && estimateOf(scene, others) > before + tolerance) return false
    }
    return estimateOf(scene, others) === 0
  })
  t.notThrows(() => fc.assert(falls))
})
