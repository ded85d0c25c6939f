import { integersIn } from '../onnx/attributes.ts'
import type { Graph, OnnxNode, Tensor } from '../onnx/model.ts'
import { constantOf } from '../onnx/rewrite.ts'

/** A convolution along a line of a few columns. */
export interface FewColumns {
  readonly inputs: number
  readonly outputs: number
  /** [output][input][tap]. */
  readonly taps: Float32Array
  /** One for each output; none where nothing is added. */
  readonly bias: Float32Array
  readonly stride: number
  /** Columns of nothing before the first. */
  readonly padding: number
}

/** Undefined when its weights are not in the file. */
export function fewColumnsIn(graph: Graph, node: OnnxNode): FewColumns | undefined {
  const [weights, bias] = [constantOf(graph, node.inputs[1]), constantOf(graph, node.inputs[2])]
  const [outputs = 0, inputs = 0] = weights?.dims ?? []
  if (!weights || outputs === 0 || inputs === 0) return undefined
  return {
    inputs,
    outputs,
    taps: floatsIn(weights),
    bias: bias ? floatsIn(bias) : new Float32Array(outputs),
    stride: integersIn(node, 'strides')[0] ?? 1,
    padding: integersIn(node, 'pads')[0] ?? 0,
  }
}

/** The same as one matrix, from [input][column] to [output][column]: more zeros to multiply, and far faster on few columns. */
export function asProduct(few: FewColumns, columnsIn: number): { matrix: Float32Array; columns: number } {
  const { inputs, outputs, stride, padding } = few
  const taps = few.taps.length / (inputs * outputs)
  const columns = Math.floor((columnsIn + 2 * padding - taps) / stride) + 1
  const width = outputs * columns
  const matrix = new Float32Array(inputs * columnsIn * width)
  for (let output = 0; output < outputs; output += 1)
    for (let input = 0; input < inputs; input += 1)
      for (let column = 0; column < columns; column += 1)
        for (let tap = 0; tap < taps; tap += 1) {
          const from = column * stride + tap - padding
          if (from < 0 || from >= columnsIn) continue
          matrix[(input * columnsIn + from) * width + output * columns + column] =
            few.taps[(output * inputs + input) * taps + tap]!
        }
  return { matrix, columns }
}

export function floatsIn({ raw }: Tensor): Float32Array {
  return new Float32Array(Uint8Array.from(raw).buffer)
}
