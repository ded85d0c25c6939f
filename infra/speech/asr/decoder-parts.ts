import type { Model } from '../onnx/model.ts'
import { readModel, writeModel } from '../onnx/model.ts'
import { exposeAttention } from '../onnx/expose-attention.ts'
import { foldProjection } from '../onnx/fold-projection.ts'
import { askBatchOf, branchOf, keepOutputs, outputsAsInputs } from '../onnx/rewrite.ts'

/** The parts of a decoder, each a model that does one thing and nothing that its caller throws away. */
export interface DecoderParts {
  /** What the encoder heard → keys and values of cross-attention, once a clip. */
  readonly memory: Uint8Array
  /** The prompt → logits and the first keys and values, once a decode. Undefined when memory cannot be cut off from it. */
  readonly prompt: Uint8Array | undefined
  /** One token → logits and the next keys and values. */
  readonly step: Uint8Array
}

/** Takes the merged decoder, or the pair of decoders that older exports have. */
export function decoderParts(decoder: Uint8Array, decoderWithPast?: Uint8Array): DecoderParts {
  const whole = readModel(decoder)
  const first = branchOf(whole, 'else_branch') ?? whole
  const next = decoderWithPast ? readModel(decoderWithPast) : branchOf(whole, 'then_branch')
  if (!next) throw new RangeError('the decoder has no branch for cached keys, and no second file was given for it')
  return {
    memory: writeModel(keepOutputs(askBatchOf(first, heardInput), isMemory)),
    prompt: promptOf(first),
    step: writeModel(stepOf(next)),
  }
}

function promptOf(first: Model): Uint8Array | undefined {
  const seeing = exposeAttention(first, (layer) => `present.${layer}.encoder.value`)
  const cut = outputsAsInputs(keepOutputs(seeing, isText), isMemory)
  const apart = !cut.graph.inputs.some(({ name }) => name === heardInput)
  return apart ? writeModel(foldProjection(cut)) : undefined
}

function stepOf(next: Model): Model {
  const seeing = exposeAttention(next, (layer) => `past_key_values.${layer}.encoder.value`)
  return foldProjection(keepOutputs(seeing, (name) => isText(name) && !isMemory(name)))
}

/** What the encoder gives. */
export const heardInput = 'encoder_hidden_states'

function isMemory(name: string): boolean {
  return /^present\.\d+\.encoder\.(?:key|value)$/.test(name)
}

function isText(name: string): boolean {
  return name === 'logits' || name.startsWith('present.') || name.startsWith('cross_attentions.')
}
