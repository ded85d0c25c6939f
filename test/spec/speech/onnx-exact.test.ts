import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'

import { multipliesSigned } from '../../../infra/speech/asr/signed-products.ts'
import { attendInBlocks } from '../../../infra/speech/onnx/attend-in-blocks.ts'
import { aNode } from '../../../infra/speech/onnx/make.ts'
import type { OnnxModel } from '../../../infra/speech/onnx/model.ts'
import { integerAttribute } from '../../../infra/speech/onnx/attributes.ts'
import { elementType, tensor, valueInfo, writeModel } from '../../../infra/speech/onnx/model.ts'
import { signWeights } from '../../../infra/speech/onnx/sign-weights.ts'
import { takeShorterClips } from '../../../infra/speech/onnx/take-shorter-clips.ts'
import { joinedBytes, textField, varintField } from '../../../infra/speech/onnx/wire.ts'

const depth = 48
const columns = 24
const weights = Uint8Array.from({ length: depth * columns }, (_, i) => (i * 7919) % 256)
const audio = Uint8Array.from({ length: 5 * depth }, (_, i) => (i * 31) % 256)

/** A product of bytes as 8-bit exports write it, and a second reader of the same weights. */
function aProduct(): OnnxModel {
  const byte = (name: string, value: number) =>
    tensor({ name, type: elementType.uint8, dims: [], raw: Uint8Array.of(value) })
  return {
    ...aModel,
    graph: {
      nodes: [
        aNode('MatMulInteger', ['x', 'w', 'xz', 'wz'], 'sums'),
        { ...aNode('Cast', ['w'], 'table'), attributes: [integerAttribute('to', elementType.int32)] },
      ],
      initializers: [
        tensor({ name: 'w', type: elementType.uint8, dims: [depth, columns], raw: weights }),
        byte('xz', 117),
        byte('wz', 131),
      ],
      inputs: [valueInfo('x', elementType.uint8, ['rows', depth])],
      outputs: [
        valueInfo('sums', elementType.int32, ['rows', columns]),
        valueInfo('table', elementType.int32, [depth, columns]),
      ],
    },
  }
}

test('signed weights give the sums of unsigned ones, wherever the processor adds signed products exactly', async (t) => {
  const x = new Tensor('uint8', audio, [5, depth])
  const plain = await run(aProduct(), { x })
  const signed = await run(signWeights(aProduct()), { x })
  t.deepEqual(signed['table'], plain['table'], 'who else reads the weights reads what was there')
  if (await multipliesSigned()) t.deepEqual(signed['sums'], plain['sums'])
  else t.log('this processor does not: weights stay unsigned')
})

test('weights are turned into signed ones at the product alone', (t) => {
  const { graph } = signWeights(aProduct())
  t.deepEqual(
    graph.nodes.map(({ inputs }) => inputs),
    [['x', 'w.signed', 'xz', 'wz.signed'], ['w']],
  )
  const signed = { ...aProduct(), graph: { ...aProduct().graph, initializers: [] } }
  t.deepEqual(signWeights(signed).graph.nodes, signed.graph.nodes, 'weights that are not constant stay')
})

test('weights that lie the other way in their file are signed before they are turned', async (t) => {
  const turnedWeights = weights.map((_, i) => weights[(i % depth) * columns + Math.floor(i / depth)]!)
  const { graph, ...rest } = aProduct()
  const table = tensor({ name: 'lying', type: elementType.uint8, dims: [columns, depth], raw: turnedWeights })
  const initializers = [...graph.initializers.filter(({ name }) => name !== 'w'), table]
  const turned = {
    ...rest,
    graph: { ...graph, nodes: [aNode('Transpose', ['lying'], 'w'), ...graph.nodes], initializers },
  }
  const signed = signWeights(turned)
  t.deepEqual(signed.graph.nodes.find(({ op }) => op === 'MatMulInteger')?.inputs, ['x', 'w.signed', 'xz', 'wz.signed'])
  const x = new Tensor('uint8', audio, [5, depth])
  const plain = await run(aProduct(), { x })
  t.deepEqual((await run(turned, { x }))['sums'], plain['sums'])
  if (await multipliesSigned()) t.deepEqual((await run(signed, { x }))['sums'], plain['sums'])
})

