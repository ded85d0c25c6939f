import { aNode, floats, integers } from './make.ts'
import type { Graph, OnnxModel, Named, OnnxNode } from './model.ts'
import { keepOutputs, lastSizesOf, producersOf, wholeNumbersOf } from './rewrite.ts'

/**
 * Queries and keys learn their position by rotating pairs of neighbours. Exports take the pairs apart, negate one half,
 * put them together again and set aside the end that is not rotated: a dozen copies each. Here a table of ones and
 * minus ones makes neighbours change places, and the end is rotated by nothing. All other products are by nought, so
 * every result is the one that it was. `tokens` is how many there are at a time, -1 if that varies.
 */
export function rotatePairs(model: OnnxModel, tokens: number): OnnxModel {
  const producers = producersOf(model.graph)
  const rotations = new Map(
    model.graph.nodes.flatMap((node) => {
      const found = rotationAt(node, model.graph, producers)
      return found ? [[node, found] as const] : []
    }),
  )
  const [first, ...others] = rotations.values()
  if (!first || others.some((other) => other.cosine !== first.cosine || other.sine !== first.sine)) return model
  let known = false
  const nodes = model.graph.nodes.flatMap((node) => {
    const rotation = rotations.get(node)
    if (!rotation) return [node]
    const angles = known ? [] : anglesOf(first)
    known = true
    return [...angles, ...rotated(rotation, node.outputs[0]!)]
  })
  const initializers = [...model.graph.initializers, ...constants(first, tokens)]
  return keepOutputs({ ...model, graph: { ...model.graph, nodes, initializers } }, () => true)
}

interface Rotation {
  /** All of a head, so wide; of which so much is rotated. */
  readonly head: string
  readonly width: number
  readonly turned: number
  readonly cosine: string
  readonly sine: string
}

/** Concat(Add(Mul(begin, cosine), Mul(neighbours, sine)), end), begin and end being slices of the same. */
function rotationAt(node: OnnxNode, graph: Graph, producers: ReadonlyMap<string, OnnxNode>): Rotation | undefined {
  const made = (by: string, name: string | undefined): OnnxNode | undefined => {
    const maker = producers.get(name ?? '')
    return maker?.op === by ? maker : undefined
  }
  if (node.op !== 'Concat' || node.inputs.length !== 2) return undefined
  const [sum, end] = [made('Add', node.inputs[0]), made('Slice', node.inputs[1])]
  const [straight, crossed] = [made('Mul', sum?.inputs[0]), made('Mul', sum?.inputs[1])]
  const begin = made('Slice', straight?.inputs[0])
  const pairs = made('Concat', made('Reshape', crossed?.inputs[0])?.inputs[0])
  const negated = made('Slice', made('Neg', made('Unsqueeze', pairs?.inputs[0])?.inputs[0])?.inputs[0])
  const plain = made('Slice', made('Unsqueeze', pairs?.inputs[1])?.inputs[0])
  const isOne =
    begin?.inputs[0] === end?.inputs[0] &&
    isEverySecond(graph, negated, { source: begin, from: 1 }) &&
    isEverySecond(graph, plain, { source: begin, from: 0 })
  if (!isOne || !end || !straight || !crossed) return undefined
  const [turned] = wholeNumbersOf(graph, end.inputs[1]) ?? []
  const split = made('Reshape', made('Transpose', end.inputs[0])?.inputs[0]) ?? made('Reshape', end.inputs[0])
  const [, width] = split ? lastSizesOf(graph, split) : []
  if (turned === undefined || width === undefined) return undefined
  return { head: end.inputs[0]!, width, turned, cosine: straight.inputs[1]!, sine: crossed.inputs[1]! }
}

function isEverySecond(
  graph: Graph,
  slice: OnnxNode | undefined,
  { source, from }: { source: OnnxNode | undefined; from: number },
): boolean {
  if (!slice || !source || slice.inputs[0] !== source.outputs[0]) return false
  return wholeNumbersOf(graph, slice.inputs[1])?.[0] === from && wholeNumbersOf(graph, slice.inputs[4])?.[0] === 2
}

/** The shape is told, so that the runtime can compute at load what follows from it. */
function anglesOf({ cosine, sine }: Rotation): OnnxNode[] {
  return [
    aNode('MatMul', [cosine, 'vaak.turn.begin'], 'vaak.turn.cosine.begin'),
    aNode('Add', ['vaak.turn.cosine.begin', 'vaak.turn.end'], 'vaak.turn.cosine.all'),
    aNode('Reshape', ['vaak.turn.cosine.all', 'vaak.turn.shape'], 'vaak.turn.cosine'),
    aNode('MatMul', [sine, 'vaak.turn.begin'], 'vaak.turn.sine.all'),
    aNode('Reshape', ['vaak.turn.sine.all', 'vaak.turn.shape'], 'vaak.turn.sine'),
  ]
}

function rotated({ head }: Rotation, output: string): OnnxNode[] {
  return [
    aNode('MatMul', [head, 'vaak.turn.places'], `${output}.neighbours`),
    aNode('Mul', [head, 'vaak.turn.cosine'], `${output}.straight`),
    aNode('Mul', [`${output}.neighbours`, 'vaak.turn.sine'], `${output}.crossed`),
    aNode('Add', [`${output}.straight`, `${output}.crossed`], output),
  ]
}

function constants({ width, turned }: Rotation, tokens: number): Named[] {
  const table = (rows: number, valueAt: (row: number, column: number) => number): number[] =>
    Array.from({ length: rows * width }, (_, at) => valueAt(Math.floor(at / width), at % width))
  const exchange = (row: number, column: number): number => {
    if (row !== (column ^ 1) || column >= turned) return 0
    return column % 2 === 0 ? -1 : 1
  }
  return [
    integers('vaak.turn.shape', [1, 1, tokens, width]),
    floats('vaak.turn.places', table(width, exchange), [width, width]),
    floats(
      'vaak.turn.begin',
      table(turned, (row, column) => (row === column ? 1 : 0)),
      [turned, width],
    ),
    floats(
      'vaak.turn.end',
      table(1, (_, column) => (column < turned ? 0 : 1)),
      [width],
    ),
  ]
}
