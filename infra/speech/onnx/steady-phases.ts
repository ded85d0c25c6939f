import { aNode, floats } from './make.ts'
import type { OnnxModel, OnnxNode } from './model.ts'
import { producersOf } from './rewrite.ts'

/**
 * The phase of a complex number, which exports write as the arc tangent of a quotient and a choice by signs. A number on the
 * negative real axis has the phase π, as where the network was taught, not -π; and zero has a phase at all, not 0/0.
 */
export function steadyPhases(model: OnnxModel): OnnxModel {
  const { graph } = model
  const makers = producersOf(graph)
  const quotients = new Set<OnnxNode>()
  for (const { op, inputs } of graph.nodes) {
    const maker = op === 'Atan' ? makers.get(inputs[0]!) : undefined
    if (maker?.op === 'Div') quotients.add(maker)
  }
  const imaginary = new Set(Array.from(quotients, ({ inputs }) => inputs[0]!))
  const nodes = graph.nodes.flatMap((node): OnnxNode[] => {
    if (quotients.has(node)) return quotientOf(node)
    return [node.op === 'Greater' && imaginary.has(node.inputs[0]!) ? { ...node, op: 'GreaterOrEqual' } : node]
  })
  return { ...model, graph: { ...graph, nodes, initializers: [...graph.initializers, least] } }
}

/** Lost in the rounding of anything but zero. */
const least = floats('phase/least', [1e-30])

function quotientOf(div: OnnxNode): OnnxNode[] {
  const real = `${div.outputs[0]}/real`
  return [aNode('Add', [div.inputs[1]!, least.name], real), { ...div, inputs: [div.inputs[0]!, real] }]
}
