import type { Model, Node } from './model.ts'
import { elementType, integersAttribute, integersIn, valueOfType } from './model.ts'
import { keepOutputs } from './rewrite.ts'

/**
 * The smaller sister of laying out: where a decoder only turns the keys of cross-attention at every step, they are
 * turned once, where they are made.
 */
export function expectTurned(model: Model, keys: readonly string[]): Model | undefined {
  const turned = new Map<string, string>()
  const dropped = new Set<Node>()
  for (const key of keys) {
    const [reader, ...others] = model.graph.nodes.filter(({ inputs }) => inputs.includes(key))
    if (reader?.op !== 'Transpose' || others.length > 0 || integersIn(reader, 'perm').join() !== swapLast.join())
      return undefined
    turned.set(reader.outputs[0]!, key)
    dropped.add(reader)
  }
  const nodes = model.graph.nodes
    .filter((node) => !dropped.has(node))
    .map(({ op, domain, inputs, outputs, attributes }) => {
      return { op, domain, inputs: inputs.map((name) => turned.get(name) ?? name), outputs, attributes }
    })
  const inputs = model.graph.inputs.map((input) =>
    keys.includes(input.name) ? valueOfType(input.name, elementType.float32) : input,
  )
  return keepOutputs({ ...model, graph: { ...model.graph, nodes, inputs } }, () => true)
}

export function turnKeys(model: Model, keys: readonly string[]): Model {
  const nodes = model.graph.nodes.map(({ op, domain, inputs, outputs, attributes }) => {
    const renamed = outputs.map((output) => (keys.includes(output) ? `${output}.unturned` : output))
    return { op, domain, inputs, outputs: renamed, attributes }
  })
  const turning = keys.map((key): Node => {
    const attributes = [integersAttribute('perm', swapLast)]
    return { op: 'Transpose', domain: '', inputs: [`${key}.unturned`], outputs: [key], attributes }
  })
  const outputs = model.graph.outputs.map((output) =>
    keys.includes(output.name) ? valueOfType(output.name, elementType.float32) : output,
  )
  return { ...model, graph: { ...model.graph, nodes: [...nodes, ...turning], outputs } }
}

const swapLast = [0, 1, 3, 2]
