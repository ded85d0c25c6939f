import { aCast, aNode, floats, integers } from './make.ts'
import type { OnnxModel, Named, OnnxNode, Tensor } from './model.ts'
import { integerAttribute, integersAttribute } from './attributes.ts'
import { elementType, readTensor, tensor, valueInfo } from './model.ts'
import { constantOf, cutAt, opsetOf, producersOf } from './rewrite.ts'

/**
 * The last product of a decoder, hidden state by vocabulary, is most of a step's work: 8-bit exports keep the weights
 * as bytes, and widen all of them to floats at every step. Here the bytes are multiplied as they are.
 *
 * So that the result is that of the float product to about five digits, the hidden state is quantised twice: once
 * coarsely, and what is left over once more, 254 times finer. Both rows pass over the weights together, and the step
 * is bound by reading the weights, so the second row is almost free. Each row has its own scale: rows of a batch do not
 * see each other.
 *
 * The graph gains the input `logits_at`, of which positions to compute logits, and is cut before the product: the parts of
 * a decoder can then share one copy of the weights, which are half of a small model.
 */
export function cutProjection(model: OnnxModel): Projected {
  const folded = foldProjection(model)
  if (!producersOf(folded.graph).has(hiddenValue)) return { body: model, projection: undefined }
  const hidden = valueInfo(hiddenValue, elementType.float32, ['rows', 'logits', 'width'])
  const { before, after } = cutAt(folded, hidden, 'logits')
  return { body: before, projection: after }
}

/**
 * Of a projection that was cut off: the logits of these tokens alone, in their order, with no more of the weights than they
 * need. Undefined where it does not have its weights as bytes.
 */
export function projectOnly(apart: OnnxModel, tokens: readonly number[]): OnnxModel | undefined {
  const { graph } = apart
  const producers = producersOf(graph)
  const turn = producers.get(turnedTable)
  const table = turn ? turn.inputs[0] : producers.get(sums)?.inputs[1]
  const whole = graph.initializers.find(({ name }) => name === table)
  if (!whole) return undefined
  const chosen = turn ? chosenRows(readTensor(whole), tokens) : chosenColumns(readTensor(whole), tokens)
  const changed = new Map([chosen, integers(wide, [tokens.length])].map((named) => [named.name, named]))
  const initializers = graph.initializers.map((initializer) => changed.get(initializer.name) ?? initializer)
  return { ...apart, graph: { ...graph, initializers } }
}

function chosenRows({ name, type, dims, raw }: Tensor, rows: readonly number[]): Named {
  const width = dims[1]!
  const chosen = new Uint8Array(rows.length * width)
  for (const [at, row] of rows.entries()) chosen.set(raw.subarray(row * width, (row + 1) * width), at * width)
  return tensor({ name, type, dims: [rows.length, width], raw: chosen })
}

function chosenColumns({ name, type, dims, raw }: Tensor, columns: readonly number[]): Named {
  const [rows, width] = [dims[0]!, dims[1]!]
  const chosen = Uint8Array.from({ length: rows * columns.length }, (_, at) => {
    const row = Math.floor(at / columns.length)
    return raw[row * width + columns[at % columns.length]!]!
  })
  return tensor({ name, type, dims: [rows, columns.length], raw: chosen })
}

export interface Projected {
  /** Gives logits itself when there is no projection. */
  readonly body: OnnxModel
  readonly projection: OnnxModel | undefined
}

function foldProjection(model: OnnxModel): OnnxModel {
  const producers = producersOf(model.graph)
  const product = producers.get('logits')
  if (product?.op !== 'MatMul') return model
  const hidden = product.inputs[0]!
  const positions = [{ ...aNode('Gather', [hidden, logitsAt], hiddenValue), attributes: [integerAttribute('axis', 1)] }]
  const inputs = [...model.graph.inputs, valueInfo(logitsAt, elementType.int64, ['logits'])]
  const weights = quantisedWeights(model, product)
  const nodes = model.graph.nodes.filter((other) => other !== product)
  if (!weights) {
    const plain = { ...product, inputs: [hiddenValue, ...product.inputs.slice(1)] }
    return { ...model, graph: { ...model.graph, inputs, nodes: [...nodes, ...positions, plain] } }
  }
  const initializers = [...model.graph.initializers, ...constants(weights)]
  const projected = [...turned(weights), ...projection(opsetOf(model), weights)]
  const graph = { ...model.graph, inputs, initializers, nodes: [...nodes, ...positions, ...projected] }
  return { ...model, graph }
}

