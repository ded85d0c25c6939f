import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'

import { membersKey, membersPerPage } from '../../actors/batch/state.ts'
import type { Member } from '../../actors/batch/state.ts'
import { add, emptySet } from '../../actors/bitset.ts'
import { runKey, transcriptKey } from '../../actors/ids.ts'
import type { BatchId, FileId, RunRef } from '../../actors/ids.ts'
import { newIds } from '../../infra/ids/new-ids.ts'
import { progressOn } from '../../infra/telemetry/progress.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { batchesIn, batchOf } from '../support/batches.ts'
import type { StoredBatches } from '../support/batches.ts'
import { aFile } from '../support/builders.ts'
import { aResult, progressOf } from '../support/file-stages.ts'
import { ownerOf } from '../support/service.ts'
import { startService } from './service.ts'
import type { BenchService } from './service.ts'
import { machine, percentile, printTable } from './table.ts'

const files = 10_000
const atOnce = 200
const submissions = 3
const statusPerSecond = 50
const statusSeconds = 20
const pages = 50
const sampleEveryMs = 50
const owner = ownerOf('bench')
const ids = newIds(systemClock)

/** The endpoints on a batch of 10,000 files: submitting it, watching it, reading it. Nothing is transcribed. */
export async function benchBatches(): Promise<void> {
  const service = await startService()
  try {
    const records = await batchesIn({ nats: service.nats, dataDir: service.folder })
    const fileIds = await uploadAll(records)
    printTable(`POST /transcribe/batch, ${files} files (${machine()})`, [
      await submitting(service, 'URLs', () => ({
        sources: Array.from({ length: files }, (_, at) => ({ url: `https://example.org/calls/${at}.mp3` })),
      })),
      await submitting(service, 'file_ids', () => ({ file_ids: fileIds })),
    ])
    const batchId = await transcribeAll(records, fileIds)
    printTable(`GET status at ${statusPerSecond} requests a second for ${statusSeconds} s`, [
      await watching(service, batchId),
    ])
    const queries = ['page=1', 'page=200', 'page=1&raw=true', 'page=400&raw=true', 'page=200&status=completed']
    const rows = []
    for (const query of queries) rows.push(await reading(service, batchId, query))
    printTable(`GET results, limit 50, ${pages} requests each`, rows)
    printTable('GET download', [
      await downloading(service, batchId, 'format=ndjson'),
      await downloading(service, batchId, 'format=json'),
      await downloading(service, batchId, 'format=ndjson&raw=true'),
    ])
  } finally {
    await service.stop()
  }
}

async function inGroups(title: string, run: (index: number) => Promise<unknown>): Promise<void> {
  const progress = progressOn(process.stderr)(title)
  for (let from = 0; from < files; from += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, at) => run(from + at)))
    progress.update((from + atOnce) / files)
  }
  progress.done()
}

async function uploadAll({ files: records }: StoredBatches): Promise<FileId[]> {
  const fileIds = Array.from({ length: files }, () => ids.nextFileId())
  await inGroups(`writing ${files} uploads`, (at) => {
    const fileId = fileIds[at]!
    return records.create(fileId, aFile('completed', { fileId, owner, durationSeconds: 60 }))
  })
  return fileIds
}

/** A batch as workers would leave it: each file a minute of speech in two chunks. */
async function transcribeAll(records: StoredBatches, fileIds: readonly FileId[]): Promise<BatchId> {
  const laid = fileIds.map(() => ({ stage: 'completed' as const }))
  const all = add(emptySet, ...fileIds.keys())
  const batch = { ...batchOf(owner, laid), batchId: ids.nextBatchId(), completed: all, started: all }
  const { batchId, settings, acceptedAtMs } = batch
  const member = (fileId: FileId): Member => ({
    fileId,
    filename: 'call.mp3',
    source: { type: 'upload', key: 'uploads/key' },
    estimatedSeconds: 60,
  })
  for (let from = 0; from < files; from += membersPerPage)
    await records.members.create(membersKey(batchId, from), {
      files: fileIds.slice(from, from + membersPerPage).map(member),
    })
  const transcript = Buffer.from(JSON.stringify({ result: aMinute(), chunks: [] }))
  const progress = progressOf({ stage: 'completed' })!
  await inGroups(`writing ${files} transcripts`, async (index) => {
    const ref: RunRef = { owner, batchId, fileId: fileIds[index]!, index }
    await records.runs.create(runKey(ref), { ...ref, ...member(ref.fileId), settings, acceptedAtMs, progress })
    await records.blobs.put(transcriptKey(ref), { bytes: transcript })
  })
  await records.batches.create(batchId, batch)
  return batchId
}

