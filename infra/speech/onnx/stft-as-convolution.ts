import { aNode, floats, integers } from './make.ts'
import type { Graph, OnnxModel, Named, OnnxNode } from './model.ts'
import { integersAttribute } from './attributes.ts'
import { constantOf, keepOutputs } from './rewrite.ts'

/**
 * A short Fourier transform of windows as a convolution with the cosines and sines themselves. The runtime's own transform is
 * made for long windows; for one of twenty samples it takes longer than a layer of the network.
 */
export function stftAsConvolution(model: OnnxModel): OnnxModel {
  const { graph } = model
  const made: Named[] = []
  const nodes = graph.nodes.flatMap((node, at) => {
    const shape = node.op === 'STFT' ? shapeOf(graph, node) : undefined
    if (!shape) return [node]
    const prefix = `stft/${at}`
    made.push(...constantsOf(prefix, shape))
    return convolution(node, prefix, shape)
  })
  const initializers = [...graph.initializers, ...made]
  return keepOutputs({ ...model, graph: { ...graph, nodes, initializers } }, () => true)
}

interface Shape {
  readonly step: number
  readonly window: readonly number[]
}

/** Undefined when it is not all constant, or the window is long enough to be left to the runtime. */
function shapeOf(graph: Graph, { inputs }: OnnxNode): Shape | undefined {
  const [step, window, size] = [
    constantOf(graph, inputs[1]),
    constantOf(graph, inputs[2]),
    constantOf(graph, inputs[3]),
  ]
  if (!step || !window || !size) return undefined
  const values = Array.from(new Float32Array(new Uint8Array(window.raw).buffer))
  const whole = (raw: Uint8Array): number => Number(new DataView(raw.buffer, raw.byteOffset).getBigInt64(0, true))
  if (values.length !== whole(size.raw) || values.length > longestWindow) return undefined
  return { step: whole(step.raw), window: values }
}

const longestWindow = 64

function constantsOf(prefix: string, { window }: Shape): Named[] {
  const size = window.length
  const bins = size / 2 + 1
  const taps: number[] = []
  for (let bin = 0; bin < bins; bin += 1)
    for (const wave of [Math.cos, sineOf(bin, size)])
      taps.push(...window.map((weight, at) => weight * wave((2 * Math.PI * bin * at) / size)))
  return [
    floats(`${prefix}/waves`, taps, [2 * bins, 1, size]),
    integers(`${prefix}/channel`, [1]),
    integers(`${prefix}/pairs`, [0, 0, bins, 2]),
  ]
}

/** The first and the last bin are real: what rounding would leave there gives them a phase that means nothing. */
function sineOf(bin: number, size: number): (angle: number) => number {
  return bin === 0 || 2 * bin === size ? () => 0 : (angle) => -Math.sin(angle)
}

function convolution({ inputs, outputs }: OnnxNode, prefix: string, { step, window }: Shape): OnnxNode[] {
  return [
    aNode('Unsqueeze', [inputs[0]!, `${prefix}/channel`], `${prefix}/sound`),
    {
      ...aNode('Conv', [`${prefix}/sound`, `${prefix}/waves`], `${prefix}/spectrum`),
      attributes: [integersAttribute('kernel_shape', [window.length]), integersAttribute('strides', [step])],
    },
    {
      ...aNode('Transpose', [`${prefix}/spectrum`], `${prefix}/frames`),
      attributes: [integersAttribute('perm', [0, 2, 1])],
    },
    aNode('Reshape', [`${prefix}/frames`, `${prefix}/pairs`], outputs[0]!),
  ]
}
