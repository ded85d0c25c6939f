import { aNode, integers } from './make.ts'
import type { Graph, OnnxModel, Named, OnnxNode } from './model.ts'
import { constantOf, producersOf } from './rewrite.ts'
import { joinedBytes, textField, varintField } from './wire.ts'

/**
 * Normalisation along the last axis, followed by a scale and a shift for each channel, as the one operation that it is. The
 * export writes it as nine, each of which walks through the whole sound.
 */
export function fuseInstanceNorms(model: OnnxModel): OnnxModel {
  const { graph } = model
  const makers = producersOf(graph)
  const nodes = graph.nodes.flatMap((node, at) => {
    const norm = node.op === 'Add' ? normOf(graph, makers, node) : undefined
    return norm ? fused(node, norm, `norm/${at}`) : [node]
  })
  const needed = new Set(graph.outputs.map(({ name }) => name))
  const kept: OnnxNode[] = []
  for (const node of nodes.toReversed()) {
    if (!node.outputs.some((name) => needed.has(name))) continue
    kept.push(node)
    for (const name of node.inputs) needed.add(name)
  }
  const initializers = [...graph.initializers, outerAxes].filter(({ name }) => needed.has(name))
  return { ...model, graph: { ...graph, nodes: kept.reverse(), initializers } }
}

const outerAxes = integers('norm/axes', [0, 2])

interface Norm {
  readonly input: string
  readonly scale: string
  readonly shift: string
  readonly epsilon: number
}

/** shift + scale * ((x - mean x) / sqrt(mean (x - mean x)² + epsilon)), in either order of the factors and terms. */
function normOf(graph: Graph, makers: ReadonlyMap<string, OnnxNode>, add: OnnxNode): Norm | undefined {
  for (const [scaled, shift] of bothOrders(add)) {
    const mul = makers.get(scaled)
    if (mul?.op !== 'Mul' || makers.get(shift)?.op !== 'Slice') continue
    for (const [quotient, scale] of bothOrders(mul)) {
      const found = makers.get(scale)?.op === 'Add' ? centredOf(graph, makers, quotient) : undefined
      if (found) return { ...found, scale, shift }
    }
  }
  return undefined
}

function centredOf(graph: Graph, makers: ReadonlyMap<string, OnnxNode>, name: string) {
  const div = makers.get(name)
  const sub = makers.get(div?.inputs[0] ?? '')
  const root = makers.get(div?.inputs[1] ?? '')
  const sum = makers.get(root?.inputs[0] ?? '')
  if (div?.op !== 'Div' || sub?.op !== 'Sub' || root?.op !== 'Sqrt' || sum?.op !== 'Add') return undefined
  const variance = makers.get(sum.inputs[0] ?? '')
  const square = makers.get(variance?.inputs[0] ?? '')
  const mean = makers.get(sub.inputs[1] ?? '')
  const isVariance = variance?.op === 'ReduceMean' && square?.op === 'Mul'
  if (!isVariance || !square.inputs.every((input) => input === sub.outputs[0])) return undefined
  if (mean?.op !== 'ReduceMean' || mean.inputs[0] !== sub.inputs[0]) return undefined
  const epsilon = constantOf(graph, sum.inputs[1])?.raw
  if (epsilon?.length !== 4) return undefined
  const value = new DataView(epsilon.buffer, epsilon.byteOffset).getFloat32(0, true)
  return { input: sub.inputs[0]!, epsilon: value }
}

function bothOrders({ inputs: [one = '', other = ''] }: OnnxNode): [string, string][] {
  return [
    [one, other],
    [other, one],
  ]
}

function fused(add: OnnxNode, { input, scale, shift, epsilon }: Norm, prefix: string): OnnxNode[] {
  return [
    aNode('Squeeze', [scale, outerAxes.name], `${prefix}/scale`),
    aNode('Squeeze', [shift, outerAxes.name], `${prefix}/shift`),
    {
      ...aNode('InstanceNormalization', [input, `${prefix}/scale`, `${prefix}/shift`], add.outputs[0]!),
      attributes: [floatAttribute('epsilon', epsilon)],
    },
  ]
}

const fixedFloat = (2 << 3) | 5
const floatType = 1

function floatAttribute(name: string, value: number): Named {
  const bytes = new Uint8Array(Float32Array.of(value).buffer)
  return {
    name,
    bytes: joinedBytes([textField(1, name), Uint8Array.of(fixedFloat), bytes, varintField(20, floatType)]),
  }
}
