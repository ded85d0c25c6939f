import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { chunkAudioKey, planKey } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { RunOrder, TranscribeSettings } from '../../../actors/run/state.ts'
import type { FileResult } from '../../../actors/transcript/state.ts'
import { openDiskBlobs } from '../../../infra/blobs/disk.ts'
import { encodeWav } from '../../../infra/speech/audio/wav.ts'
import type { SpeechEngine } from '../../../infra/speech/engine/engine.ts'
import { openEngine } from '../../../infra/speech/engine/open-engine.ts'
import { decodeChunk } from '../../../infra/speech/work/chunk-audio.ts'
import { openRecognition } from '../../../infra/speech/work/open-recognition.ts'
import { openSpeechWork } from '../../../infra/speech/work/open-work.ts'
import { composeWork } from '../../../infra/speech/work/speech-work.ts'
import type { Recognition, SpeechWork } from '../../../infra/speech/work/speech-work.ts'
import type { Batching } from '../../../infra/speech/work/transcriber.ts'
import { noProgress } from '../../../infra/telemetry/progress.ts'
import { inCheckout } from '../../support/checkout.ts'
import { childProcesses } from '../../support/child-processes.ts'
import { decodeAll } from '../../support/decode-all.ts'
import { englishFixture } from '../../support/english.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { aLog } from '../../support/log.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { aScriptedRecording } from '../../support/scripted-speech.ts'
import { joinedSamples } from '../../support/samples.ts'
import { anOrder, hearAndStore, settledChunks } from '../../support/speech-orders.ts'
import { writeWav } from '../../support/wav-file.ts'

const sample = inCheckout('infra', 'samples', 'hinglish.wav')
const nobody = new AbortController().signal
const models = { cacheDir: cacheFolderForTests(), modelDir: '', startProgress: noProgress }
const inHindi: TranscribeSettings = { script: 'native', channels: 'mix', language: 'hi' }

let engine: SpeechEngine
let recognition: Recognition
test.before(async () => {
  engine = await openEngine({ ...models, profile: 'fast' })
  recognition = openRecognition({ ...models, profile: 'fast', maxSeconds: 3600, fileSlots: 2 })
})
test.after.always(() => Promise.all([engine.close(), recognition.close()]))

test.serial('the sample, through the pipeline, is what the engine makes of it', async (t) => {
  const these = await given(t)
  const result = await transcribe(t, these, await these.store(await readFile(sample)))
  t.not(result.text, '')
  t.deepEqual(result, await byEngine(sample, inHindi))
})

test.serial('so is a call in two languages, its sides kept apart', async (t) => {
  const these = await given(t)
  const settings: TranscribeSettings = { script: 'mixed', channels: 'separate' }
  const hindi = (await speechFixtures()).map(({ samples }) => samples)
  const english = (await englishFixture()).samples
  const quiet = new Float32Array(5 * 16_000)
  const left = joinedSamples([hindi[0]!, quiet, quiet, hindi[1]!])
  const right = joinedSamples([quiet, english, quiet])
  const path = await writeWav(join(await aFolder(t), 'call.wav'), left, right)
  const result = await transcribe(t, these, await these.store(await readFile(path), settings))
  t.deepEqual(new Set(result.segments.map(({ channel }) => channel)), new Set([0, 1]))
  t.deepEqual(result, await byEngine(path, settings))
})

test.serial('chunks that are gathered are heard as each is heard alone', async (t) => {
  const apart = await given(t)
  const together = await given(t, { size: 3, ageMs: 20 })
  const quiet = new Float32Array(5 * 16_000)
  const clips = (await speechFixtures()).flatMap(({ samples }) => [samples, quiet])
  const recording = encodeWav({ samples: joinedSamples(clips), extra: new Map() })
  const results: FileResult[] = []
  for (const these of [apart, together]) results.push(await transcribe(t, these, await these.store(recording)))
  t.true(results[0]!.text.includes(' '))
  t.deepEqual(results[1], results[0])
})

test.serial('the sound of a chunk plays like any other WAV', async (t) => {
  const { blobs, store, work } = await given(t)
  const order = await store(await readFile(sample))
  await work.planner.plan(order, nobody)
  const stored = await buffer(await blobs.open(chunkAudioKey(order, 0)))
  const path = join(await aFolder(t), 'chunk.wav')
  await writeFile(path, stored)
  const [played] = await decodeAll([path])
  t.deepEqual(played, decodeChunk(stored).samples)
})

test.serial('a recording that is longer than the limit is refused with the limit', async (t) => {
  const { blobs, store } = await given(t)
  const work = await aWork(t, { blobs, maxSeconds: 5 })
  const order = await store(encodeWav({ samples: new Float32Array(6 * 16_000).fill(0.1), extra: new Map() }))
  const error = await t.throwsAsync(work.planner.plan(order, nobody), { instanceOf: FailureError })
  t.like(error.failure, { kind: 'terminal', code: 'too_large' })
  t.regex(error.message, /longer than the limit of 5 s.*Split it and submit the parts/)
})

test.serial('a worker without its models fails in a way that another may mend, and names no path', async (t) => {
  const { store, blobs } = await given(t)
  const nowhere = await aFolder(t)
  const modelDir = join(nowhere, 'models')
  await mkdir(join(modelDir, 'silero-vad'), { recursive: true })
  await writeFile(join(modelDir, 'silero-vad', 'silero_vad_v6.onnx'), 'damaged')
  const work = await aWork(t, { blobs, cacheDir: nowhere, modelDir })
  const order = await store(await readFile(sample))
  const error = await t.throwsAsync(work.planner.plan(order, nobody), { instanceOf: FailureError })
  t.like(error.failure, { kind: 'retryable', code: 'worker_failed' })
  t.false(error.message.includes(nowhere))
})

