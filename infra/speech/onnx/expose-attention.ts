import { aNode } from './make.ts'
import type { Graph, OnnxModel, OnnxNode } from './model.ts'
import { elementType, valueOfType } from './model.ts'
import { producersOf } from './rewrite.ts'

/**
 * Where a decoder looks in the audio is computed in every step and seldom given out. This gives it out, as
 * `cross_attentions.N`: the left factor of the product with layer N's cached values, back to its softmax. Exports that
 * give it out in another shape work that shape out at every step; from here on it has the shape that it is made in.
 */
export function exposeAttention(model: OnnxModel, valuesOf: (layer: number) => string): OnnxModel {
  const { graph } = model
  const producers = producersOf(graph)
  const shown = new Map<string, OnnxNode>()
  for (let layer = 0; ; layer++) {
    const softmax = softmaxOver(graph, producers, valuesOf(layer))
    if (!softmax) break
    const name = `cross_attentions.${layer}`
    shown.set(name, aNode('Identity', [softmax], name))
  }
  const renamed = (name: string): string => (shown.has(name) ? `${name}.unfolded` : name)
  const nodes = graph.nodes.map((node) => {
    return { ...node, inputs: node.inputs.map(renamed), outputs: node.outputs.map(renamed) }
  })
  const outputs = [
    ...graph.outputs.filter(({ name }) => !shown.has(name)),
    ...Array.from(shown.keys(), (name) => valueOfType(name, elementType.float32)),
  ]
  return { ...model, graph: { ...graph, nodes: [...nodes, ...shown.values()], outputs } }
}

function softmaxOver(graph: Graph, producers: Map<string, OnnxNode>, values: string): string | undefined {
  const product = graph.nodes.find(({ op, inputs }) => op === 'MatMul' && path(producers, inputs[1]!).includes(values))
  const source = product && path(producers, product.inputs[0]!).at(-1)
  return source !== undefined && producers.get(source)?.op === 'Softmax' ? source : undefined
}

/** Back through everything that only rearranges. */
function path(producers: Map<string, OnnxNode>, name: string): string[] {
  const names = [name]
  for (;;) {
    const maker = producers.get(names.at(-1)!)
    if (!maker || !/^(?:Reshape|Transpose|Identity)$/.test(maker.op)) return names
    names.push(maker.inputs[0]!)
  }
}
