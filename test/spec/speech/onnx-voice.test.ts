import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'

import { aNode, floats, integers } from '../../../infra/speech/onnx/make.ts'
import type { OnnxModel } from '../../../infra/speech/onnx/model.ts'
import { integerAttribute, integersAttribute } from '../../../infra/speech/onnx/attributes.ts'
import { elementType, readModel, readTensor, tensor, valueInfo, writeModel } from '../../../infra/speech/onnx/model.ts'
import { convolveInBytes } from '../../../infra/speech/onnx/convolve-in-bytes.ts'
import { fuseInstanceNorms } from '../../../infra/speech/onnx/instance-norms.ts'
import { planeConvolutions } from '../../../infra/speech/onnx/plane-convolutions.ts'
import { squarePowers } from '../../../infra/speech/onnx/square-powers.ts'
import { steadyPhases } from '../../../infra/speech/onnx/steady-phases.ts'
import { stftAsConvolution } from '../../../infra/speech/onnx/stft-as-convolution.ts'
import { widenFloats } from '../../../infra/speech/onnx/widen-floats.ts'
import { joinedBytes, textField, varintField } from '../../../infra/speech/onnx/wire.ts'

const channels = 16
const taps = 3
const length = 40
const weights = Array.from({ length: channels * channels * taps }, (_, i) => Math.sin(i))
const audio = Float32Array.from({ length: channels * length }, (_, i) => Math.cos(i * 0.7))

/** A convolution with a dilation, whose result is squared: what the neural voice consists of. */
function aVoice(stride = 1): OnnxModel {
  return {
    irVersion: 8n,
    opsets: [joinedBytes([textField(1, ''), varintField(2, 17)])],
    graph: {
      nodes: [
        {
          ...aNode('Conv', ['x', 'w', 'b'], 'conv'),
          attributes: [
            integersAttribute('kernel_shape', [taps]),
            integersAttribute('dilations', [2]),
            integersAttribute('pads', [2, 2]),
            integersAttribute('strides', [stride]),
            integerAttribute('group', 1),
          ],
        },
        aNode('Pow', ['conv', 'two'], 'y'),
      ],
      initializers: [
        floats('w', weights, [channels, channels, taps]),
        floats(
          'b',
          Array.from({ length: channels }, (_, i) => i / 10),
          [channels],
        ),
        floats('two', [2]),
      ],
      inputs: [valueInfo('x', elementType.float32, [1, channels, 'length'])],
      outputs: [valueInfo('y', elementType.float32, [1, channels, 'length'])],
    },
  }
}

test('a voice whose convolutions lie in a plane and whose powers are products says the same', async (t) => {
  const plain = await run(aVoice())
  const rewritten = await run(squarePowers(planeConvolutions(aVoice())))
  t.is(rewritten.length, plain.length)
  for (const [at, value] of plain.entries()) t.true(Math.abs(value - rewritten[at]!) < 1e-3)
})

test('a Fourier transform of short windows says the same as a convolution', async (t) => {
  const window = Array.from({ length: 20 }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 20))
  const scalar = (name: string, value: number) =>
    tensor({ name, type: elementType.int64, dims: [], raw: new Uint8Array(BigInt64Array.of(BigInt(value)).buffer) })
  const model: OnnxModel = {
    ...aVoice(),
    graph: {
      nodes: [
        { ...aNode('STFT', ['x', 'step', 'window', 'size'], 'y'), attributes: [integerAttribute('onesided', 1)] },
      ],
      initializers: [scalar('step', 5), floats('window', window, [20]), scalar('size', 20)],
      inputs: [valueInfo('x', elementType.float32, [1, 'length'])],
      outputs: [valueInfo('y', elementType.float32, [1, 'frames', 11, 2])],
    },
  }
  const plain = await run(model, [1, audio.length])
  const rewritten = await run(stftAsConvolution(model), [1, audio.length])
  t.is(rewritten.length, plain.length)
  for (const [at, value] of plain.entries()) t.true(Math.abs(value - rewritten[at]!) < 1e-3)
})

for (const stride of [1, 2, 3])
  test(`a convolution in bytes says nearly the same, with its dilation, its bias and its edges, in steps of ${stride}`, async (t) => {
    const model = squarePowers(aVoice(stride))
    const rewritten = convolveInBytes(model, ({ inputs, outputs, taps: wide }) => {
      t.deepEqual([inputs, outputs, wide], [channels, channels, taps])
      return true
    })
    t.true(rewritten.graph.nodes.some(({ op }) => op === 'MatMulIntegerToFloat'))
    const [plain, bytes] = [await run(model), await run(rewritten)]
    t.is(plain.length, channels * Math.ceil(length / stride))
    t.is(bytes.length, plain.length)
    const apart = Math.sqrt(plain.reduce((sum, value, at) => sum + (value - bytes[at]!) ** 2, 0))
    const size = Math.sqrt(plain.reduce((sum, value) => sum + value ** 2, 0))
    t.true(apart < 0.02 * size, `${apart} of ${size}`)
  })

