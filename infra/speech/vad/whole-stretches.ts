import { integerAttribute } from '../onnx/attributes.ts'
import { aNode, floats, integers } from '../onnx/make.ts'
import { elementType, tensor, valueInfo } from '../onnx/model.ts'
import type { Graph, Named, OnnxModel, OnnxNode } from '../onnx/model.ts'
import { branchOf, constantOf } from '../onnx/rewrite.ts'
import { asProduct, floatsIn, fewColumnsIn } from './few-columns.ts'
import type { FewColumns } from './few-columns.ts'
import { vadFrameSamples } from './segments.ts'

/** What came just before a frame, which the network wants in front of it. */
export const contextSamples = 64
export const inputSamples = contextSamples + vadFrameSamples
/** How many numbers the network remembers, of each of its two kinds. */
export const stateSize = 128
/** What it remembers: the last output of its memory cells, and the cells. */
export const stateLayers = 2

/** Samples that the file puts behind a frame, mirrored at its end, so that its last window is full. */
const mirroredSamples = 64

/**
 * Silero as it is published hears one frame a run, asks in each which of two sample rates it has, sorts its weights anew, and
 * convolves over four columns, too few for any processor. Here frames are rows, those of a step side by side and step after
 * step: each convolution is one product for all of them, and only the memory goes through the steps in order. The answers
 * are the same.
 */
export function acceptWholeStretches(published: OnnxModel): OnnxModel {
  const model = branchOf(published, 'then_branch')
  if (!model) throw other('no branch for 16 kHz')
  const [transform, ...layers] = convolutionsOf(model.graph)
  if (!transform || layers.length !== 4) throw other('other layers')
  const spectrum = spectrumOf(transform)
  const encoder = encoderOf(layers, spectrum.columns)
  const graph: Graph = {
    nodes: [...spectrum.nodes, ...encoder.nodes, ...memory(encoder.output), ...answer],
    initializers: [...spectrum.initializers, ...encoder.initializers, ...weights(model.graph), ...shapes],
    inputs: [
      valueInfo('input', elementType.float32, ['rows', inputSamples]),
      valueInfo('state', elementType.float32, stateDims),
    ],
    outputs: [
      valueInfo('output', elementType.float32, ['rows', 1]),
      valueInfo('stateN', elementType.float32, stateDims),
    ],
  }
  return { ...model, graph }
}

const stateDims = [stateLayers, 'streams', stateSize]

interface Part {
  readonly nodes: readonly OnnxNode[]
  readonly initializers: readonly Named[]
}

/** The strength of each frequency in each window of a frame. */
function spectrumOf(transform: FewColumns): Part & { readonly columns: number } {
  const { matrix, columns } = asProduct(transform, inputSamples + mirroredSamples)
  const width = transform.outputs * columns
  const folded = matrix.slice(0, inputSamples * width)
  for (let at = 0; at < mirroredSamples; at += 1)
    for (let to = 0; to < width; to += 1) {
      const row = (inputSamples - 2 - at) * width
      folded[row + to] = folded[row + to]! + matrix[(inputSamples + at) * width + to]!
    }
  return {
    columns,
    nodes: [
      aNode('MatMul', ['input', 'vaak.waves'], 'vaak.transformed'),
      aNode('Mul', ['vaak.transformed', 'vaak.transformed'], 'vaak.squares'),
      {
        ...aNode('Split', ['vaak.squares'], ''),
        outputs: ['vaak.real', 'vaak.imaginary'],
        attributes: [integerAttribute('axis', 1)],
      },
      aNode('Add', ['vaak.real', 'vaak.imaginary'], 'vaak.power'),
      aNode('Sqrt', ['vaak.power'], 'vaak.spectrum'),
    ],
    initializers: [numbers('vaak.waves', folded, [inputSamples, width])],
  }
}

/** Each layer: a product, what is added to it, and nothing below zero. */
function encoderOf(layers: readonly FewColumns[], columnsIn: number): Part & { readonly output: string } {
  const nodes: OnnxNode[] = []
  const initializers: Named[] = []
  let input = 'vaak.spectrum'
  let columns = columnsIn
  for (const [at, layer] of layers.entries()) {
    const name = `vaak.layer${at}`
    const dense = asProduct(layer, columns)
    const bias = Array.from(
      { length: layer.outputs * dense.columns },
      (_, to) => layer.bias[Math.floor(to / dense.columns)]!,
    )
    initializers.push(
      numbers(`${name}.weights`, dense.matrix, [layer.inputs * columns, bias.length]),
      floats(`${name}.bias`, bias, [bias.length]),
    )
    nodes.push(
      aNode('MatMul', [input, `${name}.weights`], `${name}.product`),
      aNode('Add', [`${name}.product`, `${name}.bias`], `${name}.sum`),
      aNode('Relu', [`${name}.sum`], name),
    )
    input = name
    columns = dense.columns
  }
  if (columns !== 1) throw other(`${columns} columns a frame`)
  return { nodes, initializers, output: input }
}

