import type { WirePiece } from './wire.ts'
import { bytesField, fieldsOf, integersOf, joinedBytes, textField, wireText, varintField } from './wire.ts'

/** An ONNX model, read as far as our rewrites look into it; what they do not look into is carried along as bytes. */
export interface OnnxModel {
  readonly irVersion: bigint
  readonly opsets: readonly Uint8Array[]
  readonly graph: Graph
}

export interface Graph {
  readonly nodes: readonly OnnxNode[]
  readonly initializers: readonly Named[]
  readonly inputs: readonly Named[]
  readonly outputs: readonly Named[]
}

/** A tensor or a value description: its name, and all of it as the file has it. */
export interface Named {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface OnnxNode {
  readonly op: string
  readonly domain: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes: readonly Named[]
}

export function readModel(bytes: Uint8Array): OnnxModel {
  let irVersion = 0n
  let graph: Graph | undefined
  const opsets: Uint8Array[] = []
  for (const field of fieldsOf(bytes)) {
    if (field.kind === 'varint' && field.number === modelField.irVersion) irVersion = field.value
    if (field.kind !== 'bytes') continue
    if (field.number === modelField.graph) graph = readGraph(field.value)
    if (field.number === modelField.opset) opsets.push(field.value)
  }
  if (!graph) throw new RangeError('this is no ONNX model: it holds no graph')
  return { irVersion, opsets, graph }
}

export function writeModel({ irVersion, opsets, graph }: OnnxModel): Uint8Array {
  return joinedBytes([
    varintField(modelField.irVersion, irVersion),
    textField(modelField.producer, 'vaak'),
    ...opsets.map((opset) => bytesField(modelField.opset, opset)),
    bytesField(modelField.graph, [
      ...graph.nodes.map((node) => bytesField(graphField.node, nodePiece(node))),
      textField(graphField.name, 'vaak'),
      ...graph.initializers.map(({ bytes }) => bytesField(graphField.initializer, bytes)),
      ...graph.inputs.map(({ bytes }) => bytesField(graphField.input, bytes)),
      ...graph.outputs.map(({ bytes }) => bytesField(graphField.output, bytes)),
    ]),
  ])
}

function readGraph(bytes: Uint8Array): Graph {
  const nodes: OnnxNode[] = []
  const initializers: Named[] = []
  const inputs: Named[] = []
  const outputs: Named[] = []
  for (const field of fieldsOf(bytes)) {
    if (field.kind !== 'bytes') continue
    const { number, value } = field
    if (number === graphField.node) nodes.push(readNode(value))
    if (number === graphField.initializer) initializers.push({ name: textAt(value, tensorField.name), bytes: value })
    if (number === graphField.input) inputs.push({ name: textAt(value, nameField), bytes: value })
    if (number === graphField.output) outputs.push({ name: textAt(value, nameField), bytes: value })
  }
  return { nodes, initializers, inputs, outputs }
}

export function subgraphOf(attribute: Named): Graph {
  for (const field of fieldsOf(attribute.bytes))
    if (field.kind === 'bytes' && field.number === attributeField.graph) return readGraph(field.value)
  throw new RangeError(`the attribute ${attribute.name} holds no graph`)
}

/** The value of a `Constant` node, when it is a tensor. */
export function constantTensorOf({ op, outputs, attributes }: OnnxNode): Tensor | undefined {
  if (op !== 'Constant') return undefined
  for (const attribute of attributes)
    for (const field of fieldsOf(attribute.bytes))
      if (field.kind === 'bytes' && field.number === attributeField.tensor)
        return readTensor({ name: outputs[0] ?? '', bytes: field.value })
  return undefined
}

export const elementType = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const

export interface Tensor {
  readonly name: string
  readonly type: number
  readonly dims: readonly number[]
  readonly raw: Uint8Array
}

export function tensor({ name, type, dims, raw }: Tensor): Named {
  const piece = [
    ...dims.map((dim) => varintField(tensorField.dims, dim)),
    varintField(tensorField.type, type),
    textField(tensorField.name, name),
    bytesField(tensorField.raw, raw),
  ]
  return { name, bytes: joinedBytes(piece) }
}

/** A tensor whose values lie in a file beside the model. */
export function externalTensor(
  { name, type, dims }: Omit<Tensor, 'raw'>,
  at: { readonly location: string; readonly offset: number; readonly length: number },
): Named {
  const piece = [
    ...dims.map((dim) => varintField(tensorField.dims, dim)),
    varintField(tensorField.type, type),
    textField(tensorField.name, name),
    ...Object.entries(at).map(([key, value]) =>
      bytesField(tensorField.external, [textField(1, key), textField(2, String(value))]),
    ),
    varintField(tensorField.dataLocation, externalData),
  ]
  return { name, bytes: joinedBytes(piece) }
}

/** Small tensors may keep their values in typed fields instead of raw bytes; those are widened to raw ones here. */
export function readTensor(named: Named): Tensor {
  let type = 0
  let raw: Uint8Array = new Uint8Array()
  const dims: number[] = []
  const typed: bigint[] = []
  for (const field of fieldsOf(named.bytes)) {
    if (field.number === tensorField.dims) for (const dim of integersOf(field)) dims.push(Number(dim))
    if (field.kind === 'varint' && field.number === tensorField.type) type = Number(field.value)
    if (field.number === tensorField.int32Data) typed.push(...integersOf(field))
    if (field.kind === 'varint') continue
    if (field.number === tensorField.raw || field.number === tensorField.floatData) raw = field.value
  }
  if (raw.length === 0 && (type === elementType.uint8 || type === elementType.int8))
    raw = Uint8Array.from(typed, (value) => Number(BigInt.asUintN(8, value)))
  return { name: named.name, type, dims, raw }
}

/** The description of an input or output. A dimension is a size or a name for one that varies. */
export function valueInfo(name: string, type: number, dims: readonly (number | string)[]): Named {
  const shape = dims.map((dim) => bytesField(1, typeof dim === 'number' ? varintField(1, dim) : textField(2, dim)))
  const tensorType = [varintField(1, type), bytesField(2, shape)]
  return { name, bytes: joinedBytes([textField(nameField, name), bytesField(2, bytesField(1, tensorType))]) }
}

/** The element type of an input or output. */
export function typeOf(value: Named): number {
  for (const field of fieldsOf(inner(inner(value.bytes, 2), 1)))
    if (field.kind === 'varint' && field.number === 1) return Number(field.value)
  return elementType.float32
}

/** The dimensions of an input or output: sizes, names of those that vary, or undefined where nothing is said. */
export function dimensionsOf(value: Named): (number | string | undefined)[] {
  const shape = inner(inner(inner(value.bytes, 2), 1), 2)
  const dims: (number | string | undefined)[] = []
  for (const field of fieldsOf(shape)) {
    if (field.kind !== 'bytes' || field.number !== 1) continue
    const [dim] = fieldsOf(field.value)
    if (dim?.kind === 'varint') dims.push(Number(dim.value))
    else dims.push(dim && wireText(dim.value))
  }
  return dims
}

/** The description of an output whose shape is the runtime's business. */
export function valueOfType(name: string, type: number): Named {
  return { name, bytes: joinedBytes([textField(nameField, name), bytesField(2, bytesField(1, varintField(1, type)))]) }
}

export const nameField = 1
const modelField = { irVersion: 1, producer: 2, graph: 7, opset: 8 } as const
const graphField = { node: 1, name: 2, initializer: 5, input: 11, output: 12 } as const
const nodeField = { input: 1, output: 2, name: 3, op: 4, attribute: 5, domain: 7 } as const
export const attributeField = { float: 2, integer: 3, tensor: 5, graph: 6, integers: 8, type: 20 } as const
const tensorField = {
  dims: 1,
  type: 2,
  floatData: 4,
  int32Data: 5,
  name: 8,
  raw: 9,
  external: 13,
  dataLocation: 14,
} as const
const externalData = 1

function readNode(bytes: Uint8Array): OnnxNode {
  const inputs: string[] = []
  const outputs: string[] = []
  const attributes: Named[] = []
  let op = ''
  let domain = ''
  for (const field of fieldsOf(bytes)) {
    if (field.kind !== 'bytes') continue
    if (field.number === nodeField.input) inputs.push(wireText(field.value))
    if (field.number === nodeField.output) outputs.push(wireText(field.value))
    if (field.number === nodeField.op) op = wireText(field.value)
    if (field.number === nodeField.domain) domain = wireText(field.value)
    if (field.number === nodeField.attribute)
      attributes.push({ name: textAt(field.value, nameField), bytes: field.value })
  }
  return { op, domain, inputs, outputs, attributes }
}

function nodePiece({ op, domain, inputs, outputs, attributes }: OnnxNode): WirePiece {
  return [
    ...inputs.map((name) => textField(nodeField.input, name)),
    ...outputs.map((name) => textField(nodeField.output, name)),
    textField(nodeField.op, op),
    ...attributes.map(({ bytes }) => bytesField(nodeField.attribute, bytes)),
    ...(domain ? [textField(nodeField.domain, domain)] : []),
  ]
}

function inner(bytes: Uint8Array, number: number): Uint8Array {
  for (const field of fieldsOf(bytes)) if (field.kind === 'bytes' && field.number === number) return field.value
  return new Uint8Array()
}

function textAt(bytes: Uint8Array, number: number): string {
  for (const field of fieldsOf(bytes))
    if (field.kind === 'bytes' && field.number === number) return wireText(field.value)
  return ''
}
