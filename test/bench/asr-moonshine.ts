import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import type { InferenceSession } from 'onnxruntime-node'
import { Tensor } from 'onnxruntime-node'

import type { MoonshineOptions } from '../../infra/speech/asr/moonshine/moonshine.ts'
import { openMoonshine } from '../../infra/speech/asr/moonshine/moonshine.ts'
import { readVocabulary } from '../../infra/speech/asr/moonshine/vocabulary.ts'
import { openSession } from '../../infra/speech/asr/session.ts'
import { openThreaded } from '../../infra/speech/asr/threaded.ts'
import { readRecordings } from '../support/wav.ts'
import type { Heard } from './asr-score.ts'
import type { Row } from './asr-table.ts'
import { printTable, sameShare, stopwatch } from './asr-table.ts'

/**
 * Our Moonshine beside the plain loop over the published merged decoder: same weights, clips, threads, token limit.
 *
 *   node .build/test/bench/asr-moonshine.js --package FOLDER/dist --clips FOLDER [--size tiny] [--threads 2] [--limit 8]
 */
const { values } = parseArgs({
  options: {
    package: { type: 'string' },
    clips: { type: 'string' },
    size: { type: 'string', default: 'tiny' },
    threads: { type: 'string', default: String(cpus().length) },
    limit: { type: 'string', default: '1000' },
  },
})
if (!values.package || !values.clips) throw new Error('--package FOLDER/dist and --clips FOLDER are needed')
const threads = Number(values.threads)
const clips = (await readRecordings(values.clips)).slice(0, Number(values.limit))
const folder = resolve(values.package)
const networks = join(folder, 'model', values.size, 'quantized')
const files = {
  encoder: join(networks, 'encoder_model.onnx'),
  decoder: join(networks, 'decoder_model_merged.onnx'),
  vocabulary: join(folder, 'moonshine.min.js'),
}
const plain: MoonshineOptions = { id: 'moonshine', files, threads, guarded: false, wordTimes: false }

const rivals = [
  { name: 'plain loop, merged decoder', recognise: await plainLoop() },
  { name: `ours, ${threads} threads`, recognise: await ours(plain) },
  { name: 'ours, guards and word times', recognise: await ours({ ...plain, guarded: true, wordTimes: true }) },
]
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
const rows: Row[] = runs.map((run) =>
  run === reference ? run : Object.assign({ same: sameShare(run.heard, reference.heard) }, run),
)
rows.push(await inLanes())
printTable(`moonshine-${values.size}-en, ${clips.length} clips, ${threads} threads, ${cpus()[0]?.model}`, rows)

async function ours(options: MoonshineOptions) {
  const moonshine = await openMoonshine(options)
  return async (samples: Float32Array) => (await moonshine.transcribe([samples], {}))[0]!.text
}

async function inLanes(): Promise<Row> {
  const lanes = await openThreaded({ kind: 'moonshine', options: { ...plain, threads: 1 }, lanes: threads })
  await lanes.transcribe([clips[0]!.samples], {})
  const stop = stopwatch()
  const transcripts = await lanes.transcribe(
    clips.map(({ samples }) => samples),
    {},
  )
  const spent = stop()
  await lanes.close()
  const heard = clips.map((recording, at) => ({ recording, text: transcripts[at]!.text }))
  const name = `ours, ${threads} lanes of 1 thread`
  return { name, heard, ...spent, same: sameShare(heard, reference.heard), note: 'clips in parallel' }
}

/** As its authors run it: all outputs fetched, the choice of branch at every step, no part of the model rewritten. */
async function plainLoop() {
  const encoder = await openSession(files.encoder, threads)
  const decoder = await openSession(files.decoder, threads)
  const vocabulary = readVocabulary(await readFile(files.vocabulary, 'utf8'))
  return async (samples: Float32Array): Promise<string> => {
    const input = new Tensor('float32', samples, [1, samples.length])
    const heard = (await encoder.run({ input_values: input }))['last_hidden_state']!
    const limit = Math.trunc((samples.length / 16_000) * 6)
    const tokens: number[] = []
    let past = emptyPast(decoder)
    for (let token = 1; tokens.length < limit;) {
      const outputs = await decoder.run({
        input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
        encoder_hidden_states: heard,
        use_cache_branch: new Tensor('bool', [tokens.length > 0], [1]),
        ...past,
      })
      token = largest(outputs['logits']!.data as Float32Array)
      if (token === 2) break
      past = pastAfter(past, outputs, tokens.length === 0)
      tokens.push(token)
    }
    return vocabulary.decode(tokens)
  }
}

function emptyPast(decoder: InferenceSession): Record<string, Tensor> {
  const names = decoder.inputNames.filter((name) => name.startsWith('past_key_values.'))
  return Object.fromEntries(
    names.map((name) => {
      const shape = decoder.inputMetadata.find((input) => input.name === name)
      const [heads, width] = shape?.isTensor ? [Number(shape.shape[1]), Number(shape.shape[3])] : [0, 0]
      return [name, new Tensor('float32', new Float32Array(), [0, heads, 1, width])]
    }),
  )
}

function pastAfter(past: Record<string, Tensor>, outputs: InferenceSession.ReturnType, first: boolean) {
  return Object.fromEntries(
    Object.entries(past).map(([name, value]) => {
      const present = outputs[name.replace('past_key_values', 'present')]
      return [name, present && (first || name.includes('decoder')) ? present : value]
    }),
  )
}

function largest(logits: Float32Array): number {
  let best = 0
  for (let i = 1; i < logits.length; i++) if (logits[i]! > logits[best]!) best = i
  return best
}
