import type { Model } from '../../onnx/model.ts'
import { readModel, writeModel } from '../../onnx/model.ts'
import { foldProjection } from '../../onnx/fold-projection.ts'
import { askBatchOf, branchOf, keepOutputs, outputsAsInputs } from '../../onnx/rewrite.ts'

/** The parts of a decoder, each a model that does one thing and nothing that its caller throws away. */
export interface DecoderParts {
  /** What the encoder heard → keys and values of cross-attention, once a clip. */
  readonly memory: Uint8Array
  /** The prompt → logits and the first keys and values, once a decode. */
  readonly prompt: Uint8Array
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
    memory: writeModel(keepOutputs(askBatchOf(first, 'encoder_hidden_states'), isMemory)),
    prompt: writeModel(promptOf(first)),
    step: writeModel(foldProjection(keepOutputs(next, (name) => isText(name) && !isMemory(name)))),
  }
}

/** Attention over the sound itself is an output of some exports, at four bytes for each pair of frames: never fetched. */
export function encoderPart(encoder: Uint8Array): Uint8Array {
  return writeModel(keepOutputs(readModel(encoder), (name) => name === 'last_hidden_state'))
}

function promptOf(first: Model): Model {
  const text = keepOutputs(first, (name) => isText(name))
  return foldProjection(outputsAsInputs(text, isMemory))
}

function isMemory(name: string): boolean {
  return /^present\.\d+\.encoder\.(?:key|value)$/.test(name)
}

function isText(name: string): boolean {
  return name === 'logits' || name.startsWith('present.') || name.startsWith('cross_attentions.')
}
