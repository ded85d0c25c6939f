import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { buckets } from '../../infra/nats/topology/topology.ts'
import { apiAt, uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { brokerMessageKinds, tapBroker } from '../support/broker-tap.ts'
import type { BrokerTap } from '../support/broker-tap.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { startService } from './service.ts'
import type { BenchService } from './service.ts'
import { machine, printTable } from './table.ts'
import { addWorker } from './worker.ts'
import type { BenchWorker } from './worker.ts'

const scripted = { RECOGNISER: 'scripted' }
/** Both are longer than what is under way of one file at a time: what they differ by is cost of chunks alone. */
const longFiles = [40, 120] as const
const conflictChunks = 400
const conflictWorkers = [1, 3, 8]
const idleWorkers = [0, 1, 2]
const settlesMs = 8_000
const idleMs = 20_000
/** What is said after the end of a batch. */
const restMs = 500

/** What the pipeline asks of its broker: for a file, for a chunk, when there is nothing to do, and how often in vain. */
export async function cost(words: readonly string[]): Promise<void> {
  const parts: Readonly<Record<string, () => Promise<void>>> = { work, idle, conflicts }
  const { values } = parseArgs({
    args: [...words],
    options: { parts: { type: 'string', default: Object.keys(parts).join(',') } },
  })
  const chosen = values.parts.split(',').map((name) => parts[name])
  if (!chosen.every((part) => part !== undefined))
    throw new Error(`Usage: npm run bench -- cost [--parts ${Object.keys(parts).join(',')}]`)
  for (const part of chosen) await part()
}

interface CostScene {
  readonly service: BenchService
  readonly api: Api
  readonly tap: BrokerTap
}

async function inScene(measure: (scene: CostScene) => Promise<void>): Promise<void> {
  const service = await startService()
  const tap = await tapBroker(await service.nats.connect('tap'))
  try {
    await measure({ service, api: apiAt(service.url, service.token), tap })
  } finally {
    tap.close()
    await service.stop()
  }
}

/** From when a batch of one file is accepted until it is closed: what its workers ask, and what they are told. */
async function work(): Promise<void> {
  await inScene(async (scene) => {
    const worker = await addWorker(scene.service, scripted)
    const costOf = async (chunks: number): Promise<Costs> => {
      await transcribe(scene, { chunks, workers: [worker] })
      return costsIn(scene.tap)
    }
    await costOf(1)
    const file = await costOf(1)
    const [shorter, longer] = [await costOf(longFiles[0]), await costOf(longFiles[1])]
    await worker.stop()
    const chunks = longFiles[1] - longFiles[0]
    const rows = Object.entries(file).map(([kind, ofFile]) => ({
      kind,
      'a file of one chunk': ofFile,
      'a chunk of a long file': (((longer[kind] ?? 0) - (shorter[kind] ?? 0)) / chunks).toFixed(2),
    }))
    printTable(`What is asked of the broker, one worker (${machine()})`, rows)
  })
}

type Costs = Readonly<Record<string, number>>

function costsIn(tap: BrokerTap): Costs {
  const kinds = Object.fromEntries(brokerMessageKinds.map((kind) => [kind, tap.count(kind)]))
  return { ...kinds, 'durable writes': tap.durableWrites(), 'requests in all': tap.requests() }
}

/** What is sent while there is nothing to do. */
async function idle(): Promise<void> {
  const rows: Record<string, string | number>[] = []
  await inScene(async ({ service, tap }) => {
    const workers: BenchWorker[] = []
    for (const count of idleWorkers) {
      while (workers.length < count) workers.push(await addWorker(service, scripted))
      await pause(settlesMs)
      tap.reset()
      await pause(idleMs)
      const seen = brokerMessageKinds.filter((kind) => tap.count(kind) > 0)
      const perSecond = (messages: number): string => ((messages * 1000) / idleMs).toFixed(1)
      rows.push({
        workers: count,
        'messages a second': perSecond(tap.total()),
        of: seen.map((kind) => `${kind} ${perSecond(tap.count(kind))}`).join(', '),
      })
    }
    await Promise.all(workers.map((worker) => worker.stop()))
  })
  printTable(`Nothing to do: a broker, a gateway and workers (${machine()})`, rows)
}

/** How many writes of one file's record somebody else came before. */
async function conflicts(): Promise<void> {
  const rows: Record<string, string | number>[] = []
  for (const count of conflictWorkers)
    await inScene(async (scene) => {
      const workers: BenchWorker[] = []
      while (workers.length < count) workers.push(await addWorker(scene.service, scripted))
      const seconds = await transcribe(scene, { chunks: conflictChunks, workers: [] })
      const { writes, conflicts: lost } = scene.tap.writesTo(buckets.runs)
      await Promise.all(workers.map((worker) => worker.stop()))
      rows.push({
        workers: count,
        'writes of its record': writes,
        'in vain': `${((100 * lost) / writes).toFixed(1)} %`,
        'chunks a second': (conflictChunks / seconds).toFixed(0),
      })
    })
  printTable(`One file of ${conflictChunks} chunks, nothing heard (${machine()})`, rows)
}

/** How many seconds it takes. Workers stand still while it is submitted: what a submission costs is not counted. */
async function transcribe(
  { api, tap }: CostScene,
  { chunks, workers }: { readonly chunks: number; readonly workers: readonly BenchWorker[] },
): Promise<number> {
  const content = aScriptedRecording(scriptedSeconds(chunks))
  const { body } = await api.post('/files/upload', { body: uploadForm({ name: 'long.wav', content }) })
  while ((await api.get(`/files/upload/${body.batch_upload_id}`)).body.status !== 'completed') await pause(20)
  await pause(restMs)
  await Promise.all(workers.map((worker) => worker.pause()))
  await api.post('/transcribe/batch', { json: { batch_upload_id: body.batch_upload_id } })
  tap.reset()
  const startedMs = performance.now()
  for (const worker of workers) worker.resume()
  // the last thing that a batch does; asking for its status would be counted
  while (!tap.erased.includes(`KV_${buckets.open}`)) await pause(20)
  const seconds = (performance.now() - startedMs) / 1000
  await pause(restMs)
  return seconds
}
