import { readFile } from 'node:fs/promises'

import { InferenceSession, Tensor } from 'onnxruntime-node'

import { logitsAt } from '../../onnx/fold-projection.ts'
import type { WhisperConfig } from './config.ts'
import { decoderParts, encoderPart } from './derive.ts'

export interface NetFiles {
  readonly encoder: string
  readonly decoder: string
  /** Only for exports whose decoder is two files. */
  readonly decoderWithPast?: string
}

/** The four sessions of one model. Calls run on the thread that makes them, and block it. */
export interface Net {
  /** [bins, frames] of one clip → what the decoder attends to. */
  encode(mel: Float32Array): Promise<Tensors>
  prompt(memory: Tensors, tokens: readonly number[], wanted: Wanted): Promise<Reading>
  step(memory: Tensors, reading: { cache: Tensors; tokens: readonly number[] }, wanted: Wanted): Promise<Reading>
  /** Layers whose attention over the sound can be read; empty when the export does not tell. */
  readonly attentionLayers: readonly number[]
  close(): Promise<void>
}

export type Tensors = Readonly<Record<string, Tensor>>

export interface Wanted {
  /** Positions in `tokens` of which to give the logits. */
  readonly positions: readonly number[]
  readonly attentionOf: readonly number[]
}

export interface Reading {
  /** [rows, positions, vocabulary] */
  readonly logits: Float32Array
  readonly vocabulary: number
  readonly cache: Tensors
  /** By layer, [rows, heads, tokens, frames]. */
  readonly attention: ReadonlyMap<number, Tensor>
}

export async function openNet(files: NetFiles, config: WhisperConfig, threads: number): Promise<Net> {
  const [encoderFile, decoderFile, withPastFile] = await Promise.all([
    readFile(files.encoder),
    readFile(files.decoder),
    files.decoderWithPast === undefined ? undefined : readFile(files.decoderWithPast),
  ])
  const parts = decoderParts(decoderFile, withPastFile)
  const encoder = await open(encoderPart(encoderFile), threads)
  const memory = await open(parts.memory, threads)
  const prompt = await open(parts.prompt, threads)
  const step = await open(parts.step, threads)
  const layers = Array.from({ length: config.layers }, (_, layer) => layer)
  const attentionLayers = layers.filter((layer) => step.outputNames.includes(`cross_attentions.${layer}`))
  const fetches = ({ attentionOf }: Wanted): string[] => [
    'logits',
    ...layers.flatMap((layer) => [`present.${layer}.decoder.key`, `present.${layer}.decoder.value`]),
    ...attentionOf.map((layer) => `cross_attentions.${layer}`),
  ]

  return {
    attentionLayers,
    async encode(mel) {
      const frames = mel.length / config.melBins
      const features = new Tensor('float32', mel, [1, config.melBins, frames])
      const heard = await encoder.run({ input_features: features }, ['last_hidden_state'])
      return memory.run({ encoder_hidden_states: heard['last_hidden_state']! })
    },
    async prompt(heard, tokens, wanted) {
      const feeds = { ...heard, ...tokenFeeds(prompt, { tokens, rows: 1, positions: wanted.positions }) }
      return reading(await prompt.run(feeds, fetches(wanted)), layers, wanted)
    },
    async step(heard, { cache, tokens }, wanted) {
      const rows = tokens.length
      const feeds = { ...pastOf(heard), ...pastOf(cache), ...tokenFeeds(step, { tokens, rows, positions: [0] }) }
      return reading(await step.run(feeds, fetches(wanted)), layers, wanted)
    },
    async close() {
      for (const session of [encoder, memory, prompt, step]) await session.release()
    },
  }
}

function open(model: Uint8Array, threads: number): Promise<InferenceSession> {
  return InferenceSession.create(model, {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: true,
    enableMemPattern: true,
    logSeverityLevel: 3,
  })
}

interface TokenFeeds {
  readonly tokens: readonly number[]
  readonly rows: number
  readonly positions: readonly number[]
}

function tokenFeeds(session: InferenceSession, { tokens, rows, positions }: TokenFeeds): Record<string, Tensor> {
  const ids = new Tensor('int64', BigInt64Array.from(tokens, BigInt), [rows, tokens.length / rows])
  if (!session.inputNames.includes(logitsAt)) return { input_ids: ids }
  return { input_ids: ids, [logitsAt]: new Tensor('int64', BigInt64Array.from(positions, BigInt), [positions.length]) }
}

/** What one run called present is past for the next. */
function pastOf(present: Tensors): Record<string, Tensor> {
  return Object.fromEntries(
    Object.entries(present).map(([name, value]) => [name.replace('present.', 'past_key_values.'), value]),
  )
}

function reading(outputs: InferenceSession.ReturnType, layers: readonly number[], wanted: Wanted): Reading {
  const logits = outputs['logits']!
  const data = logits.data
  if (!(data instanceof Float32Array)) throw new TypeError(`logits are ${logits.type}, not float32: use another export`)
  const cache: Record<string, Tensor> = {}
  for (const layer of layers)
    for (const kind of ['key', 'value']) {
      const name = `present.${layer}.decoder.${kind}`
      cache[name] = outputs[name]!
    }
  return {
    logits: chosenPositions(data, logits.dims, wanted.positions),
    vocabulary: logits.dims[2]!,
    cache,
    attention: new Map(wanted.attentionOf.map((layer) => [layer, outputs[`cross_attentions.${layer}`]!])),
  }
}

/** An export whose last product could not be reached gives the logits of all positions. */
function chosenPositions(data: Float32Array, dims: readonly number[], positions: readonly number[]): Float32Array {
  const [rows, given, vocabulary] = [dims[0]!, dims[1]!, dims[2]!]
  if (given === positions.length) return data
  const chosen = new Float32Array(rows * positions.length * vocabulary)
  for (let row = 0; row < rows; row++)
    for (const [at, position] of positions.entries()) {
      const start = (row * given + position) * vocabulary
      chosen.set(data.subarray(start, start + vocabulary), (row * positions.length + at) * vocabulary)
    }
  return chosen
}
