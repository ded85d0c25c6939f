import type { Graph, OnnxModel, OnnxNode } from './model.ts'
import { floatAttribute, integerAttribute } from './attributes.ts'
import { keepOutputs, producersOf, wholeNumbersOf } from './rewrite.ts'
import { joinedBytes, textField, varintField } from './wire.ts'

/**
 * Attention as one operator of the runtime instead of ten nodes: it walks through frames block by block, so that no
 * table of every frame against every other is ever written down, and a graph of few nodes opens in a fraction of the time.
 * Only where queries, keys and values come as [rows, frames, heads × width] and nothing is scaled or masked in between.
 */
export function fuseAttention(model: OnnxModel): OnnxModel {
  const { graph } = model
  const producers = producersOf(graph)
  const readers = readersOf(graph)
  const replaced = new Map<OnnxNode, OnnxNode>()
  for (const softmax of graph.nodes.filter(({ op }) => op === 'Softmax')) {
    const found = attentionAround(softmax, { graph, producers, readers })
    if (found) replaced.set(found.last, found.fused)
  }
  if (replaced.size === 0) return model
  const nodes = graph.nodes.map((node) => replaced.get(node) ?? node)
  const opsets = [...model.opsets, joinedBytes([textField(1, domain), varintField(2, 1)])]
  return keepOutputs({ ...model, opsets, graph: { ...graph, nodes } }, () => true)
}

const domain = 'com.microsoft'

interface Around {
  readonly graph: Graph
  readonly producers: ReadonlyMap<string, OnnxNode>
  readonly readers: ReadonlyMap<string, readonly OnnxNode[]>
}

function attentionAround(softmax: OnnxNode, around: Around): { last: OnnxNode; fused: OnnxNode } | undefined {
  const { producers } = around
  const scores = producers.get(softmax.inputs[0]!)
  const product = onlyReader(softmax, around)
  const last = product && onlyReader(onlyReader(product, around), around)
  if (scores?.op !== 'MatMul' || product?.op !== 'MatMul' || last?.op !== 'Reshape') return undefined
  const parts = [scores.inputs[0]!, scores.inputs[1]!, product.inputs[1]!].map((name) => unfolded(name, around))
  const heads = parts[0]?.heads
  if (heads === undefined || !parts.every((part) => part?.heads === heads)) return undefined
  const attributes = [integerAttribute('num_heads', heads), floatAttribute('scale', 1)]
  const inputs = parts.map((part) => part!.whole)
  return { last, fused: { op: 'MultiHeadAttention', domain, inputs, outputs: last.outputs, attributes } }
}

/** Transpose(Reshape(whole, [rows, frames, heads, width])) */
function unfolded(name: string, { graph, producers }: Around): { whole: string; heads: number } | undefined {
  const turned = producers.get(name)
  const shaped = turned?.op === 'Transpose' ? producers.get(turned.inputs[0]!) : undefined
  const shape = shaped?.op === 'Reshape' ? wholeNumbersOf(graph, shaped.inputs[1]) : undefined
  return shape?.length === 4 ? { whole: shaped!.inputs[0]!, heads: shape[2]! } : undefined
}

function readersOf(graph: Graph): Map<string, OnnxNode[]> {
  const readers = new Map<string, OnnxNode[]>()
  for (const node of graph.nodes)
    for (const input of node.inputs) readers.set(input, [...(readers.get(input) ?? []), node])
  return readers
}

function onlyReader(node: OnnxNode | undefined, { readers }: Around): OnnxNode | undefined {
  const found = readers.get(node?.outputs[0] ?? '') ?? []
  return found.length === 1 ? found[0] : undefined
}
