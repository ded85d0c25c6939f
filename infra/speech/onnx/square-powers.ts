import type { OnnxModel } from './model.ts'
import { constantOf } from './rewrite.ts'

/** Squares as products: the runtime raises to a power one number at a time. */
export function squarePowers(model: OnnxModel): OnnxModel {
  const { graph } = model
  const twos = new Set<string>()
  for (const name of new Set(graph.nodes.flatMap(({ op, inputs }) => (op === 'Pow' ? [inputs[1]!] : [])))) {
    const raw = constantOf(graph, name)?.raw
    if (raw?.length === 4 && new DataView(raw.buffer, raw.byteOffset).getFloat32(0, true) === 2) twos.add(name)
  }
  const nodes = graph.nodes.map((node) =>
    node.op === 'Pow' && twos.has(node.inputs[1]!)
      ? { ...node, op: 'Mul', inputs: [node.inputs[0]!, node.inputs[0]!], attributes: [] }
      : node,
  )
  const used = new Set(nodes.flatMap(({ inputs }) => inputs))
  const initializers = graph.initializers.filter(({ name }) => used.has(name))
  return { ...model, graph: { ...graph, nodes, initializers } }
}
