import type { Model, Named, Node } from './model.ts'
import { elementType, readTensor, tensor } from './model.ts'
import { keepOutputs } from './rewrite.ts'

/**
 * Processors with dot products of bytes have them for unsigned by signed bytes only, and exports with unsigned weights
 * pass them by. Here 128 is taken from the weights and from their zero point: every product is what it was, to the bit.
 */
export function signWeights(model: Model): Model {
  const known = new Map(model.graph.initializers.map((initializer) => [initializer.name, initializer]))
  const signed = new Map<string, Named>()
  const sign = (name: string | undefined): string | undefined => {
    const found = name === undefined ? undefined : known.get(name)
    if (!found) return undefined
    const made = signed.get(found.name) ?? signedCopy(found)
    if (made) signed.set(found.name, made)
    return made?.name
  }
  const nodes = model.graph.nodes.map((node): Node => {
    if (node.op !== 'MatMulInteger') return node
    const [left, right, leftZero = '', rightZero] = node.inputs
    const [weights, zero] = [sign(right), sign(rightZero)]
    return left && weights && zero ? { ...node, inputs: [left, weights, leftZero, zero] } : node
  })
  const initializers = [...model.graph.initializers, ...signed.values()]
  return keepOutputs({ ...model, graph: { ...model.graph, nodes, initializers } }, () => true)
}

const topBit = 0x80

function signedCopy(named: Named): Named | undefined {
  const { type, dims, raw } = readTensor(named)
  if (type !== elementType.uint8) return undefined
  const flipped = raw.map((byte) => byte ^ topBit)
  return tensor({ name: `${named.name}.signed`, type: elementType.int8, dims, raw: flipped })
}
