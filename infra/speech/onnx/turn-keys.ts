import { aNode, floats } from './make.ts'
import type { Graph, OnnxModel, OnnxNode } from './model.ts'
import { integersAttribute, integersIn } from './attributes.ts'
import { elementType, valueOfType } from './model.ts'
import { keepOutputs, producersOf } from './rewrite.ts'

/** The reading side of turned keys, and what it would still multiply them by at every step. */
interface Turned {
  readonly model: OnnxModel
  readonly factor: number
}

/**
 * The smaller sister of laying out: where a decoder turns the keys of cross-attention at every step, and scales them
 * by the width of a head, both are done once, where the keys are made.
 */
export function expectTurned(model: OnnxModel, keys: readonly string[], width: number | undefined): Turned | undefined {
  const turned = new Map<string, string>()
  const dropped = new Set<OnnxNode>()
  const scalings = keys.flatMap((key) => scalingOf(model.graph, key) ?? [])
  const scaled = width !== undefined && scalings.length === keys.length
  for (const [at, key] of keys.entries()) {
    const reader = onlyReader(model.graph, key)
    if (reader?.op !== 'Transpose' || integersIn(reader, 'perm').join() !== swapLast.join()) return undefined
    for (const node of scaled ? [reader, scalings[at]!] : [reader]) {
      turned.set(node.outputs[0]!, key)
      dropped.add(node)
    }
  }
  const nodes = model.graph.nodes
    .filter((node) => !dropped.has(node))
    .map((node) => ({ ...node, inputs: node.inputs.map((name) => turned.get(name) ?? name) }))
  const inputs = model.graph.inputs.map((input) =>
    keys.includes(input.name) ? valueOfType(input.name, elementType.float32) : input,
  )
  const reading = keepOutputs({ ...model, graph: { ...model.graph, nodes, inputs } }, () => true)
  return { model: reading, factor: scaled ? scaleOf(width) : 1 }
}

/** The writing side. */
export function turnKeys(model: OnnxModel, keys: readonly string[], factor: number): OnnxModel {
  const nodes = model.graph.nodes.map((node) => {
    return { ...node, outputs: node.outputs.map((output) => (keys.includes(output) ? `${output}.unturned` : output)) }
  })
  const turning = keys.flatMap((key): OnnxNode[] => [
    { ...aNode('Transpose', [`${key}.unturned`], `${key}.turned`), attributes: [integersAttribute('perm', swapLast)] },
    aNode('Mul', [`${key}.turned`, 'vaak.factor'], key),
  ])
  const outputs = model.graph.outputs.map((output) =>
    keys.includes(output.name) ? valueOfType(output.name, elementType.float32) : output,
  )
  const initializers = [...model.graph.initializers, floats('vaak.factor', [factor])]
  return { ...model, graph: { ...model.graph, nodes: [...nodes, ...turning], initializers, outputs } }
}

const swapLast = [0, 1, 3, 2]

/** Half of the usual scale of scores, the other half being the query's: √(1 / √width), worked out from a shape. */
function scalingOf(graph: Graph, key: string): OnnxNode | undefined {
  const producers = producersOf(graph)
  const scaling = onlyReader(graph, onlyReader(graph, key)?.outputs[0])
  let name = scaling?.op === 'Mul' ? scaling.inputs[1] : undefined
  for (const op of ['Sqrt', 'Div', 'Sqrt', 'Cast', 'Slice', 'Shape']) {
    const maker = producers.get(name ?? '')
    if (maker?.op !== op) return undefined
    name = maker.inputs[op === 'Div' ? 1 : 0]
  }
  return scaling
}

function onlyReader(graph: Graph, name: string | undefined): OnnxNode | undefined {
  const [reader, ...others] = graph.nodes.filter(({ inputs }) => name !== undefined && inputs.includes(name))
  return others.length === 0 ? reader : undefined
}

/** Rounded at every step, as the graph does it. */
function scaleOf(width: number): number {
  return Math.fround(Math.sqrt(Math.fround(1 / Math.fround(Math.sqrt(width)))))
}
