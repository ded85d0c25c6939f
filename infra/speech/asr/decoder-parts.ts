import type { OnnxModel } from '../onnx/model.ts'
import { dimensionsOf, readModel } from '../onnx/model.ts'
import type { OnnxFile } from '../onnx/model-file.ts'
import { exposeAttention } from '../onnx/expose-attention.ts'
import type { Projected } from '../onnx/fold-projection.ts'
import { cutProjection } from '../onnx/fold-projection.ts'
import { forOneToken } from '../onnx/one-token.ts'
import { quantiseRows } from '../onnx/quantise-rows.ts'
import { rotatePairs } from '../onnx/rotate-pairs.ts'
import { expectTurned, turnKeys } from '../onnx/turn-keys.ts'
import { askBatchOf, branchOf, fixDimensions, keepOutputs, outputsAsInputs } from '../onnx/rewrite.ts'

/**
 * The parts of a decoder, each a model that does one thing and nothing that its caller throws away. Each is finished
 * only when it is asked for: what their file does not have as it is, they have one copy each.
 */
interface DecoderParts {
  /** What the encoder heard → keys and values of cross-attention, once a clip. */
  readonly memory: () => DecoderPart
  /** The prompt → logits and the first keys and values, once a decode. Undefined when memory cannot be cut off from it. */
  readonly prompt: (() => DecoderPart) | undefined
  /** One token → logits and the next keys and values. */
  readonly step: () => DecoderPart
  /** The same for several rows that do not see each other. */
  readonly steps: (() => DecoderPart) | undefined
  /** What prompt and steps give in place of logits → logits. Undefined when they give logits. */
  readonly projection: (() => DecoderPart) | undefined
}

export interface DecoderPart {
  /** Where its weights lie. */
  readonly file: OnnxFile
  readonly model: OnnxModel
}

export interface DecoderFiles {
  readonly decoder: OnnxFile
  /** Only for exports whose decoder is two files. */
  readonly decoderWithPast?: OnnxFile
  readonly batch: boolean
}

/** Takes the merged decoder, or the pair of decoders that older exports have. */
export function decoderParts({ decoder, decoderWithPast, batch }: DecoderFiles): DecoderParts {
  const whole = readModel(decoder.bytes)
  const first = branchOf(whole, 'else_branch') ?? whole
  const next = decoderWithPast ? readModel(decoderWithPast.bytes) : branchOf(whole, 'then_branch')
  if (!next) throw new RangeError('the decoder has no branch for cached keys, and no second file was given for it')
  const { body, projection } = stepOf(next)
  const { memory, prompt, step } = laidOut({
    memory: keepOutputs(askBatchOf(first, heardInput), isMemory),
    prompt: promptOf(first)?.body,
    step: body,
  })
  const nextFile = decoderWithPast ?? decoder
  return {
    memory: () => ({ file: decoder, model: memory }),
    prompt: prompt && (() => ({ file: decoder, model: prompt })),
    step: () => ({ file: nextFile, model: fixDimensions(step, oneToken) }),
    steps: batch ? () => ({ file: nextFile, model: quantiseRows(step) }) : undefined,
    projection: projection && (() => ({ file: nextFile, model: projection })),
  }
}

/** As optimum names them. */
const oneToken = { batch_size: 1, decoder_sequence_length: 1 }

interface Models {
  readonly memory: OnnxModel
  readonly prompt: OnnxModel | undefined
  readonly step: OnnxModel
}

/**
 * All parts agree on how the keys of cross-attention lie in memory, or none changes it. Where a prompt is a part of its
 * own they stay as they are: turned, a step sums in another order, and hard speech then comes out in other words.
 */
function laidOut(parts: Models): Models {
  if (parts.prompt) return parts
  const layers = parts.memory.graph.outputs.length / 2
  const keysOf = (name: (layer: number) => string): string[] =>
    Array.from({ length: layers }, (_, layer) => name(layer))
  const past = keysOf((layer) => `past_key_values.${layer}.encoder.key`)
  const turned = expectTurned(parts.step, past, headWidth(parts.step))
  if (!turned) return parts
  const present = keysOf((layer) => `present.${layer}.encoder.key`)
  return { memory: turnKeys(parts.memory, present, turned.factor), prompt: undefined, step: turned.model }
}

function promptOf(first: OnnxModel): Projected | undefined {
  const seeing = exposeAttention(first, (layer) => `present.${layer}.encoder.value`)
  const cut = outputsAsInputs(keepOutputs(seeing, isText), isMemory)
  const apart = !cut.graph.inputs.some(({ name }) => name === heardInput)
  return apart ? cutProjection(cut) : undefined
}

function stepOf(next: OnnxModel): Projected {
  const seeing = exposeAttention(next, (layer) => `past_key_values.${layer}.encoder.value`)
  const { body, projection } = cutProjection(keepOutputs(seeing, (name) => isText(name) && !isMemory(name)))
  return { body: rotatePairs(forOneToken(body), 1), projection }
}

/** Keys are kept as [rows, heads, tokens, width]. */
function headWidth(step: OnnxModel): number | undefined {
  const cache = step.graph.inputs.find(({ name }) => name === 'past_key_values.0.decoder.key')
  const width = cache && dimensionsOf(cache)[3]
  return typeof width === 'number' ? width : undefined
}

/** What the encoder gives. */
export const heardInput = 'encoder_hidden_states'

function isMemory(name: string): boolean {
  return /^present\.\d+\.encoder\.(?:key|value)$/.test(name)
}

function isText(name: string): boolean {
  return name === 'logits' || name.startsWith('present.') || name.startsWith('cross_attentions.')
}