export const logitsAt = 'logits_at'
export const hiddenValue = 'vaak.hidden'

const coarseSteps = 127
const fineSteps = 254
const middle = 128

interface Weights {
  readonly vocabulary: number
  readonly width: number
  readonly table: string
  /** [width, vocabulary] is what the product takes; a decoder that also reads its words from the table has it the other way. */
  readonly isTurned: boolean
  readonly scale: number
  readonly zeroPoint: Tensor
}

/** Follows DequantizeLinear, with a Transpose before it or after it or none, back to the bytes. */
function quantisedWeights(model: OnnxModel, product: OnnxNode): Weights | undefined {
  const producers = producersOf(model.graph)
  let transposed = false
  let source = product.inputs[1]!
  let widened: OnnxNode | undefined
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
    table: source,
    isTurned: transposed,
    scale: new DataView(scale.raw.buffer, scale.raw.byteOffset).getFloat32(0, true),
    zeroPoint,
  }
}

function constants({ vocabulary, width, scale }: Weights): Named[] {
  return [
    floats('vaak.coarse', [1 / coarseSteps]),
    floats('vaak.fine', [fineSteps]),
    floats('vaak.least', [1e-12]),
    floats('vaak.middle', [middle]),
    floats('vaak.scales', [scale, scale / fineSteps], [1, 1, 2]),
    tensor({ name: 'vaak.zero', type: elementType.uint8, dims: [], raw: Uint8Array.of(middle) }),
    integers('vaak.rows', [-1, 1, width]),
    integers('vaak.last', [-1]),
    integers(wide, [vocabulary]),
    integers('vaak.leading', [0, 1]),
  ]
}

/** Of a constant: the runtime does it once, at load, and keeps only what it packs for the product. */
function turned({ table, isTurned }: Weights): OnnxNode[] {
  return isTurned
    ? [{ ...aNode('Transpose', [table], turnedTable), attributes: [integersAttribute('perm', [1, 0])] }]
    : []
}

const turnedTable = 'vaak.weights'
/** Of the products of bytes. */
const sums = 'vaak.sums'
/** How many logits there are. */
const wide = 'vaak.wide'

function projection(opset: number, { table, isTurned, zeroPoint }: Weights): OnnxNode[] {
  const axesAreInput = opset >= 18
  const largest: OnnxNode = axesAreInput
    ? aNode('ReduceMax', ['vaak.sizes', 'vaak.last'], 'vaak.largest')
    : { ...aNode('ReduceMax', ['vaak.sizes'], 'vaak.largest'), attributes: [integersAttribute('axes', [-1])] }
  return [
    aNode('Reshape', [hiddenValue, 'vaak.rows'], 'vaak.row'),
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
    aNode('MatMulInteger', ['vaak.both.bytes', isTurned ? turnedTable : table, 'vaak.zero', zeroPoint.name], sums),
    aCast(sums, 'vaak.sums.float', elementType.float32),
    aNode('Mul', ['vaak.step', 'vaak.scales'], 'vaak.weighting'),
    aNode('MatMul', ['vaak.weighting', 'vaak.sums.float'], 'vaak.logits'),
    aNode('Shape', [hiddenValue], 'vaak.hidden.shape'),
    {
      ...aNode('Gather', ['vaak.hidden.shape', 'vaak.leading'], 'vaak.places'),
      attributes: [integerAttribute('axis', 0)],
    },
    { ...aNode('Concat', ['vaak.places', wide], 'vaak.shape'), attributes: [integerAttribute('axis', 0)] },
    aNode('Reshape', ['vaak.logits', 'vaak.shape'], 'logits'),
  ]
}
