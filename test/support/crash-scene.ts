import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { jetstreamManager } from '@nats-io/jetstream'

import type { FaultPoint } from '../../actors/fault-points.ts'
import { webhookStream, settledStream, workStreams } from '../../infra/nats/topology/queue-names.ts'
import { batchesIn } from './batches.ts'
import { eventually } from './eventually.ts'
import type { TestNats } from './nats.ts'
import { objectsIn } from './on-disk.ts'
import type { Pipeline, SubmittedBatch } from './pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from './scripted-speech.ts'
import { ownerOf } from './service.ts'

/** What workers are at when something happens to them, and how it must end. */

export const recordings = [
  {
    name: 'one.wav',
    content: aScriptedRecording([
      ...scriptedSeconds(4),
      { audio: 50, commands: [{ stage: 'transcribe', act: 'retryable', times: 1 }] },
    ]),
  },
  { name: 'two.wav', content: aScriptedRecording(scriptedSeconds(2, 100)) },
]
/** Each is cut, heard and put together at one go, unless that fails. */
export const shortRecordings = [
  { name: 'short.wav', content: aScriptedRecording(scriptedSeconds(1, 700)) },
  {
    name: 'flaky.wav',
    content: aScriptedRecording([{ audio: 800, commands: [{ stage: 'transcribe', act: 'retryable', times: 1 }] }]),
  },
]
/** Where who finishes a short file passes. */
export const shortPoints = [
  'step.after-begin',
  'plan.after-store',
  'chunk.after-start',
  'chunk.after-hearing',
  'chunk.after-result',
  'chunk.after-retry',
  'assemble.after-store',
  'plan.after-commit',
  'settle.after-effects',
] as const satisfies readonly FaultPoint[]
/** Smaller than what there is, so that files and chunks are issued bit by bit. */
export const narrow = {
  FILE_WINDOW: '2',
  BATCH_WINDOW: '1',
  QUOTA_FILES: '100',
  REMOTE_ALLOW_PRIVATE: '127.0.0.1',
  REMOTE_PORTS: '9',
  WEBHOOK_MAX_RETRIES: '0',
}
/** Somebody who is to be called at the end, and is not there. */
export const called = { callback_url: 'http://127.0.0.1:9/' }

/** Nobody knows of a batch whose messages were lost but the sweeper. */
export async function loseQueued(nats: TestNats): Promise<void> {
  const { streams } = await jetstreamManager(await nats.connect('thief'))
  for (const { name } of [settledStream, workStreams.files]) await streams.purge(name)
}

export const slow = aScriptedRecording([{ audio: 60, commands: [{ stage: 'transcribe', act: 'wait', ms: 6000 }] }])

interface Judge {
  is(actual: unknown, expected: unknown): unknown
  deepEqual(actual: unknown, expected: unknown): unknown
}

export async function endsAsItShould(t: Judge, pipeline: Pipeline, batch: SubmittedBatch): Promise<void> {
  await saysWhatWasSaid(t, batch, recordings)
  await leavesNothingOpen(t, pipeline, batch)
}

export async function saysWhatWasSaid(t: Judge, batch: SubmittedBatch, expected: typeof recordings): Promise<void> {
  const { files } = await batch.finished()
  t.deepEqual(
    files.map((file: { status: string; result: { text: string } }) => [file.status, file.result.text]),
    expected.map(({ content }) => ['completed', textsOf(content).join(' ')]),
  )
}

export async function leavesNothingOpen(t: Judge, pipeline: Pipeline, batch: SubmittedBatch): Promise<void> {
  t.is((await batch.status()).status, 'completed')
  const { quotas, open } = await batchesIn({ nats: pipeline.nats, dataDir: pipeline.dataDir })
  await eventually('the quota is given back and nothing is open', async () => {
    const reserved = (await quotas.read(ownerOf('asha')))?.value.reserved ?? {}
    return Object.keys(reserved).length === 0 && (await open.keys()).length === 0
  })
}

/** Nothing waits, nothing is in anybody's hands, and nothing is due later. */
export async function untilNothingIsToDo(nats: TestNats): Promise<void> {
  const connection = await nats.connect('looking at queues')
  const manager = await jetstreamManager(connection)
  const queues = [...Object.values(workStreams), webhookStream, settledStream]
  await eventually(
    'all queues are empty',
    async () => {
      const left = await Promise.all(queues.map(async ({ name }) => (await manager.streams.info(name)).state.messages))
      return left.every((messages) => messages === 0)
    },
    emptyWithinMs,
  )
  await connection.close()
}

const emptyWithinMs = 120_000

/** What storage holds of a batch, byte for byte. */
export async function storedObjects(
  { dataDir }: Pipeline,
  { batchId }: SubmittedBatch,
): Promise<(readonly [string, string])[]> {
  const paths = (await objectsIn(dataDir)).filter((path) => path.includes(batchId)).sort()
  return Promise.all(paths.map(async (path) => [path, sha256(await readFile(path))] as const))
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
