import { aCast, aNode, floats, integers } from './make.ts'
import type { Graph, OnnxModel, Named, OnnxNode, Tensor } from './model.ts'
import { integersAttribute } from './attributes.ts'
import { elementType, tensor } from './model.ts'
import { constantOf, keepOutputs, opsetOf } from './rewrite.ts'

/**
 * 8-bit exports quantise activations by the extremes of the whole tensor, so that in a batch each row changes the
 * others a little. Here every row is quantised by its own extremes, with the same arithmetic as the runtime's operator:
 * the result of a row is, bit for bit, what it is alone.
 */
export function quantiseRows(model: OnnxModel): OnnxModel {
  const axesAreInput = opsetOf(model) >= 18
  const nodes: OnnxNode[] = []
  const sums = new Map<string, Named>()
  const zeroOf = new Map<string, string>()
  for (const node of model.graph.nodes) {
    if (node.op === 'DynamicQuantizeLinear') {
      nodes.push(...ownExtremes(node, axesAreInput))
      zeroOf.set(node.outputs[2]!, `${node.outputs[2]}.whole`)
      continue
    }
    const zero = node.op === 'MatMulInteger' ? zeroOf.get(node.inputs[2] ?? '') : undefined
    if (zero === undefined) nodes.push(node)
    else nodes.push(...shiftedProduct(node, { zero, sum: sumOfColumns(model.graph, node, sums).name }))
  }
  const initializers = [...model.graph.initializers, ...sums.values(), ...constants]
  return keepOutputs({ ...model, graph: { ...model.graph, nodes, initializers } }, () => true)
}

const levels = 255
const constants: readonly Named[] = [
  floats('vaak.q.zero', [0]),
  floats('vaak.q.levels', [levels]),
  floats('vaak.q.least', [1e-30]),
  integers('vaak.q.axes', [1, 2]),
]

function ownExtremes({ inputs, outputs }: OnnxNode, axesAreInput: boolean): OnnxNode[] {
  const x = inputs[0]!
  const [bytes, step, zero] = [outputs[0]!, outputs[1]!, outputs[2]!]
  const at = (name: string): string => `${bytes}.${name}`
  const reduced = (op: string, name: string): OnnxNode =>
    axesAreInput
      ? aNode(op, [x, 'vaak.q.axes'], at(name))
      : { ...aNode(op, [x], at(name)), attributes: [integersAttribute('axes', [1, 2])] }
  return [
    reduced('ReduceMin', 'lowest'),
    reduced('ReduceMax', 'highest'),
    aNode('Min', [at('lowest'), 'vaak.q.zero'], at('low')),
    aNode('Max', [at('highest'), 'vaak.q.zero'], at('high')),
    aNode('Sub', [at('high'), at('low')], at('range')),
    aNode('Div', [at('range'), 'vaak.q.levels'], at('step')),
    aNode('Max', [at('step'), 'vaak.q.least'], step),
    aNode('Div', [at('low'), step], at('below')),
    aNode('Neg', [at('below')], at('above')),
    aNode('Round', [at('above')], zero),
    aNode('Div', [x, step], at('ratio')),
    aNode('Round', [at('ratio')], at('rounded')),
    aNode('Add', [at('rounded'), zero], at('shifted')),
    // both roundings may go up: 127.5 and 127.5 make 256
    aNode('Min', [at('shifted'), 'vaak.q.levels'], at('clipped')),
    aCast(at('clipped'), bytes, elementType.uint8),
    aCast(zero, `${zero}.whole`, elementType.int32),
  ]
}

/** The product of bytes less the zero point is the product of the bytes, less the zero point times the column's sum. */
function shiftedProduct(product: OnnxNode, { zero, sum }: { zero: string; sum: string }): OnnxNode[] {
  const output = product.outputs[0]!
  const inputs = [product.inputs[0]!, product.inputs[1]!, '', ...product.inputs.slice(3)]
  return [
    { ...product, inputs: product.inputs[3] ? inputs : inputs.slice(0, 2), outputs: [`${output}.raw`] },
    aNode('Mul', [zero, sum], `${output}.shift`),
    aNode('Sub', [`${output}.raw`, `${output}.shift`], output),
  ]
}

function sumOfColumns(graph: Graph, product: OnnxNode, known: Map<string, Named>): Named {
  const name = product.inputs[1]!
  const found = known.get(name)
  if (found) return found
  const weights = constantOf(graph, name)
  if (!weights || weights.dims.length !== 2) throw new RangeError(`${name} is no constant table of weights`)
  const zero = constantOf(graph, product.inputs[3])
  const [rows, columns] = [weights.dims[0]!, weights.dims[1]!]
  const values = bytesOf(weights)
  const sums = new Int32Array(columns).fill(-rows * (zero ? (bytesOf(zero)[0] ?? 0) : 0))
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) sums[column]! += values[row * columns + column]!
  const made = tensor({
    name: `${name}.sums`,
    type: elementType.int32,
    dims: [columns],
    raw: new Uint8Array(sums.buffer),
  })
  known.set(name, made)
  return made
}

function bytesOf({ type, raw }: Tensor): Int8Array | Uint8Array {
  return type === elementType.int8 ? new Int8Array(raw.buffer, raw.byteOffset, raw.length) : raw
}
