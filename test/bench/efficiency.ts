import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { recogniserRate } from '../../actors/conversation/ports.ts'
import { collectSeldom } from '../../infra/process/collect-seldom.ts'
import type { SpeechEngine } from '../../infra/speech/engine/engine.ts'
import { filesAtOnce, openEngine } from '../../infra/speech/engine/open-engine.ts'
import { AtOnce } from '../../infra/speech/threads/at-once.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import { apiAt, uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { speechFixtures } from '../support/recordings.ts'
import { writeWav } from '../support/wav-file.ts'
import { treeCpuSeconds } from './cpu.ts'
import { benchPlaces } from './places.ts'
import { startService } from './service.ts'
import { readSpeech } from './speech.ts'
import { machine, printTable } from './table.ts'
import { addWorker } from './worker.ts'
import type { BenchWorker } from './worker.ts'

const settings = { profile: 'fast', language: 'hi' } as const
const recordings = 4
const recordingSeconds = 300
const recordingRounds = 3
const defaultClips = 120
const clipRounds = 2

/** The same recordings by the engine alone and through the whole system, each with its models open, in turns. */
export async function efficiency(): Promise<void> {
  const joined = await joinedClips()
  const title = `${recordings} recordings of ${recordingSeconds} s`
  const audio = Array.from({ length: recordings }, (_, at) => joined.slice(at)) // the same bytes would be transcribed once
  await compare({ title, rounds: recordingRounds, audio, workers: 2 })
}

interface ClipOptions {
  /** The folder of recordings; absent: our own. */
  readonly speech?: string | undefined
  readonly clips?: number | undefined
}

/** Files of one chunk each, where all that is not hearing weighs most. */
export async function shortClips({ speech, clips = defaultClips }: ClipOptions): Promise<void> {
  const { hindi } = await readSpeech(speech)
  // the same bytes would be transcribed once
  const audio = Array.from({ length: clips }, (_, at) =>
    hindi[at % hindi.length]!.samples.slice(Math.floor(at / hindi.length)),
  )
  await compare({ title: `${clips} short clips`, rounds: clipRounds, audio, workers: 1 })
}

interface Comparison {
  readonly title: string
  readonly rounds: number
  readonly audio: readonly Float32Array[]
  /** One, and so many more. */
  readonly workers: number
}

async function compare({ title, rounds, audio, workers: most }: Comparison): Promise<void> {
  collectSeldom() // as workers do
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  const service = await startService()
  const workers: BenchWorker[] = []
  const places = { ...benchPlaces(), startProgress: noProgress, filesAtOnce: filesAtOnce() }
  const engine = await openEngine({ ...places, profile: settings.profile })
  try {
    const paths = await Promise.all(audio.map((samples, at) => writeWav(join(folder, `${at}.wav`), samples)))
    const system = await theSystem(apiAt(service.url, service.token), paths)
    const audioSeconds = audio.reduce((sum, { length }) => sum + length, 0) / recogniserRate
    const rows: Record<string, string>[] = []
    while (workers.length < most) {
      // the engine alone gives way to nobody either: on a machine that others use too they would not be alike
      workers.push(await addWorker(service, { WORKER_NICENESS: '0' }))
      const best = await inTurns({ alone: () => byEngine(engine, paths), system }, rounds)
      const row = (what: string, taken: Taken): Record<string, string> => ({
        'heard by': what,
        seconds: taken.seconds.toFixed(1),
        '× real time': (audioSeconds / taken.seconds).toFixed(1),
        'against the engine': (best.alone.seconds / taken.seconds).toFixed(2),
        'seconds of a core': taken.cpuSeconds.toFixed(1),
        'of these the engine’s': (best.alone.cpuSeconds / taken.cpuSeconds).toFixed(2),
      })
      rows.push(row('the engine alone', best.alone), row(`gateway, broker, workers: ${workers.length}`, best.system))
    }
    const how = `profile fast, Hindi, the best of ${rounds} rounds in turns`
    printTable(`${title}, ${audioSeconds.toFixed(0)} s in all, ${how} (${machine()})`, rows)
  } finally {
    await engine.close()
    await Promise.all(workers.map((worker) => worker.stop()))
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Taken {
  readonly seconds: number
  /** Of everything that the bench has started: who is not at work has nothing to do. Says something also on a machine that others use. */
  readonly cpuSeconds: number
}

interface Rivals {
  readonly alone: () => Promise<void>
  readonly system: () => Promise<void>
}

/** The first round of each opens models and does not count. */
async function inTurns({ alone, system }: Rivals, rounds: number): Promise<{ alone: Taken; system: Taken }> {
  const taken: { alone: Taken; system: Taken }[] = []
  for (let round = 0; round <= rounds; round += 1)
    taken.push({ alone: await measured(alone), system: await measured(system) })
  const counted = taken.slice(1)
  return { alone: least(counted.map((one) => one.alone)), system: least(counted.map((one) => one.system)) }
}

async function measured(work: () => Promise<void>): Promise<Taken> {
  const [startedMs, before] = [performance.now(), treeCpuSeconds(process.pid)]
  await work()
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: treeCpuSeconds(process.pid) - before }
}

function least(all: readonly Taken[]): Taken {
  return {
    seconds: Math.min(...all.map(({ seconds }) => seconds)),
    cpuSeconds: Math.min(...all.map(({ cpuSeconds }) => cpuSeconds)),
  }
}

async function joinedClips(): Promise<Float32Array> {
  const fixtures = await speechFixtures()
  const samples = new Float32Array(recordingSeconds * recogniserRate)
  for (let at = 0, clip = 0; at < samples.length; clip += 1) {
    const audio = fixtures[clip % fixtures.length]!.samples
    samples.set(audio.subarray(0, samples.length - at), at)
    at += audio.length + recogniserRate / 2
  }
  return samples
}

/** As many at once as it is made for. */
async function byEngine(engine: SpeechEngine, paths: readonly string[]): Promise<void> {
  const options = { language: settings.language, script: 'native', channels: 'mix', speechInformation: true } as const
  const hearing = new AtOnce(filesAtOnce())
  for (const path of paths) await hearing.begin(async () => void (await engine.transcribe(path, options)))
  await hearing.finish()
}

/** A run is from the moment of submission to the moment when everything can be read. */
async function theSystem(api: Api, paths: readonly string[]): Promise<() => Promise<void>> {
  const parts = await Promise.all(
    paths.map(async (path, at) => ({ name: `${at}.wav`, content: new Uint8Array(await readFile(path)) })),
  )
  const { body } = await api.post('/files/upload', { body: uploadForm(...parts) })
  while ((await api.get(`/files/upload/${body.batch_upload_id}`)).body.status !== 'completed') await pause(50)
  const order = { json: { batch_upload_id: body.batch_upload_id, ...settings } }
  return async () => {
    const accepted = await api.post('/transcribe/batch', order)
    const status = `/transcribe/status/batch/${accepted.body.batch_id}`
    // asked seldom: answers take from the same cores
    while ((await api.get(status)).body.status !== 'completed') await pause(250)
  }
}
