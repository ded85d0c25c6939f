import { aCast, aNode, floats, integers } from './make.ts'
import type { Model, Named, Node, Tensor } from './model.ts'
import { elementType, integerAttribute, integersAttribute, tensor, valueInfo } from './model.ts'
import { constantOf, keepOutputs, opsetOf, producersOf } from './rewrite.ts'

/**
 * The last product of a decoder, hidden state by vocabulary, is most of a step's work: 8-bit exports keep the weights
 * as bytes, and widen all of them to floats at every step. Here the bytes are multiplied as they are.
 *
 * So that the result is that of the float product to about five digits, the hidden state is quantised twice: once
 * coarsely, and what is left over once more, 254 times finer. Both rows pass over the weights together, and the step
 * is bound by reading the weights, so the second row is almost free. Each row has its own scale: rows of a batch do not
 * see each other.
 *
 * The graph gains the input `logits_at`: of which positions to compute logits.
 */
export function foldProjection(model: Model): Model {
  const producers = producersOf(model.graph)
  const product = producers.get('logits')
  if (product?.op !== 'MatMul') return model
  const hidden = product.inputs[0]!
  const positions = [
    { ...aNode('Gather', [hidden, logitsAt], 'vaak.hidden'), attributes: [integerAttribute('axis', 1)] },
  ]
  const inputs = [...model.graph.inputs, valueInfo(logitsAt, elementType.int64, ['logits'])]
  const weights = quantisedWeights(model, product)
  const nodes = model.graph.nodes.filter((other) => other !== product)
  if (!weights) {
    const plain = { ...product, inputs: ['vaak.hidden', ...product.inputs.slice(1)] }
    return { ...model, graph: { ...model.graph, inputs, nodes: [...nodes, ...positions, plain] } }
  }
  const initializers = [...model.graph.initializers, ...constants(weights)]
  const projected = projection(opsetOf(model), weights.zeroPoint)
  const graph = { ...model.graph, inputs, initializers, nodes: [...nodes, ...positions, ...projected] }
  return keepOutputs({ ...model, graph }, () => true)
}

export const logitsAt = 'logits_at'

const coarseSteps = 127
const fineSteps = 254
const middle = 128

interface Weights {
  readonly vocabulary: number
  readonly width: number
  /** [width, vocabulary] */
  readonly bytes: Uint8Array
  readonly type: number
  readonly scale: number
  readonly zeroPoint: Tensor
}

/** Follows DequantizeLinear, with a Transpose before it or after it or none, back to the bytes. */
function quantisedWeights(model: Model, product: Node): Weights | undefined {
  const producers = producersOf(model.graph)
  let transposed = false
  let source = product.inputs[1]!
  let widened: Node | undefined
  for (let maker = producers.get(source); maker; maker = producers.get(source)) {
    if (maker.op === 'Transpose') transposed = !transposed
    else if (maker.op === 'DequantizeLinear' && !widened) widened = maker
    else return undefined
    source = maker.inputs[0]!
  }
  const table = constantOf(model.graph, source)
  const scale = constantOf(model.graph, widened?.inputs[1])
  const zeroPoint = constantOf(model.graph, widened?.inputs[2])
  const scalar = scale?.raw.length === Float32Array.BYTES_PER_ELEMENT
  if (!table || !scale || !zeroPoint || !scalar || table.dims.length !== 2) return undefined
  const [rows, columns] = [table.dims[0]!, table.dims[1]!]
  return {
    vocabulary: transposed ? rows : columns,
    width: transposed ? columns : rows,
    bytes: transposed ? transposeBytes(table.raw, rows, columns) : table.raw,
    type: table.type,
    scale: new DataView(scale.raw.buffer, scale.raw.byteOffset).getFloat32(0, true),
    zeroPoint,
  }
}

function constants({ vocabulary, width, bytes, type, scale }: Weights): Named[] {
  return [
    tensor({ name: 'vaak.weights', type, dims: [width, vocabulary], raw: bytes }),
    floats('vaak.coarse', [1 / coarseSteps]),
    floats('vaak.fine', [fineSteps]),
    floats('vaak.least', [1e-12]),
    floats('vaak.middle', [middle]),
    floats('vaak.scales', [scale, scale / fineSteps], [1, 1, 2]),
    tensor({ name: 'vaak.zero', type: elementType.uint8, dims: [], raw: Uint8Array.of(middle) }),
    integers('vaak.rows', [-1, 1, width]),
    integers('vaak.last', [-1]),
    integers('vaak.wide', [vocabulary]),
    integers('vaak.leading', [0, 1]),
  ]
}

function projection(opset: number, zeroPoint: Tensor): Node[] {
  const axesAreInput = opset >= 18
  const largest: Node = axesAreInput
    ? aNode('ReduceMax', ['vaak.sizes', 'vaak.last'], 'vaak.largest')
    : { ...aNode('ReduceMax', ['vaak.sizes'], 'vaak.largest'), attributes: [integersAttribute('axes', [-1])] }
  return [
    aNode('Reshape', ['vaak.hidden', 'vaak.rows'], 'vaak.row'),
    aNode('Abs', ['vaak.row'], 'vaak.sizes'),
    largest,
    aNode('Mul', ['vaak.largest', 'vaak.coarse'], 'vaak.step.any'),
    aNode('Max', ['vaak.step.any', 'vaak.least'], 'vaak.step'),
    aNode('Div', ['vaak.row', 'vaak.step'], 'vaak.ratio'),
    aNode('Round', ['vaak.ratio'], 'vaak.whole'),
    aNode('Sub', ['vaak.ratio', 'vaak.whole'], 'vaak.rest'),
    aNode('Mul', ['vaak.rest', 'vaak.fine'], 'vaak.rest.ratio'),
    aNode('Round', ['vaak.rest.ratio'], 'vaak.rest.whole'),
    { ...aNode('Concat', ['vaak.whole', 'vaak.rest.whole'], 'vaak.both'), attributes: [integerAttribute('axis', 1)] },
    aNode('Add', ['vaak.both', 'vaak.middle'], 'vaak.both.shifted'),
    aCast('vaak.both.shifted', 'vaak.both.bytes', elementType.uint8),
    aNode('MatMulInteger', ['vaak.both.bytes', 'vaak.weights', 'vaak.zero', zeroPoint.name], 'vaak.sums'),
    aCast('vaak.sums', 'vaak.sums.float', elementType.float32),
    aNode('Mul', ['vaak.step', 'vaak.scales'], 'vaak.weighting'),
    aNode('MatMul', ['vaak.weighting', 'vaak.sums.float'], 'vaak.logits'),
    aNode('Shape', ['vaak.hidden'], 'vaak.hidden.shape'),
    {
      ...aNode('Gather', ['vaak.hidden.shape', 'vaak.leading'], 'vaak.places'),
      attributes: [integerAttribute('axis', 0)],
    },
    { ...aNode('Concat', ['vaak.places', 'vaak.wide'], 'vaak.shape'), attributes: [integerAttribute('axis', 0)] },
    aNode('Reshape', ['vaak.logits', 'vaak.shape'], 'logits'),
  ]
}

/** In tiles that stay in the cache: a plain double loop over 40 million bytes takes several times as long. */
function transposeBytes(source: Uint8Array, rows: number, columns: number): Uint8Array {
  const tile = 64
  const target = new Uint8Array(source.length)
  for (let top = 0; top < rows; top += tile)
    for (let left = 0; left < columns; left += tile) {
      const bottom = Math.min(rows, top + tile)
      const right = Math.min(columns, left + tile)
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) target[column * rows + row] = source[row * columns + column]!
    }
  return target
}
