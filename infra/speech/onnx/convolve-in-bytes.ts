import { aNode, floats, integers } from './make.ts'
import type { OnnxModel, Named, OnnxNode } from './model.ts'
import { integerAttribute, integerIn, integersAttribute, integersIn } from './attributes.ts'
import { elementType, readTensor, tensor } from './model.ts'
import { keepOutputs } from './rewrite.ts'
import { joinedBytes, textField, varintField } from './wire.ts'

export interface Convolution {
  /** Of its output. */
  readonly name: string
  readonly inputs: number
  readonly outputs: number
  readonly taps: number
}

/**
 * Convolutions along one axis as products of bytes: the audio is quantised by its own extremes each time, the weights once,
 * each output channel by its largest. The runtime's own convolution of bytes multiplies unsigned by unsigned, for which
 * processors have nothing; a product of matrices has the weights on the right, where they may be signed.
 */
export function convolveInBytes(model: OnnxModel, chosen: (convolution: Convolution) => boolean): OnnxModel {
  const { graph } = model
  const weights = new Map(graph.initializers.map((initializer) => [initializer.name, initializer]))
  const made: Named[] = [integers('bytes/axis', [1])]
  const quantised = new Map<string, string>()
  const nodes = graph.nodes.flatMap((node, at): OnnxNode[] => {
    const shape = shapeOf(node, weights.get(node.inputs[1] ?? ''))
    if (!shape || !chosen({ ...shape, name: node.outputs[0]! })) return [node]
    const audio = node.inputs[0]!
    const prefix = `bytes/${at}`
    const quantise = quantised.has(audio) ? [] : quantiseNodes(audio, prefix)
    const source = quantised.get(audio) ?? prefix
    quantised.set(audio, source)
    made.push(...weightsOf(shape, prefix))
    const side = sideBySide(shape, { source, prefix })
    made.push(...side.constants)
    return [...quantise, ...side.nodes, ...productNodes(node, { source, prefix, columns: side.columns })]
  })
  const initializers = [...graph.initializers, ...made]
  const opsets = [...model.opsets, joinedBytes([textField(1, 'com.microsoft'), varintField(2, 1)])]
  return keepOutputs({ ...model, opsets, graph: { ...graph, nodes, initializers } }, () => true)
}

interface Shape extends Omit<Convolution, 'name'> {
  readonly stride: number
  readonly dilation: number
  readonly before: number
  readonly after: number
  readonly values: Float32Array
}

function shapeOf(node: OnnxNode, weight: Named | undefined): Shape | undefined {
  if (node.op !== 'Conv' || !weight) return undefined
  const { type, dims, raw } = readTensor(weight)
  const [outputs = 0, inputs = 0, taps] = dims
  const one = (name: string): number => integersIn(node, name)[0] ?? 1
  if (dims.length !== 3 || taps === undefined || type !== elementType.float32) return undefined
  // a group of channels by itself would be another, smaller product
  if (integersIn(node, 'pads').length !== 2 || (integerIn(node, 'group') ?? 1) !== 1) return undefined
  const [before = 0, after = 0] = integersIn(node, 'pads')
  const values = new Float32Array(new Uint8Array(raw).buffer) // copied, because it may begin at any byte
  return { outputs, inputs, taps, stride: one('strides'), dilation: one('dilations'), before, after, values }
}

function quantiseNodes(audio: string, prefix: string): OnnxNode[] {
  const outputs = [`${prefix}/values`, `${prefix}/step`, `${prefix}/zero`]
  return [
    { op: 'DynamicQuantizeLinear', domain: '', inputs: [audio], outputs, attributes: [] },
    turned(`${prefix}/values`, `${prefix}/rows`),
  ]
}

function turned(from: string, to: string): OnnxNode {
  return { ...aNode('Transpose', [from], to), attributes: [integersAttribute('perm', [0, 2, 1])] }
}

const mostOfByte = 127

/** A column for each output channel; its rows are the taps, and in each the input channels. */
function weightsOf({ outputs, inputs, taps, values }: Shape, prefix: string): Named[] {
  const bytes = new Int8Array(taps * inputs * outputs)
  const steps: number[] = []
  for (let output = 0; output < outputs; output += 1) {
    const own = values.subarray(output * inputs * taps, (output + 1) * inputs * taps)
    let largest = 0
    for (const value of own) largest = Math.max(largest, Math.abs(value))
    const step = largest === 0 ? 1 : largest / mostOfByte
    steps.push(step)
    for (let input = 0; input < inputs; input += 1)
      for (let tap = 0; tap < taps; tap += 1)
        bytes[(tap * inputs + input) * outputs + output] = Math.round(own[input * taps + tap]! / step)
  }
  const raw = new Uint8Array(bytes.buffer)
  return [
    tensor({ name: `${prefix}/weights`, type: elementType.int8, dims: [taps * inputs, outputs], raw }),
    floats(`${prefix}/steps`, steps, [outputs]),
  ]
}

interface Place {
  /** Where the audio was quantised. */
  readonly source: string
  readonly prefix: string
}

const toTheEnd = 2 ** 31 - 1

/** What each tap sees, beside what the others see, so that one product does them all. */
function sideBySide({ taps, stride, dilation, before, after }: Shape, { source, prefix }: Place) {
  if (taps === 1 && stride === 1 && before === 0 && after === 0)
    return { nodes: [], constants: [], columns: `${source}/rows` }
  const padded = `${prefix}/padded`
  const constants = [integers(`${prefix}/pads`, [0, before, 0, 0, after, 0]), integers(`${prefix}/stride`, [stride])]
  const nodes = [aNode('Pad', [`${source}/rows`, `${prefix}/pads`, `${source}/zero`], padded)]
  const seen: string[] = []
  for (let tap = 0; tap < taps; tap += 1) {
    const [from, to] = [tap * dilation, (tap + 1 - taps) * dilation]
    constants.push(
      integers(`${prefix}/from/${tap}`, [from]),
      integers(`${prefix}/to/${tap}`, [to === 0 ? toTheEnd : to]),
    )
    const sees = `${prefix}/tap/${tap}`
    const span = [`${prefix}/from/${tap}`, `${prefix}/to/${tap}`]
    nodes.push(aNode('Slice', [padded, ...span, 'bytes/axis', `${prefix}/stride`], sees))
    seen.push(sees)
  }
  const columns = `${prefix}/columns`
  nodes.push({ ...aNode('Concat', seen, columns), attributes: [integerAttribute('axis', 2)] })
  return { nodes, constants, columns }
}

function productNodes({ inputs, outputs }: OnnxNode, place: Place & { readonly columns: string }): OnnxNode[] {
  const { source, prefix, columns } = place
  const factors = [columns, `${prefix}/weights`, `${source}/step`, `${prefix}/steps`, `${source}/zero`, '']
  const product: OnnxNode = {
    op: 'MatMulIntegerToFloat',
    domain: 'com.microsoft',
    inputs: [...factors, inputs[2] ?? ''],
    outputs: [`${prefix}/product`],
    attributes: [],
  }
  return [product, turned(`${prefix}/product`, outputs[0]!)]
}
