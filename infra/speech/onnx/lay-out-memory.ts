import { aNode, integers } from './make.ts'
import type { Graph, Model, Named, Node } from './model.ts'
import { elementType, integerAttribute, integersAttribute, valueInfo, valueOfType } from './model.ts'
import { keepOutputs } from './rewrite.ts'

/**
 * Keys and values of cross-attention are the same at every step of a clip, yet exports rearrange them at every step:
 * megabytes of copies for one token. These two rewrites do it once, where the keys are made:
 * keys become [rows × heads, width, frames] and values [rows × heads, frames, width], which the products take as they are.
 */
export interface Layout {
  readonly layers: number
  readonly key: (layer: number) => string
  readonly value: (layer: number) => string
}

/** The reading side. Undefined when the export does something else with its keys than to rearrange them. */
export function expectLaidOut(model: Model, layout: Layout): Model | undefined {
  const dropped = new Set<Node>()
  const replaced = new Map<string, string>()
  for (let layer = 0; layer < layout.layers; layer++) {
    const found = rearrangements(model.graph, { key: layout.key(layer), value: layout.value(layer) })
    if (!found) return undefined
    for (const node of [found.keyReshape, found.keyTranspose, found.valueReshape]) dropped.add(node)
    replaced.set(found.keyTranspose.outputs[0]!, layout.key(layer))
    // what asks the keys for their size may ask the values: they are as long
    replaced.set(found.keyReshape.outputs[0]!, layout.value(layer))
    replaced.set(found.valueReshape.outputs[0]!, layout.value(layer))
  }
  const nodes = model.graph.nodes
    .filter((node) => !dropped.has(node))
    .map(({ op, domain, inputs, outputs, attributes }) => {
      return { op, domain, inputs: inputs.map((name) => replaced.get(name) ?? name), outputs, attributes }
    })
  const laidOut = new Map<string, Named>()
  for (let layer = 0; layer < layout.layers; layer++) {
    const [key, value] = [layout.key(layer), layout.value(layer)]
    laidOut.set(key, valueInfo(key, elementType.float32, ['heads', 'width', 'frames']))
    laidOut.set(value, valueInfo(value, elementType.float32, ['heads', 'frames', 'width']))
  }
  const inputs = model.graph.inputs.map((input) => laidOut.get(input.name) ?? input)
  return keepOutputs({ ...model, graph: { ...model.graph, nodes, inputs } }, () => true)
}

/** The writing side. */
export function layOut(model: Model, layout: Layout): Model {
  const names = Array.from({ length: layout.layers }, (_, layer) => [layout.key(layer), layout.value(layer)] as const)
  const given = new Set(names.flat())
  const nodes = model.graph.nodes.map((node) => ({
    ...node,
    outputs: node.outputs.map((output) => (given.has(output) ? `${output}.heads` : output)),
  }))
  const turned = names.map(([key]) => ({
    ...aNode('Transpose', [`${key}.heads`], `${key}.turned`),
    attributes: [integersAttribute('perm', [0, 1, 3, 2])],
  }))
  const flat = names.map(([key, value]) => [flattened(`${key}.turned`, key), flattened(`${value}.heads`, value)])
  const added = [...turned, ...flat.flat(2)]
  const initializers = [...model.graph.initializers, integers('vaak.all', [-1]), integers('vaak.inner', [2, 3])]
  const outputs = model.graph.outputs.map((output) =>
    given.has(output.name) ? valueOfType(output.name, elementType.float32) : output,
  )
  return { ...model, graph: { ...model.graph, nodes: [...nodes, ...added], initializers, outputs } }
}

interface Rearrangements {
  readonly keyReshape: Node
  readonly keyTranspose: Node
  readonly valueReshape: Node
}

function rearrangements(graph: Graph, { key, value }: { key: string; value: string }): Rearrangements | undefined {
  const readersOf = (name: string): Node[] => graph.nodes.filter(({ inputs }) => inputs.includes(name))
  const onlyReshape = (name: string): Node | undefined => {
    const [first, ...others] = readersOf(name)
    return first?.op === 'Reshape' && others.length === 0 ? first : undefined
  }
  const keyReshape = onlyReshape(key)
  const valueReshape = onlyReshape(value)
  if (!keyReshape || !valueReshape) return undefined
  const readers = readersOf(keyReshape.outputs[0]!).filter(({ op }) => op !== 'Shape')
  const [keyTranspose] = readers
  const turned = keyTranspose?.op === 'Transpose' && readers.length === 1
  const multiplied = turned && readersOf(keyTranspose.outputs[0]!).every(({ op }) => op === 'MatMul')
  return multiplied ? { keyReshape, keyTranspose, valueReshape } : undefined
}

/** [rows, heads, a, b] → [rows × heads, a, b] */
function flattened(from: string, to: string): Node[] {
  return [
    aNode('Shape', [from], `${to}.shape`),
    {
      ...aNode('Gather', [`${to}.shape`, 'vaak.inner'], `${to}.inner`),
      attributes: [integerAttribute('axis', 0)],
    },
    { ...aNode('Concat', ['vaak.all', `${to}.inner`], `${to}.flat`), attributes: [integerAttribute('axis', 0)] },
    aNode('Reshape', [from, `${to}.flat`], to),
  ]
}