const heads = 2
const width = 8
const frames = 23

function anAttention(shown: boolean): OnnxModel {
  const value = (name: string, dims: (string | number)[]) => valueInfo(name, elementType.float32, dims)
  return {
    ...aModel,
    graph: {
      nodes: [
        aNode('MatMul', ['q', 'k'], 'scores'),
        { ...aNode('Softmax', ['scores'], 'weights'), attributes: [integerAttribute('axis', 2)] },
        aNode('MatMul', ['weights', 'v'], 'mixed'),
      ],
      initializers: [],
      inputs: [
        value('q', [heads, 'frames', width]),
        value('k', [heads, width, 'frames']),
        value('v', [heads, 'frames', width]),
      ],
      outputs: [
        value('mixed', [heads, 'frames', width]),
        ...(shown ? [value('weights', [heads, 'frames', 'frames'])] : []),
      ],
    },
  }
}

const wave = (step: number, dims: number[]): Tensor => {
  const length = dims.reduce((product, dim) => product * dim, 1)
  return new Tensor(
    'float32',
    Float32Array.from({ length }, (_, i) => 3 * Math.sin(i * step)),
    dims,
  )
}
const sounds = {
  q: wave(1.3, [heads, frames, width]),
  k: wave(0.7, [heads, width, frames]),
  v: wave(2.9, [heads, frames, width]),
}

test('frames that look at the others block by block see what they see at once, to the bit', async (t) => {
  const whole = await run(anAttention(false), sounds)
  for (const rows of [frames, 12, 7, 5]) {
    const blocks = attendInBlocks(anAttention(false), { frames, rows })
    t.is(blocks.graph.nodes.filter(({ op }) => op === 'Softmax').length, Math.ceil(frames / rows))
    t.deepEqual((await run(blocks, sounds))['mixed'], whole['mixed'], `${rows} rows`)
  }
})

test('a sound that is shorter than the longest leaves the last blocks empty', async (t) => {
  const whole = await run(anAttention(false), sounds)
  const blocks = attendInBlocks(anAttention(false), { frames: 4 * frames, rows: 7 })
  t.deepEqual((await run(blocks, sounds))['mixed'], whole['mixed'])
})

test('attention that somebody wants to see is computed at once', (t) => {
  const shown = anAttention(true)
  t.deepEqual(attendInBlocks(shown, { frames, rows: 7 }).graph.nodes, shown.graph.nodes)
})

function positioned(): OnnxModel {
  const raw = new Uint8Array(Float32Array.from({ length: frames * width }, (_, i) => i).buffer)
  return {
    ...aModel,
    graph: {
      nodes: [aNode('Add', ['x', 'positions'], 'y')],
      initializers: [tensor({ name: 'positions', type: elementType.float32, dims: [frames, width], raw })],
      inputs: [valueInfo('x', elementType.float32, [1, 'frames', width])],
      outputs: [valueInfo('y', elementType.float32, [1, 'frames', width])],
    },
  }
}

test('an encoder of one length takes shorter clips, whose frames have the first positions', async (t) => {
  const shorter = takeShorterClips(positioned(), frames)
  const whole = { x: wave(1.3, [1, frames, width]) }
  t.deepEqual(await run(shorter, whole), await run(positioned(), whole))
  const zeros = new Tensor('float32', new Float32Array(5 * width), [1, 5, width])
  t.deepEqual(
    [...(await run(shorter, { x: zeros }))['y']!],
    Array.from({ length: 5 * width }, (_, i) => i),
  )
})

test('an encoder without a table of positions cannot take shorter clips, and says so', (t) => {
  t.throws(() => takeShorterClips(positioned(), frames + 1), { message: /no table of 24 positions/ })
})

const aModel = { irVersion: 8n, opsets: [joinedBytes([textField(1, ''), varintField(2, 13)])] }

async function run(model: OnnxModel, feeds: Record<string, Tensor>): Promise<Record<string, Tensor['data']>> {
  const session = await InferenceSession.create(writeModel(model), { intraOpNumThreads: 1, logSeverityLevel: 3 })
  const outputs = await session.run(feeds)
  await session.release()
  return Object.fromEntries(Object.entries(outputs).map(([name, { data }]) => [name, data]))
}