const shapes = [
  integers('vaak.first', [0]),
  integers('vaak.second', [1]),
  integers('vaak.rest', [-1]),
  integers('vaak.width', [stateSize]),
  integers('vaak.rows', [-1, stateSize]),
]

function memory(rows: string): OnnxNode[] {
  const layer = (name: string, index: string): OnnxNode => aNode('Gather', ['state', index], name)
  return [
    aNode('Shape', ['state'], 'vaak.stateShape'),
    aNode('Gather', ['vaak.stateShape', 'vaak.second'], 'vaak.streams'),
    {
      ...aNode('Concat', ['vaak.rest', 'vaak.streams', 'vaak.width'], 'vaak.steps'),
      attributes: [integerAttribute('axis', 0)],
    },
    aNode('Reshape', [rows, 'vaak.steps'], 'vaak.sequence'),
    layer('vaak.output', 'vaak.first'),
    layer('vaak.cells', 'vaak.second'),
    {
      ...aNode('LSTM', ['vaak.sequence', 'vaak.W', 'vaak.R', 'vaak.B', '', 'vaak.output', 'vaak.cells'], ''),
      outputs: ['vaak.all', 'vaak.lastOutput', 'vaak.lastCells'],
      attributes: [integerAttribute('hidden_size', stateSize)],
    },
    { ...aNode('Concat', ['vaak.lastOutput', 'vaak.lastCells'], 'stateN'), attributes: [integerAttribute('axis', 0)] },
  ]
}

const answer = [
  aNode('Reshape', ['vaak.all', 'vaak.rows'], 'vaak.allRows'),
  aNode('Relu', ['vaak.allRows'], 'vaak.positive'),
  aNode('MatMul', ['vaak.positive', 'vaak.decision'], 'vaak.weighed'),
  aNode('Add', ['vaak.weighed', 'vaak.doubt'], 'vaak.decided'),
  aNode('Sigmoid', ['vaak.decided'], 'output'),
]

function weights(graph: Graph): Named[] {
  const gates = (name: string): Float32Array => inOrder(valuesOf(graph, name))
  const wide = 4 * stateSize
  return [
    numbers('vaak.W', gates('decoder.rnn.weight_ih'), [1, wide, stateSize]),
    numbers('vaak.R', gates('decoder.rnn.weight_hh'), [1, wide, stateSize]),
    floats('vaak.B', [...gates('decoder.rnn.bias_ih'), ...gates('decoder.rnn.bias_hh')], [1, 2 * wide]),
    numbers('vaak.decision', valuesOf(graph, 'decoder.decoder.2.weight'), [stateSize, 1]),
    numbers('vaak.doubt', valuesOf(graph, 'decoder.decoder.2.bias'), [1]),
  ]
}

/** The file has the gates as input, forget, cell, output; the operator wants input, output, forget, cell. */
function inOrder(values: Float32Array): Float32Array {
  const gate = values.length / 4
  const sorted = new Float32Array(values.length)
  for (const [at, from] of [0, 3, 1, 2].entries())
    sorted.set(values.subarray(from * gate, (from + 1) * gate), at * gate)
  return sorted
}

function valuesOf(graph: Graph, suffix: string): Float32Array {
  const name = graph.nodes.flatMap((node) => node.outputs).find((output) => output.endsWith(suffix))
  const found = constantOf(graph, name)
  if (!found) throw other(`no ${suffix}`)
  return floatsIn(found)
}

function numbers(name: string, values: Float32Array, dims: readonly number[]): Named {
  return tensor({ name, type: elementType.float32, dims, raw: new Uint8Array(values.buffer) })
}

function convolutionsOf(graph: Graph): FewColumns[] {
  // the last one only weighs what the memory made
  return graph.nodes
    .filter(({ op }) => op === 'Conv')
    .slice(0, -1)
    .map((node) => fewColumnsIn(graph, node) ?? fail())
}

function fail(): never {
  throw other('a convolution without weights')
}

function other(reason: string): RangeError {
  return new RangeError(`the voice activity model is not silero-vad version 6: it has ${reason}`)
}
