import { aNode, integers } from './make.ts'
import type { Graph, Named, OnnxModel, OnnxNode } from './model.ts'
import { constantOf, keepOutputs, producersOf, wholeNumbersOf } from './rewrite.ts'

/**
 * Exports make queries, keys and values in one product of bytes and then copy each out of it. Here each has a product of
 * its own, with its columns of the weights: the same sums, and nothing is copied. The runtime cuts the weights
 * once, when it opens the model, and keeps only what it packs.
 */
export function splitProducts(model: OnnxModel): OnnxModel {
  const { graph } = model
  const producers = producersOf(graph)
  const made = new Map<string, Named>([[axis, integers(axis, [-1])]])
  const apart = new Map<OnnxNode, readonly OnnxNode[]>()
  for (const split of graph.nodes.filter(({ op }) => op === 'Split')) {
    const product = productBefore(split, graph, producers)
    const widths = wholeNumbersOf(graph, split.inputs[1]) ?? []
    if (product && widths.length === split.outputs.length) apart.set(split, partsOf(split, product, { widths, made }))
  }
  if (apart.size === 0) return model
  const nodes = graph.nodes.flatMap((node) => apart.get(node) ?? [node])
  const initializers = [...graph.initializers, ...made.values()]
  return keepOutputs({ ...model, graph: { ...graph, nodes, initializers } }, () => true)
}

const axis = 'vaak.split.axis'

/** A product of bytes as exports write it: the sums of the bytes, as floats, times both scales, and a bias. */
interface Product {
  readonly sums: OnnxNode
  readonly cast: OnnxNode
  readonly scales: OnnxNode
  readonly scaled: OnnxNode
  readonly biased: OnnxNode
}

type Producers = ReadonlyMap<string, OnnxNode>

function productBefore(split: OnnxNode, graph: Graph, producers: Producers): Product | undefined {
  const makerOf = (node: OnnxNode | undefined, op: string): OnnxNode | undefined => {
    const name = node?.inputs[0] ?? ''
    const maker = producers.get(name)
    return maker?.op === op && hasOneReader(graph, name) ? maker : undefined
  }
  const biased = makerOf(split, 'Add')
  const scaled = makerOf(biased, 'Mul')
  const cast = makerOf(scaled, 'Cast')
  const sums = makerOf(cast, 'MatMulInteger')
  const scales = producers.get(scaled?.inputs[1] ?? '')
  if (!biased || !scaled || !cast || !sums || scales?.op !== 'Mul') return undefined
  const columns = constantOf(graph, sums.inputs[1])?.dims[1]
  // one scale or zero point for all columns cannot be cut
  const ofColumns = [sums.inputs[3], scales.inputs[1], biased.inputs[1]].map((name) => constantOf(graph, name)?.dims)
  const isCut = columns !== undefined && ofColumns.every((dims) => dims?.length === 1 && dims[0] === columns)
  return isCut ? { sums, cast, scales, scaled, biased } : undefined
}

function hasOneReader({ nodes, outputs }: Graph, name: string): boolean {
  return nodes.filter(({ inputs }) => inputs.includes(name)).length === 1 && !outputs.some((one) => one.name === name)
}

interface Cuts {
  readonly widths: readonly number[]
  /** The constants that say where. */
  readonly made: Map<string, Named>
}

function partsOf(split: OnnxNode, product: Product, { widths, made }: Cuts): OnnxNode[] {
  const { sums, cast, scales, scaled, biased } = product
  let column = 0
  const nextBound = (width: number): string => {
    column += width
    const name = `vaak.split.${column}`
    made.set(name, integers(name, [column]))
    return name
  }
  return split.outputs.flatMap((output, part) => {
    const [first, end] = [nextBound(0), nextBound(widths[part]!)]
    const own = (what: string): string => `${output}.${what}`
    const cut = (whole: string, what: string): OnnxNode => aNode('Slice', [whole, first, end, axis], own(what))
    const [values, weights, zero, zeros] = sums.inputs
    return [
      cut(weights!, 'weights'),
      cut(zeros!, 'zeros'),
      cut(scales.inputs[1]!, 'steps'),
      cut(biased.inputs[1]!, 'bias'),
      { ...sums, inputs: [values!, own('weights'), zero!, own('zeros')], outputs: [own('sums')] },
      { ...cast, inputs: [own('sums')], outputs: [own('floats')] },
      { ...scales, inputs: [scales.inputs[0]!, own('steps')], outputs: [own('scales')] },
      { ...scaled, inputs: [own('floats'), own('scales')], outputs: [own('product')] },
      { ...biased, inputs: [own('product'), own('bias')], outputs: [output] },
    ]
  })
}
