import { readFile } from 'node:fs/promises'

import type { Convolution } from '../../onnx/convolve-in-bytes.ts'
import { convolveInBytes } from '../../onnx/convolve-in-bytes.ts'
import type { CachedIn } from '../../models/model.ts'
import { elementType, readModel, valueOfType, writeModel } from '../../onnx/model.ts'
import { fuseInstanceNorms } from '../../onnx/instance-norms.ts'
import { keptGraph } from '../../onnx/kept-graph.ts'
import { planeConvolutions } from '../../onnx/plane-convolutions.ts'
import { squarePowers } from '../../onnx/square-powers.ts'
import { steadyPhases } from '../../onnx/steady-phases.ts'
import { stftAsConvolution } from '../../onnx/stft-as-convolution.ts'
import { widenFloats } from '../../onnx/widen-floats.ts'

/** How long each token lasts, in frames: the model counts them before it makes the audio, and keeps them to itself. */
export const durations = '/encoder/Clip_output_0'

/** Fewer channels are not worth a product of their own. */
const channelsMin = 128

/** Kept where the weights are, if that is in the cache. */
export function voiceGraph(parts: readonly string[], cached?: CachedIn): Promise<string | Uint8Array> {
  if (!cached) return rewritten(parts)
  const code = [new URL('.', import.meta.url), new URL('../../onnx/', import.meta.url)]
  const { folder, digest: weights } = cached
  return keptGraph(folder, { name: 'rewritten', weights, code, make: () => rewritten(parts) })
}

/** The published graph as this machine runs it fastest: the same weights, rewritten where that changes nothing one hears. */
async function rewritten(parts: readonly string[]): Promise<Uint8Array> {
  const bytes = Buffer.concat(await Promise.all(parts.map((part) => readFile(part))))
  const exact = steadyPhases(stftAsConvolution(fuseInstanceNorms(widenFloats(readModel(bytes)))))
  const model = squarePowers(planeConvolutions(convolveInBytes(exact, isOfAudio)))
  const outputs = [...model.graph.outputs, valueOfType(durations, elementType.float32)]
  return writeModel({ ...model, graph: { ...model.graph, outputs } })
}

/** The layers that make the audio of the features are nearly all of the work, and bytes are good enough for them. */
function isOfAudio({ name, inputs, outputs }: Convolution): boolean {
  return name.includes('/generator/') && inputs >= channelsMin && outputs >= channelsMin
}
