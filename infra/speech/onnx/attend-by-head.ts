import type { Graph, OnnxModel, OnnxNode } from './model.ts'
import { integerAttribute } from './attributes.ts'
import { constantOf, opsetOf, producersOf } from './rewrite.ts'

/**
 * An encoder holds every frame against every other, for all heads together: for half a minute of sound the smallest
 * Whisper fills 54 MB twice, and the runtime keeps what it once took. Here the heads follow each other through the memory
 * of one. They never met before either: the sums are the same.
 */
export function attendByHead(model: OnnxModel): OnnxModel {
  const { graph } = model
  const producers = producersOf(graph)
  const replaced = new Map<OnnxNode, readonly OnnxNode[]>()
  for (const softmax of graph.nodes.filter(({ op }) => op === 'Softmax')) {
    const found = attentionAround(softmax, graph, producers)
    if (!found) continue
    for (const node of [found.scores, softmax, ...found.between]) replaced.set(node, [])
    replaced.set(found.product, headByHead(found, opsetOf(model)))
  }
  const nodes = graph.nodes.flatMap((node) => replaced.get(node) ?? [node])
  return { ...model, graph: { ...graph, nodes } }
}

interface Attention {
  readonly scores: OnnxNode
  readonly softmax: OnnxNode
  /** A look at the weights in another shape and back. */
  readonly between: readonly OnnxNode[]
  readonly product: OnnxNode
  readonly heads: number
}

function attentionAround(softmax: OnnxNode, graph: Graph, producers: Map<string, OnnxNode>): Attention | undefined {
  const scores = producers.get(softmax.inputs[0]!)
  const onlyReader = ({ outputs }: OnnxNode): OnnxNode | undefined => {
    const readers = graph.nodes.filter(({ inputs }) => inputs.includes(outputs[0]!))
    return readers.length === 1 && !graph.outputs.some(({ name }) => name === outputs[0]) ? readers[0] : undefined
  }
  const between: OnnxNode[] = []
  let product = onlyReader(softmax)
  while (product?.op === 'Reshape') {
    between.push(product)
    product = onlyReader(product)
  }
  const thereAndBack = between.length === 0 || between.length === 2
  if (scores?.op !== 'MatMul' || product?.op !== 'MatMul' || !thereAndBack || onlyReader(scores) !== softmax)
    return undefined
  const heads = headsOf(scores.inputs[0]!, graph, producers)
  return heads === undefined ? undefined : { scores, softmax, between, product, heads }
}

/** Queries become [rows, frames, heads, width] somewhere before they meet the keys. */
function headsOf(queries: string, graph: Graph, producers: Map<string, OnnxNode>): number | undefined {
  for (let maker = producers.get(queries); maker; maker = producers.get(maker.inputs[0]!)) {
    const heads = maker.op === 'Reshape' ? thirdOfFour(maker.inputs[1]!, graph, producers) : undefined
    if (heads !== undefined) return heads
  }
  return undefined
}

function thirdOfFour(shape: string, graph: Graph, producers: Map<string, OnnxNode>): number | undefined {
  const maker = producers.get(shape)
  const parts = maker?.op === 'Concat' ? maker.inputs : undefined
  const constant = constantOf(graph, parts?.length === 4 ? parts[2] : shape)
  const sizes = constant && new DataView(constant.raw.buffer, constant.raw.byteOffset, constant.raw.byteLength)
  const wanted = parts ? { bytes: 8, at: 0 } : { bytes: 32, at: 16 }
  if (sizes?.byteLength !== wanted.bytes) return undefined
  const heads = Number(sizes.getBigInt64(wanted.at, true))
  return heads > 1 ? heads : undefined
}

/** Counted from the end: what comes before the heads is nobody's business here, nor whether rows and heads are one. */
const headAxis = integerAttribute('axis', -3)

function headByHead({ scores, softmax, product, heads }: Attention, opset: number): OnnxNode[] {
  const each = Array.from({ length: heads }, (_, head) => head)
  const named = (what: string): string[] => each.map((head) => `${product.outputs[0]}.${what}.${head}`)
  const [queries, keys, values] = [named('queries'), named('keys'), named('values')]
  const [likenesses, weights, heard] = [named('likenesses'), named('weights'), named('heard')]
  const split = (whole: string, outputs: readonly string[]): OnnxNode => ({
    ...aNode('Split', [whole], outputs),
    attributes: [headAxis, ...(opset >= 18 ? [integerAttribute('num_outputs', heads)] : [])],
  })
  return [
    split(scores.inputs[0]!, queries),
    split(scores.inputs[1]!, keys),
    split(product.inputs[1]!, values),
    ...each.flatMap((head) => [
      aNode('MatMul', [queries[head]!, keys[head]!], [likenesses[head]!]),
      { ...softmax, inputs: [likenesses[head]!], outputs: [weights[head]!] },
      aNode('MatMul', [weights[head]!, values[head]!], [heard[head]!]),
    ]),
    { ...aNode('Concat', heard, product.outputs), attributes: [headAxis] },
  ]
}

function aNode(op: string, inputs: readonly string[], outputs: readonly string[]): OnnxNode {
  return { op, domain: '', inputs, outputs, attributes: [] }
}
