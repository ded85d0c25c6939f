import type { Graph, OnnxModel, Named, OnnxNode, Tensor } from './model.ts'
import { constantTensorOf, dimensionsOf, elementType, readTensor, subgraphOf, typeOf, valueInfo } from './model.ts'
import { fieldsOf, wireText } from './wire.ts'

type Branch = 'then_branch' | 'else_branch'

/**
 * One branch of a model that chooses with an `If` at its top, as a model of its own: no choice at every step, no
 * outputs that the branch only makes up, and weights where the runtime can pack them. Undefined when nothing is chosen.
 */
export function branchOf(model: OnnxModel, branch: Branch): OnnxModel | undefined {
  const choice = model.graph.nodes.find(({ op }) => op === 'If')
  const attribute = choice?.attributes.find(({ name }) => name === branch)
  if (!choice || !attribute) return undefined
  const chosen = subgraphOf(attribute)
  const graph: Graph = {
    nodes: [...model.graph.nodes.filter((node) => node !== choice), ...chosen.nodes],
    initializers: [...model.graph.initializers, ...chosen.initializers],
    inputs: model.graph.inputs,
    outputs: chosen.outputs,
  }
  return { ...model, graph }
}

/** The model with only these outputs, and without whatever served only the others. */
export function keepOutputs(model: OnnxModel, keep: (name: string) => boolean): OnnxModel {
  const outputs = model.graph.outputs.filter(({ name }) => keep(name))
  const needed = new Set(outputs.map(({ name }) => name))
  const nodes: OnnxNode[] = []
  for (const node of model.graph.nodes.toReversed()) {
    if (!node.outputs.some((name) => needed.has(name))) continue
    nodes.push(node)
    for (const name of node.inputs) needed.add(name)
  }
  const graph: Graph = {
    nodes: nodes.reverse(),
    initializers: model.graph.initializers.filter(({ name }) => needed.has(name)),
    inputs: model.graph.inputs.filter(({ name }) => needed.has(name)),
    outputs,
  }
  return { ...model, graph }
}

export function producersOf(graph: Graph): Map<string, OnnxNode> {
  return new Map(graph.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)))
}

export function constantOf(graph: Graph, name: string | undefined): Tensor | undefined {
  const found = graph.initializers.find((initializer) => initializer.name === name)
  if (found) return readTensor(found)
  const maker = graph.nodes.find(({ outputs }) => name !== undefined && outputs.includes(name))
  return maker && constantTensorOf(maker)
}

/** The values of a constant of 64-bit integers. */
export function wholeNumbersOf(graph: Graph, name: string | undefined): number[] | undefined {
  const constant = constantOf(graph, name)
  if (constant?.type !== elementType.int64) return undefined
  return Array.from(new BigInt64Array(Uint8Array.from(constant.raw).buffer), Number)
}

/** The last two of the four sizes that a `Reshape` gives, where they are constant. */
export function lastSizesOf(graph: Graph, { inputs }: OnnxNode): number[] {
  const whole = wholeNumbersOf(graph, inputs[1])
  if (whole) return whole.slice(2)
  const parts = graph.nodes.find(({ op, outputs }) => op === 'Concat' && outputs[0] === inputs[1])?.inputs ?? []
  return parts.slice(2).flatMap((part) => wholeNumbersOf(graph, part) ?? [])
}

/**
 * Exports ask whatever tensor is at hand how many rows the batch has, and so tie together what has nothing else in
 * common. Here all of them ask one input.
 */
export function askBatchOf(model: OnnxModel, input: string): OnnxModel {
  const { graph } = model
  const consumers = new Map<string, OnnxNode[]>()
  for (const node of graph.nodes)
    for (const name of node.inputs) consumers.set(name, [...(consumers.get(name) ?? []), node])
  const wantsRows = (node: OnnxNode): boolean => {
    const index = node.op === 'Gather' ? constantOf(graph, node.inputs[1]) : undefined
    return index !== undefined && index.raw.length > 0 && index.raw.every((byte) => byte === 0)
  }
  const nodes = graph.nodes.map((node) => {
    const readers = node.op === 'Shape' ? (consumers.get(node.outputs[0]!) ?? []) : []
    return readers.length > 0 && readers.every(wantsRows) ? { ...node, inputs: [input] } : node
  })
  return { ...model, graph: { ...graph, nodes } }
}

/** The version of ONNX's own operators: some of them take as inputs what they took as attributes before. */
export function opsetOf(model: OnnxModel): number {
  for (const opset of model.opsets) {
    let domain = ''
    let version = 0
    for (const field of fieldsOf(opset)) {
      if (field.kind === 'bytes' && field.number === 1) domain = wireText(field.value)
      if (field.kind === 'varint' && field.number === 2) version = Number(field.value)
    }
    if (domain === '' || domain === 'ai.onnx') return version
  }
  return 0
}

/** Outputs of these names become inputs: what computed them is cut off, and somebody else hands them in. */
export function outputsAsInputs(model: OnnxModel, taken: (name: string) => boolean): OnnxModel {
  const cut = model.graph.outputs.filter(({ name }) => taken(name))
  const names = new Set(cut.map(({ name }) => name))
  const graph: Graph = {
    ...model.graph,
    nodes: model.graph.nodes.filter(({ outputs }) => !outputs.some((output) => names.has(output))),
    inputs: [...model.graph.inputs, ...cut],
    outputs: model.graph.outputs.filter(({ name }) => !names.has(name)),
  }
  return keepOutputs({ ...model, graph }, () => true)
}

/** Two models, of which the second takes the first's value of this name and makes the output of it. */
export function cutAt(model: OnnxModel, value: Named, output: string): { before: OnnxModel; after: OnnxModel } {
  const { graph } = model
  const outputs = graph.outputs.filter(({ name }) => name !== output)
  const nodes = graph.nodes.filter((node) => !node.outputs.includes(value.name))
  return {
    before: keepOutputs({ ...model, graph: { ...graph, outputs: [...outputs, value] } }, () => true),
    after: keepOutputs({ ...model, graph: { ...graph, nodes, inputs: [value] } }, (name) => name === output),
  }
}

/** Gives sizes to dimensions that vary by name: what only computes with shapes is then computed once, at load. */
export function fixDimensions(model: OnnxModel, sizes: Readonly<Record<string, number>>): OnnxModel {
  const inputs = model.graph.inputs.map((input) => {
    const dims = dimensionsOf(input)
    if (!dims.some((dim) => typeof dim === 'string' && dim in sizes)) return input
    const fixed = dims.map((dim, at) => (typeof dim === 'string' ? (sizes[dim] ?? dim) : (dim ?? `any.${at}`)))
    return valueInfo(input.name, typeOf(input), fixed)
  })
  return { ...model, graph: { ...model.graph, inputs } }
}
