import test from 'ava'

import { away } from '../../actors/failure.ts'
import { runKey } from '../../actors/ids.ts'
import type { Purge } from '../../actors/purge/state.ts'
import { runActor } from '../../actors/run/actor.ts'
import { decide } from '../../actors/run/decide.ts'
import type { RunPorts, RunWork } from '../../actors/run/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { aRun, aRunningFile, anError, bits, someChunks } from '../support/batch-builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'

const options = { window: 4, lostMax: 3, saveAudio: true }

/** Queues as the broker has them: the same id is stored once, also when its message is gone. */
function aScene(file: RunState) {
  const clock = aManualClock()
  const known = new Set<string>()
  const waiting: RunWork[] = []
  const runs = memoryRecords<RunState>()
  const ports: RunPorts = {
    runs,
    fileQueue: {
      enqueue: async (work, { id }) => {
        if (!known.has(id)) waiting.push(work)
        known.add(id)
      },
      outstanding: async () => waiting,
    },
    chunkQueue: { enqueue: async () => undefined, outstanding: async () => [] },
    reports: { toFile: async () => undefined, toBatch: async () => undefined },
    purges: memoryRecords<Purge>(),
    blobs: aMemoryStorage().blobs,
    clock,
    faults: noFaults,
    beginInquiries: async () => undefined,
  }
  return { ports, clock, waiting, start: () => runs.create(runKey(file), file), run: runActor({ ports, options }) }
}

test('a step whose message vanished is enqueued again while the broker still knows its id', async (t) => {
  const file = aRunningFile({ total: 2, done: bits(0) })
  const { run, waiting, clock, start } = aScene(file)
  await start()
  await run.tell(file, [{ type: 'ChunkDone', chunk: 1, atMs: 0 }])
  t.deepEqual(
    waiting.map(({ step }) => step),
    ['assemble'],
  )
  waiting.length = 0
  clock.advance(4_000)
  await run.tell(file, [{ type: 'Wake' }])
  t.deepEqual(
    waiting.map(({ step }) => step),
    ['assemble'],
  )
  await run.tell(file, [{ type: 'Wake' }])
  t.is(waiting.length, 1)
})

test('when the message of a plan vanished, who had it may have it still: its run looks once more later', async (t) => {
  const file = aRun({ phase: 'planning', attempt: 1, sinceMs: 0 })
  const records = memoryRecords<RunState>()
  const purges = memoryRecords<Purge>()
  const { ports, waiting } = aScene(file)
  await records.create(runKey(file), file)
  const run = runActor({ ports: { ...ports, runs: records, purges }, options: { ...options, saveAudio: false } })
  await run.tell(file, [{ type: 'Wake' }])
  t.deepEqual(
    waiting.map(({ step }) => step),
    ['plan'],
  )
  t.deepEqual(await purges.keys(), [runKey(file)])
})

test('its batch is not told that it is done before what is wanted after it has begun, and one that failed begins nothing', async (t) => {
  const assembling = { phase: 'assembling', attempt: 1, chunks: someChunks({ total: 1, done: bits(0) }) } as const
  const plain = aRun(assembling)
  const file: RunState = { ...plain, settings: { ...plain.settings, after: ['summary'] } }
  const { ports, start } = aScene(file)
  await start()
  const told: string[] = []
  let isAway = true
  const run = runActor({
    ports: {
      ...ports,
      async beginInquiries({ progress }) {
        told.push(`begins when ${progress.phase}`)
        if (isAway) throw away('storage_unavailable', 'gone')
      },
      reports: { ...ports.reports, toBatch: async () => void told.push('batch') },
    },
    options,
  })
  const assembled = { type: 'Assembled', atMs: 1 } as const
  await t.throwsAsync(run.tell(file, [assembled]))
  isAway = false
  await run.tell(file, [assembled])
  t.deepEqual(told, ['begins when finished', 'begins when finished', 'batch'])
  const failed = decide(file, [{ type: 'StepFailed', step: 'assemble', attempt: 1, error: anError() }], options)
  t.deepEqual(
    failed.effects.map(({ type }) => type),
    ['RemoveParts', 'TellBatch'],
  )
})
