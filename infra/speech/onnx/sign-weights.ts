import type { OnnxModel, Named, OnnxNode } from './model.ts'
import { elementType, readTensor, tensor } from './model.ts'
import { keepOutputs, producersOf } from './rewrite.ts'

/**
 * Processors with dot products of bytes have them for unsigned by signed bytes only, and exports with unsigned weights
 * pass them by. Here 128 is taken from the weights and from their zero point: every product is what it was, to the bit.
 */
export function signWeights(model: OnnxModel): OnnxModel {
  const known = new Map(model.graph.initializers.map((initializer) => [initializer.name, initializer]))
  const producers = producersOf(model.graph)
  const signed = new Map<string, Named>()
  const rearranged = new Map<string, OnnxNode>()
  const sign = (name = ''): string | undefined => {
    const maker = producers.get(name)
    if (maker) return maker.op === 'Transpose' || maker.op === 'Slice' ? signRearranged(maker) : undefined
    const found = known.get(name)
    const made = signed.get(name) ?? (found && signedCopy(found))
    if (made) signed.set(name, made)
    return made?.name
  }
  /** The runtime turns or cuts a constant once, at load. */
  const signRearranged = (node: OnnxNode): string | undefined => {
    const [whole, ...how] = node.inputs
    const table = sign(whole)
    if (!table) return undefined
    const output = `${node.outputs[0]}.signed`
    rearranged.set(output, { ...node, inputs: [table, ...how], outputs: [output] })
    return output
  }
  const nodes = model.graph.nodes.map((node): OnnxNode => {
    if (node.op !== 'MatMulInteger') return node
    const [left, right, leftZero = '', rightZero] = node.inputs
    const [weights, zero] = [sign(right), sign(rightZero)]
    return left && weights && zero ? { ...node, inputs: [left, weights, leftZero, zero] } : node
  })
  const initializers = [...model.graph.initializers, ...signed.values()]
  const graph = { ...model.graph, nodes: [...rearranged.values(), ...nodes], initializers }
  return keepOutputs({ ...model, graph }, () => true)
}

const topBits = 0x80808080

function signedCopy(named: Named): Named | undefined {
  const { type, dims, raw } = readTensor(named)
  if (type !== elementType.uint8) return undefined
  // four bytes at a time: there are a hundred million of them
  const words = new Uint32Array(Math.ceil(raw.length / Uint32Array.BYTES_PER_ELEMENT))
  const bytes = new Uint8Array(words.buffer, 0, raw.length)
  bytes.set(raw)
  for (let at = 0; at < words.length; at++) words[at]! ^= topBits
  return tensor({ name: `${named.name}.signed`, type: elementType.int8, dims, raw: bytes })
}
