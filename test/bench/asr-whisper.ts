import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import type { Recogniser } from '../../infra/speech/asr/recogniser.ts'
import { openThreaded } from '../../infra/speech/asr/threaded.ts'
import { guardsOff, guardsOn } from '../../infra/speech/asr/whisper/guards.ts'
import type { WhisperFiles, WhisperOptions } from '../../infra/speech/asr/whisper/whisper.ts'
import { openWhisper } from '../../infra/speech/asr/whisper/whisper.ts'
import { readRecordings } from '../support/wav.ts'
import type { Recording } from '../support/wav.ts'
import type { Heard } from './asr-score.ts'
import type { Row } from './asr-table.ts'
import { printTable, sameShare, stopwatch } from './asr-table.ts'

/**
 * Our Whisper beside @huggingface/transformers on the same weights, clips and number of threads. Clip by clip, one
 * after the other, so that whatever else the machine does falls on both.
 *
 *   node .build/test/bench/asr-whisper.js --model FOLDER --clips FOLDER --language hi
 *     [--transformers node_modules/@huggingface/transformers] [--threads 2] [--limit 8] [--batch 8]
 */
const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    clips: { type: 'string' },
    language: { type: 'string', default: 'en' },
    transformers: { type: 'string' },
    threads: { type: 'string', default: String(cpus().length) },
    limit: { type: 'string', default: '1000' },
    batch: { type: 'string', default: '0' },
  },
})
if (!values.model || !values.clips) throw new Error('--model FOLDER and --clips FOLDER are needed')
const folder = resolve(values.model)
const threads = Number(values.threads)
const { language } = values
const clips = (await readRecordings(values.clips)).slice(0, Number(values.limit))
const files: WhisperFiles = {
  config: join(folder, 'config.json'),
  generation: join(folder, 'generation_config.json'),
  tokenizer: join(folder, 'tokenizer.json'),
  encoder: join(folder, 'onnx', 'encoder_model_quantized.onnx'),
  decoder: join(folder, 'onnx', 'decoder_model_merged_quantized.onnx'),
}
const plain: WhisperOptions = { id: 'whisper', files, threads, guards: guardsOff, wordTimes: false }

type Recognise = (samples: Float32Array) => Promise<string>

const rivals: { name: string; recognise: Recognise; close: () => Promise<void> }[] = []
if (values.transformers) rivals.push(await transformers(values.transformers))
rivals.push(await ours(`ours, ${threads} threads`, plain))
rivals.push(await ours('ours, guards and word times', { ...plain, guards: guardsOn, wordTimes: true }))

const rows: Row[] = []
const runs = rivals.map(({ name }) => ({ name, heard: new Array<Heard>(), elapsedMs: 0, cpuMs: 0 }))
for (const { recognise } of rivals) await recognise(clips[0]!.samples)
for (const recording of clips)
  for (const [at, { recognise }] of rivals.entries()) {
    const stop = stopwatch()
    const text = await recognise(recording.samples)
    const { elapsedMs, cpuMs } = stop()
    runs[at]!.elapsedMs += elapsedMs
    runs[at]!.cpuMs += cpuMs
    runs[at]!.heard.push({ recording, text })
  }
const reference = runs[0]!
for (const run of runs) rows.push(run === reference ? run : { ...run, same: sameShare(run.heard, reference.heard) })
for (const { close } of rivals) await close()

const lanes = await openThreaded({ kind: 'whisper', options: { ...plain, threads: 1 }, lanes: threads })
rows.push({ ...(await together(lanes, `ours, ${threads} lanes of 1 thread`)), note: 'clips in parallel' })
await lanes.close()
if (Number(values.batch) > 1) {
  const batching = await openWhisper({ ...plain, batch: Number(values.batch) })
  rows.push({ ...(await together(batching, `ours, batch of ${values.batch}`)), note: 'one thread of calls' })
  await batching.close()
}
printTable(
  `${folder.split('/').at(-1)}, ${language}, ${clips.length} clips, ${threads} threads, ${cpus()[0]?.model}`,
  rows,
)

async function ours(name: string, options: WhisperOptions) {
  const whisper = await openWhisper(options)
  const recognise: Recognise = async (samples) => (await whisper.transcribe([samples], { language }))[0]!.text
  return { name, recognise, close: () => whisper.close() }
}

async function together(recogniser: Recogniser, name: string): Promise<Row> {
  await recogniser.transcribe([clips[0]!.samples], { language })
  const stop = stopwatch()
  const transcripts = await recogniser.transcribe(
    clips.map(({ samples }) => samples),
    { language },
  )
  const spent = stop()
  const heard = clips.map((recording: Recording, at) => ({ recording, text: transcripts[at]!.text }))
  return { name, heard, ...spent, same: sameShare(heard, reference.heard) }
}

interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  readonly pipeline: (task: string, model: string, options: object) => Promise<Pipeline>
}
interface Pipeline {
  (samples: Float32Array, options: object): Promise<{ text: string }>
  dispose(): Promise<unknown>
}

async function transformers(path: string) {
  const entry = pathToFileURL(join(resolve(path), 'dist', 'transformers.node.mjs')).href
  const { env, pipeline } = (await import(entry)) as Transformers
  env.allowRemoteModels = false
  env.localModelPath = join(folder, '..')
  const recognise = await pipeline('automatic-speech-recognition', folder.split('/').at(-1)!, {
    dtype: 'q8',
    device: 'cpu',
    session_options: { intraOpNumThreads: threads },
  })
  return {
    name: '@huggingface/transformers',
    recognise: async (samples: Float32Array) => (await recognise(samples, { language, task: 'transcribe' })).text,
    close: async () => {
      await recognise.dispose()
    },
  }
}