test('a convolution that nobody chose stays as it is', (t) => {
  t.deepEqual(
    convolveInBytes(aVoice(), () => false).graph.nodes.map(({ op }) => op),
    ['Conv', 'Pow'],
  )
})

test('what lies on the negative real axis has the phase π, and zero has one at all', async (t) => {
  const model = steadyPhases(phaseModel())
  const session = await InferenceSession.create(writeModel(model))
  const points = [
    [-2, 0],
    [-2, -0],
    [0, 0],
    [3, 4],
    [-3, 4],
    [-3, -4],
  ] as const
  const column = (at: 0 | 1) =>
    new Tensor(
      'float32',
      Float32Array.from(points, (point) => point[at]),
      [points.length],
    )
  const { y } = await session.run({ re: column(0), im: column(1) })
  const phases = Array.from(y!.data as Float32Array) // as: what the graph declares
  const wanted = [Math.PI, Math.PI, 0, ...points.slice(3).map(([re, im]) => Math.atan2(im, re))]
  for (const [at, phase] of phases.entries()) t.true(Math.abs(phase - wanted[at]!) < 1e-6, `${at}: ${phase}`)
})

/** As the exporter writes the angle of a complex number. */
function phaseModel(): OnnxModel {
  return {
    ...aVoice(),
    graph: {
      nodes: [
        aNode('Div', ['im', 're'], 'quotient'),
        aNode('Atan', ['quotient'], 'atan'),
        aNode('Greater', ['im', 'zero'], 'above'),
        aNode('Less', ['re', 'zero'], 'left'),
        aNode('Add', ['atan', 'pi'], 'up'),
        aNode('Sub', ['atan', 'pi'], 'down'),
        aNode('Where', ['above', 'up', 'down'], 'turned'),
        aNode('Where', ['left', 'turned', 'atan'], 'y'),
      ],
      initializers: [floats('zero', [0]), floats('pi', [Math.PI])],
      inputs: ['re', 'im'].map((name) => valueInfo(name, elementType.float32, ['length'])),
      outputs: [valueInfo('y', elementType.float32, ['length'])],
    },
  }
}

test('a normalisation that is one operation says the same as the nine that it was', async (t) => {
  const style = (name: string) => aNode('Slice', [name, 'from', 'to', 'axis'], `${name}/part`)
  const model: OnnxModel = {
    ...aVoice(),
    graph: {
      nodes: [
        aNode('ReduceMean', ['x', 'last'], 'mean'),
        aNode('Sub', ['x', 'mean'], 'centred'),
        aNode('Mul', ['centred', 'centred'], 'squares'),
        aNode('ReduceMean', ['squares', 'last'], 'variance'),
        aNode('Add', ['variance', 'epsilon'], 'positive'),
        aNode('Sqrt', ['positive'], 'deviation'),
        aNode('Div', ['centred', 'deviation'], 'even'),
        style('scale'),
        style('shift'),
        aNode('Add', ['scale/part', 'one'], 'gain'),
        aNode('Mul', ['gain', 'even'], 'scaled'),
        aNode('Add', ['scaled', 'shift/part'], 'y'),
      ],
      initializers: [
        ...['scale', 'shift'].map((name) =>
          floats(
            name,
            Array.from({ length: 2 * channels }, (_, i) => Math.sin(i + name.length)),
            [1, 2 * channels, 1],
          ),
        ),
        integers('last', [-1]),
        integers('from', [0]),
        integers('to', [channels]),
        integers('axis', [1]),
        floats('epsilon', [1e-5]),
        floats('one', [1]),
      ],
      inputs: [valueInfo('x', elementType.float32, [1, channels, 'length'])],
      outputs: [valueInfo('y', elementType.float32, [1, channels, 'length'])],
    },
    opsets: [joinedBytes([textField(1, ''), varintField(2, 18)])],
  }
  const fused = fuseInstanceNorms(model)
  t.true(fused.graph.nodes.some(({ op }) => op === 'InstanceNormalization'))
  const [plain, rewritten] = [await run(model), await run(fused)]
  for (const [at, value] of plain.entries()) t.true(Math.abs(value - rewritten[at]!) < 1e-3)
})

test('halves become the floats that they are, in weights and in constants', (t) => {
  const halves = Uint16Array.of(0x0000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x3555)
  const model = aVoice()
  const half = tensor({ name: 'h', type: 10, dims: [6], raw: new Uint8Array(halves.buffer) })
  const read = readModel(writeModel({ ...model, graph: { ...model.graph, initializers: [half] } }))
  const { type, raw } = readTensor(widenFloats(read).graph.initializers[0]!)
  t.is(type, elementType.float32)
  t.deepEqual(Array.from(new Float32Array(new Uint8Array(raw).buffer)), [
    0,
    1,
    -2,
    65_504,
    2 ** -24,
    Math.fround(0.333251953125),
  ])
})

async function run(model: OnnxModel, dims = [1, channels, length]): Promise<Float32Array> {
  const session = await InferenceSession.create(writeModel(model))
  const { y } = await session.run({ x: new Tensor('float32', audio, dims) })
  return y!.data as Float32Array
}
