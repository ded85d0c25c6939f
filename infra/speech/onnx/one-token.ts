import { aNode, integers } from './make.ts'
import type { Graph, OnnxModel, Named, OnnxNode } from './model.ts'
import { integersIn } from './attributes.ts'
import { elementType } from './model.ts'
import { constantOf, lastSizesOf, keepOutputs, producersOf, wholeNumbersOf } from './rewrite.ts'

/**
 * A decoder's graph is written for many tokens. A step has one in each row: a mask hides nothing from it, to turn heads
 * and tokens around moves nothing, and what is unfolded is folded again. None of it computes, all of it takes time.
 */
export function forOneToken(model: OnnxModel): OnnxModel {
  const placed = withOnePlace(withoutDetours(withoutMasks(model.graph)))
  const { nodes, shapes } = withoutTurning(placed)
  const initializers = [...model.graph.initializers, ...shapes]
  const graph = withoutFirstShapes({ ...model.graph, nodes, initializers })
  return keepOutputs({ ...model, graph }, () => true)
}

/** What is added to scores and follows from lengths alone is a mask. */
function withoutMasks(graph: Graph): Graph {
  const producers = producersOf(graph)
  const nodes = graph.nodes.map((node) => {
    const sum = node.op === 'Softmax' ? producers.get(node.inputs[0]!) : undefined
    const [scores, mask] = sum?.op === 'Add' ? sum.inputs : []
    const isMask =
      scores && mask && producers.get(scores)?.op === 'MatMul' && followsFromLengths(mask, graph, producers)
    return isMask ? { ...node, inputs: [scores] } : node
  })
  return { ...graph, nodes }
}

/** Not from what was said, and not from anything that was learnt. */
function followsFromLengths(name: string, graph: Graph, producers: ReadonlyMap<string, OnnxNode>): boolean {
  const seen = new Set<string>()
  const open = [name]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const maker = producers.get(at)
    if (maker?.op === 'Shape' || maker?.op === 'Constant') continue
    if (maker) open.push(...maker.inputs)
    else if (constantOf(graph, at)?.type !== elementType.int64) return false
  }
  return true
}

/** Weights are unfolded to be shown and folded again to be used: the product takes them before. */
function withoutDetours(graph: Graph): Graph {
  const producers = producersOf(graph)
  const unfolded = (name: string | undefined): string | undefined => {
    const maker = producers.get(name ?? '')
    return maker?.op === 'Reshape' ? maker.inputs[0] : undefined
  }
  const nodes = graph.nodes.map((node) => {
    const weights = node.op === 'MatMul' ? unfolded(unfolded(node.inputs[0])) : undefined
    const isDetour = weights !== undefined && producers.get(weights)?.op === 'Softmax'
    return isDetour ? { ...node, inputs: [weights, node.inputs[1]!] } : node
  })
  return { ...graph, nodes }
}

/** The places of the next tokens are a slice of a table, of unknown length; that of the next token is one row of it. */
function withOnePlace(graph: Graph): Graph {
  const tables = new Set(graph.initializers.map(({ name }) => name))
  const nodes = graph.nodes.map((node) => {
    const [table, from, , axes] = node.op === 'Slice' ? node.inputs : []
    const isPlace = table && from && tables.has(table) && !tables.has(from) && wholeNumbersOf(graph, axes)?.[0] === 0
    return isPlace ? aNode('Gather', [table, from], node.outputs[0]!) : node
  })
  return { ...graph, nodes }
}

/** [rows, 1, heads, width] lies in memory as [rows, heads, 1, width] does. */
function withoutTurning(graph: Graph): { nodes: readonly OnnxNode[]; shapes: readonly Named[] } {
  const producers = producersOf(graph)
  const shapes = new Map<string, Named>()
  const nodes = graph.nodes.map((node) => {
    const source = producers.get(node.inputs[0] ?? '')
    if (node.op === 'Reshape' && source && turnsHeads(source))
      return { ...node, inputs: [source.inputs[0]!, node.inputs[1]!] }
    if (source?.op !== 'Reshape' || !turnsHeads(node)) return node
    const [heads, width] = lastSizesOf(graph, source)
    if (heads === undefined || width === undefined) return node
    const shape = integers(`vaak.heads.${heads}.${width}`, [-1, heads, 1, width])
    shapes.set(shape.name, shape)
    return aNode('Reshape', [source.inputs[0]!, shape.name], node.outputs[0]!)
  })
  return { nodes, shapes: [...shapes.values()] }
}

function turnsHeads(node: OnnxNode): boolean {
  return node.op === 'Transpose' && integersIn(node, 'perm').join() === '0,2,1,3'
}

/** Of two shapes in a row the second counts. */
function withoutFirstShapes(graph: Graph): Graph {
  const producers = producersOf(graph)
  const nodes = graph.nodes.map((node) => {
    const before = node.op === 'Reshape' ? producers.get(node.inputs[0]!) : undefined
    return before?.op === 'Reshape' ? { ...node, inputs: [before.inputs[0]!, node.inputs[1]!] } : node
  })
  return { ...graph, nodes }
}
