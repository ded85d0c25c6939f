import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import type { SpeechEngine } from '../../infra/speech/engine/engine.ts'
import { openEngine } from '../../infra/speech/engine/open-engine.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import { apiAt, uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { speechFixtures } from '../support/recordings.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { writeWav } from '../support/wav-file.ts'
import { benchPlaces } from './places.ts'
import { startService } from './service.ts'
import type { BenchService } from './service.ts'
import { machine, printTable } from './table.ts'
import { addWorker } from './worker.ts'

const recordings = 4
const rounds = 3
const recordingSeconds = 300
const settings = { profile: 'fast', language: 'hi' } as const
const warmFiles = 200
const countedFiles = 800
const waiting = [100, 100_000]
const filesInBatch = 10_000

/** What the pipeline costs on top of hearing, and whether it costs more when much is waiting. */
export async function pipeline(words: readonly string[]): Promise<void> {
  const parts: Readonly<Record<string, () => Promise<void>>> = { efficiency, growth }
  const { values } = parseArgs({
    args: [...words],
    options: { parts: { type: 'string', default: 'efficiency,growth' } },
  })
  const chosen = values.parts.split(',').map((name) => parts[name])
  if (!chosen.every((part) => part !== undefined))
    throw new Error(`Usage: npm run bench -- pipeline [--parts ${Object.keys(parts).join(',')}]`)
  for (const part of chosen) await part()
}

/** The same recordings by the engine alone and through the whole system, each with its models open, in turns. */
async function efficiency(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  const service = await startService()
  const workers = [await addWorker(service, {})]
  const engine = await anEngine()
  try {
    const paths = await writeRecordings(folder)
    const system = await theSystem(apiOf(service), paths)
    const alone = (): Promise<number> => byEngine(engine, paths)
    const first = await inTurns(alone, system)
    workers.push(await addWorker(service, {}))
    const second = await inTurns(alone, system)
    const engineSeconds = Math.min(first.alone, second.alone)
    const row = (what: string, seconds: number): Record<string, string> => ({
      'heard by': what,
      seconds: seconds.toFixed(1),
      '× real time': ((recordings * recordingSeconds) / seconds).toFixed(1),
      'against the engine': (engineSeconds / seconds).toFixed(2),
    })
    const best = `the best of ${rounds} rounds in turns`
    printTable(`${recordings} recordings of ${recordingSeconds} s, profile fast, Hindi, ${best} (${machine()})`, [
      row('the engine alone', engineSeconds),
      row('gateway, broker, one worker', first.system),
      row('gateway, broker, two workers', second.system),
    ])
  } finally {
    await engine.close()
    await Promise.all(workers.map((worker) => worker.stop()))
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The first round of each opens models and does not count. */
async function inTurns(
  alone: () => Promise<number>,
  system: () => Promise<number>,
): Promise<{ alone: number; system: number }> {
  const seconds: { alone: number; system: number }[] = []
  for (let round = 0; round <= rounds; round += 1) seconds.push({ alone: await alone(), system: await system() })
  const counted = seconds.slice(1)
  return {
    alone: Math.min(...counted.map((one) => one.alone)),
    system: Math.min(...counted.map((one) => one.system)),
  }
}

async function writeRecordings(folder: string): Promise<string[]> {
  const clips = await speechFixtures()
  const samples = new Float32Array(recordingSeconds * 16_000)
  for (let at = 0, clip = 0; at < samples.length; clip += 1) {
    const audio = clips[clip % clips.length]!.samples
    samples.set(audio.subarray(0, samples.length - at), at)
    at += audio.length + 8_000
  }
  return Promise.all(Array.from({ length: recordings }, (_, at) => writeWav(join(folder, `${at}.wav`), samples)))
}

async function anEngine(): Promise<SpeechEngine> {
  return openEngine({
    ...benchPlaces(),
    profile: settings.profile,
    startProgress: noProgress,
  })
}

/** All at once, as it is fastest. */
async function byEngine(engine: SpeechEngine, paths: readonly string[]): Promise<number> {
  const options = { language: settings.language, script: 'native', channels: 'mix', speechInformation: true } as const
  const startedMs = performance.now()
  await Promise.all(paths.map((path) => engine.transcribe(path, options)))
  return (performance.now() - startedMs) / 1000
}

/** A run is from the moment of submission to the moment when everything can be read. */
async function theSystem(api: Api, paths: readonly string[]): Promise<() => Promise<number>> {
  const parts = await Promise.all(
    paths.map(async (path, at) => ({ name: `${at}.wav`, content: new Uint8Array(await readFile(path)) })),
  )
  const { body } = await api.post('/files/upload', { body: uploadForm(...parts) })
  while ((await api.get(`/files/upload/${body.batch_upload_id}`)).body.status !== 'completed') await pause(50)
  const order = { json: { batch_upload_id: body.batch_upload_id, ...settings } }
  return async () => {
    const startedMs = performance.now()
    const accepted = await api.post('/transcribe/batch', order)
    const status = `/transcribe/status/batch/${accepted.body.batch_id}`
    // asked seldom: answers take from the same cores
    while ((await api.get(status)).body.status !== 'completed') await pause(250)
    return (performance.now() - startedMs) / 1000
  }
}

/** What a file costs when little and when much is waiting. Nothing is heard: only the pipeline's own work counts. */
async function growth(): Promise<void> {
  const site = await serveRecording()
  const { port } = site.address() as AddressInfo // as: it listens on TCP
  const near = { REMOTE_ALLOW_PRIVATE: '127.0.0.0/8', REMOTE_PORTS: String(port), QUEUE_MAX_FILES: '1000000' }
  const rows = []
  for (const depth of waiting) {
    const service = await startService(near)
    const api = apiOf(service)
    // a URL that is given twice in one request is one file
    const urlOf = (at: number): string => `http://127.0.0.1:${port}/one.wav?${at}`
    const batchIds: string[] = []
    for (let left = depth + warmFiles + countedFiles; left > 0; left -= filesInBatch) {
      const sources = Array.from({ length: Math.min(left, filesInBatch) }, (_, at) => ({ url: urlOf(at) }))
      batchIds.push((await api.post('/transcribe/batch', { json: { sources } })).body.batch_id)
    }
    const worker = await addWorker(service, { ...near, RECOGNISER: 'scripted' })
    const done = async (): Promise<number> => {
      const all = await Promise.all(batchIds.map((batchId) => api.get(`/transcribe/status/batch/${batchId}`)))
      return all.reduce((sum, { body }) => sum + body.files_completed, 0)
    }
    while ((await done()) < warmFiles) await pause(100)
    const [startedMs, before] = [performance.now(), await done()]
    // asked seldom: a hundred thousand files are eleven batches to ask for
    while ((await done()) < before + countedFiles) await pause(1_000)
    const seconds = (performance.now() - startedMs) / 1000
    rows.push({ 'waiting behind them': depth, 'files a second': (((await done()) - before) / seconds).toFixed(1) })
    await worker.stop()
    await service.stop()
  }
  site.close()
  printTable('One chunk a file, nothing heard, one worker', rows)
}

async function serveRecording(): Promise<Server> {
  const recording = aScriptedRecording(scriptedSeconds(1))
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': recording.length }).end(recording)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return site
}

function apiOf(service: BenchService): Api {
  return apiAt(service.url, service.token)
}
