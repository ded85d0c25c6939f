import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'

import { multipliesSigned } from '../../../infra/speech/asr/signed-products.ts'
import { integerAttribute } from '../../../infra/speech/onnx/attributes.ts'
import { aCast, aNode, floats, integers } from '../../../infra/speech/onnx/make.ts'
import type { OnnxModel } from '../../../infra/speech/onnx/model.ts'
import { elementType, tensor, valueInfo, writeModel } from '../../../infra/speech/onnx/model.ts'
import { signWeights } from '../../../infra/speech/onnx/sign-weights.ts'
import { splitProducts } from '../../../infra/speech/onnx/split-products.ts'
import { joinedBytes, textField, varintField } from '../../../infra/speech/onnx/wire.ts'

const depth = 48
const widths = [16, 16, 8]
const columns = widths.reduce((sum, width) => sum + width, 0)
const parts = ['queries', 'keys', 'values']

/** Queries, keys and values as 8-bit exports make them: in one product, which is then cut. */
function inOne({ perColumn = true, isShown = false } = {}): OnnxModel {
  const scales = Array.from({ length: perColumn ? columns : 1 }, (_, at) => 0.01 + at / 5000)
  const bytes = (name: string, dims: number[], step: number) => {
    const length = dims.reduce((product, dim) => product * dim, 1)
    const raw = Uint8Array.from({ length }, (_, i) => (i * step) % 256)
    return tensor({ name, type: elementType.uint8, dims, raw })
  }
  const output = (name: string) => valueInfo(name, elementType.float32, ['rows', 'columns'])
  return {
    irVersion: 8n,
    opsets: [joinedBytes([textField(1, ''), varintField(2, 13)])],
    graph: {
      nodes: [
        { ...aNode('DynamicQuantizeLinear', ['x'], 'q'), outputs: ['q', 'step', 'zero'] },
        aNode('MatMulInteger', ['q', 'weights', 'zero', 'zeros'], 'sums'),
        aCast('sums', 'floats', elementType.float32),
        aNode('Mul', ['step', 'steps'], 'scales'),
        aNode('Mul', ['floats', 'scales'], 'product'),
        aNode('Add', ['product', 'bias'], 'whole'),
        { ...aNode('Split', ['whole', 'widths'], ''), outputs: parts, attributes: [integerAttribute('axis', -1)] },
      ],
      initializers: [
        bytes('weights', [depth, columns], 7919),
        bytes('zeros', perColumn ? [columns] : [], 31),
        floats('steps', scales, perColumn ? [columns] : []),
        floats(
          'bias',
          scales.map((scale) => 3 * scale),
          perColumn ? [columns] : [],
        ),
        integers('widths', widths),
      ],
      inputs: [valueInfo('x', elementType.float32, ['rows', depth])],
      outputs: [...parts, ...(isShown ? ['whole'] : [])].map(output),
    },
  }
}

test('queries, keys and values that have a product each are what they were, to the bit', async (t) => {
  const whole = await run(inOne())
  const apart = splitProducts(inOne())
  t.deepEqual([count(apart, 'Split'), count(apart, 'MatMulInteger')], [0, parts.length])
  t.deepEqual(await run(apart), whole)
  const signed = signWeights(apart)
  t.true(signed.graph.nodes.every(({ op, inputs }) => op !== 'MatMulInteger' || inputs[1]?.endsWith('.signed')))
  if (await multipliesSigned()) t.deepEqual(await run(signed), whole)
})

test('a product that somebody else reads, or that has one scale for all columns, is left whole', (t) => {
  for (const model of [inOne({ isShown: true }), inOne({ perColumn: false })]) t.is(splitProducts(model), model)
})

function count({ graph }: OnnxModel, name: string): number {
  return graph.nodes.filter(({ op }) => op === name).length
}

async function run(model: OnnxModel): Promise<unknown[]> {
  const session = await InferenceSession.create(writeModel(model), { intraOpNumThreads: 1, logSeverityLevel: 3 })
  const x = Float32Array.from({ length: 5 * depth }, (_, i) => Math.sin(i * 1.3) * (1 + (i % 3)))
  const outputs = await session.run({ x: new Tensor('float32', x, [5, depth]) })
  await session.release()
  return parts.map((name) => outputs[name]?.data)
}