test.serial('a worker hears with the Whisper model of its settings, whatever profile a file asks for', async (t) => {
  const these = await given(t)
  const work = await aWork(t, { blobs: these.blobs, whisperModel: 'whisper-tiny' })
  const english = encodeWav({ samples: (await englishFixture()).samples, extra: new Map() })
  const order = await these.store(english, { ...inHindi, language: 'en', profile: 'balanced' })
  const result = await transcribe(t, { ...these, work }, order)
  t.deepEqual(new Set(result.segments.map(({ model }) => model)), new Set(['whisper-tiny']))
})

test.serial(
  'a worker whose settings name another kind of model fails in a way that the operator may mend',
  async (t) => {
    const these = await given(t)
    const work = await aWork(t, { blobs: these.blobs, whisperModel: 'moonshine-tiny-en' })
    const order = await these.store(await readFile(sample))
    const error = await t.throwsAsync(transcribe(t, { ...these, work }, order), { instanceOf: FailureError })
    t.like(error.failure, { kind: 'retryable', code: 'worker_failed' })
  },
)

test.serial('an aborted plan ends, and leaves neither process nor file', async (t) => {
  const { blobs, store, work, workFolder } = await given(t)
  const [clip] = await speechFixtures()
  const long = joinedSamples(Array.from({ length: 200 }, () => clip!.samples))
  const order = await store(encodeWav({ samples: long, extra: new Map() }))
  const stopping = new AbortController()
  const aborted = t.throwsAsync(work.planner.plan(order, stopping.signal), { message: 'enough' })
  await eventually('the first chunk is stored', () => blobs.stat(chunkAudioKey(order, 0)), 90_000)
  t.is((await readdir(workFolder)).length, 1)
  stopping.abort(new Error('enough'))
  await aborted
  t.deepEqual(await readdir(workFolder), [])
  t.is(await blobs.stat(planKey(order)), undefined)
  await eventually('the decoder has ended', () => childProcesses().length === 0)
})

test.serial('what a worker that was killed while planning left is cleared by the next', async (t) => {
  const [store, workFolder] = [await aFolder(t), await aFolder(t)]
  const blobs = await openDiskBlobs({ folder: store, log: aLog() })
  const recording = aScriptedRecording([{ audio: 1, commands: [{ stage: 'plan', act: 'kill', times: 1 }] }])
  await blobs.put('uploads/speech', { bytes: recording })
  const start = (): Promise<unknown[]> =>
    once(fork(join(import.meta.dirname, '../../support/scripted-planner.js'), [store, workFolder]), 'exit')
  t.deepEqual(await start(), [null, 'SIGKILL'])
  t.is((await readdir(workFolder)).length, 1)
  t.deepEqual(await start(), [0, null])
  t.deepEqual(await readdir(workFolder), [])
})

interface Given {
  readonly blobs: Blobs
  readonly work: SpeechWork
  readonly workFolder: string
  readonly store: (recording: Uint8Array, settings?: TranscribeSettings) => Promise<RunOrder>
}

async function given(t: ExecutionContext, batch: Batching = { size: 1, ageMs: 0 }): Promise<Given> {
  const blobs = await openDiskBlobs({ folder: await aFolder(t), log: aLog() })
  const workFolder = await aFolder(t)
  const around = { blobs, log: aLog(), workFolder, fetchRemote: nothingRemote, batch }
  // the models stay for the next test
  const work = await composeWork({ ...recognition, close: () => Promise.resolve() }, around)
  t.teardown(() => work.close())
  return {
    blobs,
    workFolder,
    work,
    async store(recording, settings = inHindi) {
      const order = anOrder({ settings })
      await blobs.put('uploads/speech', { bytes: recording })
      return order
    },
  }
}

function nothingRemote(): Promise<never> {
  return Promise.reject(new Error('nothing is remote here'))
}

type Options = Parameters<typeof openSpeechWork>[0]

async function aWork(t: ExecutionContext, options: Partial<Options> & { blobs: Blobs }): Promise<SpeechWork> {
  const work = await openSpeechWork({
    ...models,
    recogniser: 'models',
    log: aLog(),
    workFolder: options.workFolder ?? (await aFolder(t)),
    fetchRemote: nothingRemote,
    batch: { size: 1, ageMs: 0 },
    profile: 'fast',
    maxSeconds: 600,
    fileSlots: 2,
    ...options,
  })
  t.teardown(() => work.close())
  return work
}

async function transcribe(t: ExecutionContext, { blobs, work }: Given, order: RunOrder): Promise<FileResult> {
  t.timeout(300_000) // the first run fetches models
  const planned = await work.planner.plan(order, nobody)
  const numbers = Array.from({ length: planned.total }, (_, chunk) => chunk)
  await Promise.all(numbers.map((chunk) => hearAndStore(blobs, work, { order, chunk })))
  return (await work.assembler.assemble(order, settledChunks(planned), nobody)).result
}

function byEngine(path: string, settings: TranscribeSettings): Promise<FileResult> {
  const { vocabulary: _, ...options } = settings
  return engine.transcribe(path, { ...options, speechInformation: true })
}