function aMinute(): ReturnType<typeof aResult> {
  const one = aResult('नमस्ते, यह एक छोटी सी बातचीत है')
  const [segment] = one.segments
  const words = Array.from({ length: 15 }, () => segment!.words[0]!)
  return { ...one, segments: Array.from({ length: 10 }, () => ({ ...segment!, words })) }
}

interface Watched<Result> {
  readonly result: Result
  readonly seconds: number
  readonly aboveIdleMb: number
}

async function watched<Result>(service: BenchService, run: () => Promise<Result>): Promise<Watched<Result>> {
  const idleMb = await service.memoryMb()
  let peakMb = idleMb
  const sampling = setInterval(
    () => void service.memoryMb().then((mb) => (peakMb = Math.max(peakMb, mb))),
    sampleEveryMs,
  )
  const startedMs = performance.now()
  const result = await run()
  clearInterval(sampling)
  return { result, seconds: (performance.now() - startedMs) / 1000, aboveIdleMb: peakMb - idleMb }
}

async function submitting(service: BenchService, what: string, body: () => object): Promise<Record<string, string>> {
  const seconds: number[] = []
  let aboveIdleMb = 0
  for (let round = 0; round < submissions; round += 1) {
    const once_ = await watched(service, async () => {
      const response = await fetch(`${service.url}/transcribe/batch`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body()),
      })
      const { total_jobs: total } = (await response.json()) as { total_jobs: number }
      if (total !== files) throw new Error(`${response.status}: ${total} jobs`)
    })
    seconds.push(once_.seconds)
    aboveIdleMb = Math.max(aboveIdleMb, once_.aboveIdleMb)
  }
  return {
    files: what,
    seconds: seconds.map((one) => one.toFixed(2)).join(', '),
    'memory above idle': `${Math.round(aboveIdleMb)} MB`,
  }
}

/** At a fixed pace, whether or not the last one was answered. */
async function watching(service: BenchService, batchId: BatchId): Promise<Record<string, string>> {
  const times: Promise<number>[] = []
  const startedMs = performance.now()
  for (let at = 0; at < statusPerSecond * statusSeconds; at += 1) {
    const dueMs = startedMs + (at * 1000) / statusPerSecond
    while (performance.now() < dueMs) await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()))
    times.push(timeOf(service, `/transcribe/status/batch/${batchId}`))
  }
  const ms = await Promise.all(times)
  return { requests: String(ms.length), ...percentilesOf(ms) }
}

async function reading(service: BenchService, batchId: BatchId, query: string): Promise<Record<string, string>> {
  const ms: number[] = []
  for (let at = 0; at < pages; at += 1)
    ms.push(await timeOf(service, `/transcribe/results/batch/${batchId}?limit=50&${query}`))
  return { query, ...percentilesOf(ms) }
}

async function timeOf(service: BenchService, path: string): Promise<number> {
  const startedMs = performance.now()
  const response = await fetch(service.url + path, { headers: { Authorization: `Bearer ${service.token}` } })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return performance.now() - startedMs
}

function percentilesOf(ms: readonly number[]): Record<string, string> {
  return { p50: `${percentile(ms, 0.5).toFixed(1)} ms`, p99: `${percentile(ms, 0.99).toFixed(1)} ms` }
}

async function downloading(service: BenchService, batchId: BatchId, query: string): Promise<Record<string, string>> {
  const { result, seconds, aboveIdleMb } = await watched(service, async () => {
    const request = get(`${service.url}/transcribe/download/batch/${batchId}?${query}`, {
      headers: { Authorization: `Bearer ${service.token}` },
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let bytes = 0
    for await (const part of response) bytes += (part as Buffer).length
    return bytes
  })
  return {
    query,
    size: `${(result / 1e6).toFixed(1)} MB`,
    seconds: seconds.toFixed(1),
    'memory above idle': `${Math.round(aboveIdleMb)} MB`,
  }
}
