import type { InferenceSession } from 'onnxruntime-node'
import { Tensor } from 'onnxruntime-node'

import { hiddenValue, logitsAt } from '../onnx/fold-projection.ts'
import { withModelFile } from '../onnx/model-file.ts'
import type { DecoderFiles, DecoderPart } from './decoder-parts.ts'
import { decoderParts, heardInput } from './decoder-parts.ts'
import { openModel } from './session.ts'

/** A decoder that attends to encoded sound, token by token. Calls run on the thread that makes them, and block it. */
export interface TokenDecoder {
  readonly layers: number
  readonly heads: number
  /** Layers whose attention over the audio can be read; empty when the export does not tell. */
  readonly attentionLayers: readonly number[]
  /** What the encoder gave, [1, frames, width] → what the decoder attends to. */
  attend(heard: Tensor): Promise<Tensors>
  prompt(memory: Tensors, tokens: readonly number[], wanted: WantedOutputs): Promise<DecoderReading>
  step(
    memory: Tensors,
    reading: { cache: Tensors; tokens: readonly number[] },
    wanted: WantedOutputs,
  ): Promise<DecoderReading>
  close(): Promise<void>
}

export type Tensors = Readonly<Record<string, Tensor>>

interface WantedOutputs {
  /** Positions in `tokens` of which to give the logits. */
  readonly positions: readonly number[]
  readonly attentionOf: readonly number[]
}

export interface DecoderReading {
  /** [rows, positions, vocabulary] */
  readonly logits: Float32Array
  readonly vocabulary: number
  readonly rows: number
  readonly cache: Tensors
  /** By layer, [rows, heads, tokens, frames]; rows and heads may be one dimension. */
  readonly attention: ReadonlyMap<number, Tensor>
}

interface DecoderPaths {
  readonly decoder: string
  /** Only for exports whose decoder is two files. */
  readonly decoderWithPast?: string
  readonly batch: boolean
}

export function openDecoder({ decoder, decoderWithPast, batch }: DecoderPaths, threads: number): Promise<TokenDecoder> {
  return withModelFile(decoder, (file) =>
    decoderWithPast === undefined
      ? openParts({ decoder: file, batch }, threads)
      : withModelFile(decoderWithPast, (next) => openParts({ decoder: file, decoderWithPast: next, batch }, threads)),
  )
}

async function openParts(files: DecoderFiles, threads: number): Promise<TokenDecoder> {
  const parts = decoderParts(files)
  const open = ({ file, model }: DecoderPart): Promise<InferenceSession> => openModel(file, model, threads)
  const memory = await open(parts.memory())
  const prompt = parts.prompt && (await open(parts.prompt()))
  const step = await open(parts.step())
  const steps = parts.steps && (await open(parts.steps()))
  const projection = parts.projection && (await open(parts.projection()))
  const layers = Array.from({ length: memory.outputNames.length / 2 }, (_, layer) => layer)
  const fetches = (session: InferenceSession, { attentionOf }: WantedOutputs): string[] => [
    session.outputNames.includes(hiddenValue) ? hiddenValue : 'logits',
    ...layers.flatMap((layer) => [`present.${layer}.decoder.key`, `present.${layer}.decoder.value`]),
    ...attentionOf.map((layer) => `cross_attentions.${layer}`),
  ]

  const run = async (
    session: InferenceSession,
    feeds: Record<string, Tensor>,
    wanted: WantedOutputs,
  ): Promise<DecoderReading> => {
    const outputs = await session.run(feeds, fetches(session, wanted))
    const hidden = outputs[hiddenValue]
    const projected = hidden && (await projection?.run({ [hiddenValue]: hidden }))
    return reading({ ...outputs, ...projected }, layers, wanted)
  }
  const decoder: TokenDecoder = {
    layers: layers.length,
    heads: cacheShape(step)[1] ?? 0,
    attentionLayers: layers.filter((layer) => step.outputNames.includes(`cross_attentions.${layer}`)),
    attend: (heard) => memory.run({ [heardInput]: heard }),
    async prompt(heard, tokens, wanted) {
      if (!prompt) return promptByStep(decoder, { heard, tokens, cache: emptyCache(step, layers) }, wanted)
      return run(prompt, { ...heard, ...tokenFeeds(prompt, { tokens, rows: 1, positions: wanted.positions }) }, wanted)
    },
    async step(heard, { cache, tokens }, wanted) {
      const session = steps ?? (tokens.length === 1 ? step : undefined)
      if (!session) throw new RangeError(`this decoder was opened for one clip at a time, not for ${tokens.length}`)
      const ids = tokenFeeds(session, { tokens, rows: tokens.length, positions: [0] })
      return run(session, { ...pastOf(heard), ...pastOf(cache), ...ids }, wanted)
    },
    async close() {
      for (const session of [memory, prompt, step, steps, projection]) await session?.release()
    },
  }
  return decoder
}

interface StepwisePrompt {
  readonly heard: Tensors
  readonly tokens: readonly number[]
  readonly cache: Tensors
}

async function promptByStep(
  decoder: TokenDecoder,
  { heard, tokens, cache }: StepwisePrompt,
  wanted: WantedOutputs,
): Promise<DecoderReading> {
  const logits: Float32Array[] = []
  let last: DecoderReading | undefined
  for (const token of tokens) {
    last = await decoder.step(heard, { cache: last?.cache ?? cache, tokens: [token] }, { ...wanted, positions: [0] })
    logits.push(last.logits)
  }
  if (!last) throw new RangeError('an empty prompt')
  if (wanted.positions.length === 1) return { ...last, logits: logits[wanted.positions[0]!]! }
  const chosen = new Float32Array(wanted.positions.length * last.vocabulary)
  for (const [at, position] of wanted.positions.entries()) chosen.set(logits[position]!, at * last.vocabulary)
  return { ...last, logits: chosen }
}

function emptyCache(step: InferenceSession, layers: readonly number[]): Tensors {
  const [, heads, , width] = cacheShape(step)
  const names = layers.flatMap((layer) => [`present.${layer}.decoder.key`, `present.${layer}.decoder.value`])
  return Object.fromEntries(
    names.map((name) => [name, new Tensor('float32', new Float32Array(), [1, heads!, 0, width!])]),
  )
}

/** [rows, heads, tokens, width]; what varies is 0. */
function cacheShape(step: InferenceSession): number[] {
  const cache = step.inputMetadata.find(({ name }) => name === 'past_key_values.0.decoder.key')
  if (!cache?.isTensor) throw new RangeError('the decoder keeps no past: use an export with cached keys')
  return cache.shape.map((size) => (typeof size === 'number' ? size : 0))
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

function reading(
  outputs: InferenceSession.ReturnType,
  layers: readonly number[],
  wanted: WantedOutputs,
): DecoderReading {
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
    rows: logits.dims[0]!,
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
