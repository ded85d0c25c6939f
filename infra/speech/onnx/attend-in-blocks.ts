import { aNode, integers } from './make.ts'
import type { OnnxModel, Named, OnnxNode } from './model.ts'
import { integerAttribute } from './attributes.ts'
import { keepOutputs, producersOf } from './rewrite.ts'

export interface Blocks {
  /** Frames that the longest sound has. */
  readonly frames: number
  /** Frames that look at all others in one go. */
  readonly rows: number
}

/**
 * An encoder compares every frame with every other: for half a minute these are a hundred megabytes a layer, written,
 * read and written again. Here some frames at a time look at all others, and their share stays in the cache. No frame's
 * arithmetic changes, so the result is the same to the bit.
 */
export function attendInBlocks(model: OnnxModel, { frames, rows }: Blocks): OnnxModel {
  const producers = producersOf(model.graph)
  const count = Math.ceil(frames / rows)
  const replaced = new Map<OnnxNode, readonly OnnxNode[]>()
  for (const softmax of model.graph.nodes.filter(({ op }) => op === 'Softmax')) {
    const scores = producers.get(softmax.inputs[0]!)
    const mixing = productWith(model, softmax.outputs[0]!)
    if (scores?.op === 'MatMul' && mixing) replaced.set(mixing, blocksOf({ scores, softmax, mixing }, count))
  }
  const nodes = model.graph.nodes.flatMap((node) => replaced.get(node) ?? [node])
  const initializers = [...model.graph.initializers, ...bounds(count, rows)]
  return keepOutputs({ ...model, graph: { ...model.graph, nodes, initializers } }, () => true)
}

interface Attention {
  readonly scores: OnnxNode
  readonly softmax: OnnxNode
  readonly mixing: OnnxNode
}

/** The second axis from the end is the looking frame's, with heads and rows in one dimension or in two. */
const axis = -2

function blocksOf({ scores, softmax, mixing }: Attention, count: number): OnnxNode[] {
  const [queries, keys] = [scores.inputs[0]!, scores.inputs[1]!]
  const name = (part: string, block: number): string => `${mixing.outputs[0]}.${part}.${block}`
  const numbers = Array.from({ length: count }, (_, block) => block)
  const blocks = numbers.flatMap((block) => [
    aNode('Slice', [queries, from(block), to(block), 'vaak.block.axis'], name('queries', block)),
    aNode('MatMul', [name('queries', block), keys], name('scores', block)),
    { ...softmax, inputs: [name('scores', block)], outputs: [name('weights', block)] },
    aNode('MatMul', [name('weights', block), mixing.inputs[1]!], name('mixed', block)),
  ])
  const whole = aNode(
    'Concat',
    numbers.map((block) => name('mixed', block)),
    mixing.outputs[0]!,
  )
  return [...blocks, { ...whole, attributes: [integerAttribute('axis', axis)] }]
}

/** Some exports fold and unfold the heads in between, to show what was looked at. */
function productWith(model: OnnxModel, weights: string): OnnxNode | undefined {
  let name = weights
  for (;;) {
    const [reader, ...others] = model.graph.nodes.filter(({ inputs }) => inputs.includes(name))
    if (others.length > 0 || model.graph.outputs.some((output) => output.name === name)) return undefined
    if (reader?.op === 'MatMul' && reader.inputs[0] === name) return reader
    if (reader?.op !== 'Reshape') return undefined
    name = reader.outputs[0]!
  }
}

const from = (block: number): string => `vaak.block.from.${block}`
const to = (block: number): string => `vaak.block.to.${block}`

function bounds(count: number, rows: number): Named[] {
  const numbers = Array.from({ length: count }, (_, block) => block)
  return [
    integers('vaak.block.axis', [axis]),
    ...numbers.flatMap((block) => [integers(from(block), [block * rows]), integers(to(block), [(block + 1) * rows])]),
  ]
}
