import { aNode, floats, integers } from './make.ts'
import type { Graph, Model, Named, Node } from './model.ts'
import { integerAttribute } from './model.ts'
import { keepOutputs, producersOf, wholeNumbersOf } from './rewrite.ts'

/**
 * Queries and keys learn their position by rotating pairs of neighbours. Exports take the pairs apart, negate one half,
 * put them together again and set aside the end that is not rotated: a dozen small copies each. Here neighbours change
 * places in one copy, the sign is the sine's, and the end is rotated by nothing. Every product and every sum is the one
 * that it was. For one token, whose angles all heads share.
 */
export function rotatePairs(model: Model, width: number): Model {
  const producers = producersOf(model.graph)
  const rotations = new Map(
    model.graph.nodes.flatMap((node) => {
      const found = rotationAt(node, model.graph, producers)
      return found ? [[node, found] as const] : []
    }),
  )
  const [first] = rotations.values()
  if (!first) return model
  let known = false
  const nodes = model.graph.nodes.flatMap((node) => {
    const rotation = rotations.get(node)
    if (!rotation) return [node]
    const angles = known ? [] : anglesOf(first)
    known = true
    return [...angles, ...rotated(rotation, node.outputs[0]!)]
  })
  const initializers = [...model.graph.initializers, ...constants(first.turned, width)]
  return keepOutputs({ ...model, graph: { ...model.graph, nodes, initializers } }, () => true)
}

interface Rotation {
  /** All of a head; of which so many are rotated. */
  readonly head: string
  readonly turned: number
  readonly cosine: string
  readonly sine: string
}

/** Concat(Add(Mul(begin, cosine), Mul(neighbours, sine)), end), begin and end being slices of the same. */
function rotationAt(node: Node, graph: Graph, producers: ReadonlyMap<string, Node>): Rotation | undefined {
  const made = (by: string, name: string | undefined): Node | undefined => {
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
  const [turned] = wholeNumbersOf(graph, end?.inputs[1]) ?? []
  const isOne =
    begin?.inputs[0] === end?.inputs[0] &&
    isEverySecond(graph, negated, { of: begin, from: 1 }) &&
    isEverySecond(graph, plain, { of: begin, from: 0 })
  if (!isOne || !end || !straight || !crossed || turned === undefined) return undefined
  return { head: end.inputs[0]!, turned, cosine: straight.inputs[1]!, sine: crossed.inputs[1]! }
}

function isEverySecond(
  graph: Graph,
  slice: Node | undefined,
  { of, from }: { of: Node | undefined; from: number },
): boolean {
  if (!slice || !of || slice.inputs[0] !== of.outputs[0]) return false
  return wholeNumbersOf(graph, slice.inputs[1])?.[0] === from && wholeNumbersOf(graph, slice.inputs[4])?.[0] === 2
}

const lastAxis = integerAttribute('axis', -1)

function anglesOf({ cosine, sine }: Rotation): Node[] {
  return [
    { ...aNode('Concat', [cosine, 'vaak.turn.ones'], 'vaak.turn.cosine'), attributes: [lastAxis] },
    aNode('Mul', [sine, 'vaak.turn.signs'], 'vaak.turn.signed'),
    { ...aNode('Concat', ['vaak.turn.signed', 'vaak.turn.zeros'], 'vaak.turn.sine'), attributes: [lastAxis] },
  ]
}

function rotated({ head }: Rotation, output: string): Node[] {
  return [
    { ...aNode('Gather', [head, 'vaak.turn.neighbours'], `${output}.neighbours`), attributes: [lastAxis] },
    aNode('Mul', [head, 'vaak.turn.cosine'], `${output}.straight`),
    aNode('Mul', [`${output}.neighbours`, 'vaak.turn.sine'], `${output}.crossed`),
    aNode('Add', [`${output}.straight`, `${output}.crossed`], output),
  ]
}

function constants(turned: number, width: number): Named[] {
  const places = Array.from({ length: width }, (_, place) => place)
  const end = [1, 1, 1, width - turned]
  const row = (value: number): number[] => places.slice(turned).map(() => value)
  return [
    integers(
      'vaak.turn.neighbours',
      places.map((place) => (place < turned ? place ^ 1 : place)),
    ),
    floats(
      'vaak.turn.signs',
      places.slice(0, turned).map((place) => (place % 2 === 0 ? -1 : 1)),
      [1, 1, 1, turned],
    ),
    floats('vaak.turn.ones', row(1), end),
    floats('vaak.turn.zeros', row(0), end),
  ]
}
