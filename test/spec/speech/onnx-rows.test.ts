import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'

import type { OnnxModel, OnnxNode } from '../../../infra/speech/onnx/model.ts'
import { dimensionsOf, elementType, tensor, valueInfo, writeModel } from '../../../infra/speech/onnx/model.ts'
import { quantiseRows } from '../../../infra/speech/onnx/quantise-rows.ts'
import { fixDimensions } from '../../../infra/speech/onnx/rewrite.ts'
import { expectTurned, turnKeys } from '../../../infra/speech/onnx/turn-keys.ts'
import { integersAttribute } from '../../../infra/speech/onnx/attributes.ts'
import { joinedBytes, textField, varintField } from '../../../infra/speech/onnx/wire.ts'

const width = 16
const out = 8
const weights = Uint8Array.from({ length: width * out }, (_, i) => (i * 97) % 256)

/** A linear layer as 8-bit exports write it: the extremes of the whole tensor decide how each row is quantised. */
function aLayer(): OnnxModel {
  const nodes: OnnxNode[] = [
    node('DynamicQuantizeLinear', ['x'], ['q', 's', 'z']),
    node('MatMulInteger', ['q', 'w', 'z', 'wz'], ['i']),
    node('Mul', ['s', 'ws'], ['ss']),
    { ...node('Cast', ['i'], ['f']), attributes: [{ name: 'to', bytes: castToFloat }] },
    node('Mul', ['f', 'ss'], ['y']),
  ]
  return aModel(nodes, {
    initializers: [
      tensor({ name: 'w', type: elementType.uint8, dims: [width, out], raw: weights }),
      tensor({ name: 'wz', type: elementType.uint8, dims: [], raw: Uint8Array.of(119) }),
      tensor({ name: 'ws', type: elementType.float32, dims: [], raw: new Uint8Array(Float32Array.of(0.01).buffer) }),
    ],
    inputs: [valueInfo('x', elementType.float32, ['rows', 1, width])],
    outputs: [valueInfo('y', elementType.float32, ['rows', 1, out])],
  })
}

const rows = Float32Array.from({ length: 3 * width }, (_, i) => Math.sin(i * 2.3) * 10 ** Math.floor(i / width))

test('a row that is quantised by its own extremes does not see the others', async (t) => {
  const layer = quantiseRows(aLayer())
  const together = await run(layer, { x: new Tensor('float32', rows, [3, 1, width]) }, 'y')
  for (let row = 0; row < 3; row++) {
    const alone = rows.slice(row * width, (row + 1) * width)
    const single = await run(layer, { x: new Tensor('float32', alone, [1, 1, width]) }, 'y')
    t.deepEqual(together.subarray(row * out, (row + 1) * out), single)
  }
})

test('alone, it is what the runtime makes of it', async (t) => {
  for (let row = 0; row < 3; row++) {
    const x = new Tensor('float32', rows.slice(row * width, (row + 1) * width), [1, 1, width])
    const theirs = await run(aLayer(), { x }, 'y')
    const own = await run(quantiseRows(aLayer()), { x }, 'y')
    const largest = Math.max(...theirs.map(Math.abs))
    t.true(theirs.every((value, i) => Math.abs(value - own[i]!) <= largest * 1e-6))
  }
})

test('a row of zeros stays one', async (t) => {
  const x = new Tensor('float32', new Float32Array(width), [1, 1, width])
  t.true((await run(quantiseRows(aLayer()), { x }, 'y')).every((value) => value === 0))
})

test('keys that are turned where they are made give the same product', async (t) => {
  const turning = { ...node('Transpose', ['key'], ['turned']), attributes: [integersAttribute('perm', [0, 1, 3, 2])] }
  const value = (name: string, dims: (string | number)[]) => valueInfo(name, elementType.float32, dims)
  const reader = aModel([turning, node('MatMul', ['query', 'turned'], ['scores'])], {
    initializers: [],
    inputs: [value('key', [1, 2, 'frames', 4]), value('query', [1, 2, 1, 4])],
    outputs: [value('scores', [1, 2, 1, 'frames'])],
  })
  const maker = aModel([node('Neg', ['heard'], ['key'])], {
    initializers: [],
    inputs: [value('heard', [1, 2, 'frames', 4])],
    outputs: [value('key', [1, 2, 'frames', 4])],
  })
  const heard = new Tensor(
    'float32',
    Float32Array.from({ length: 24 }, (_, i) => Math.sin(i)),
    [1, 2, 3, 4],
  )
  const query = new Tensor(
    'float32',
    Float32Array.from({ length: 8 }, (_, i) => Math.cos(i)),
    [1, 2, 1, 4],
  )
  const key = new Tensor('float32', await run(maker, { heard }, 'key'), [1, 2, 3, 4])
  const turned = new Tensor('float32', await run(turnKeys(maker, ['key'], 1), { heard }, 'key'), [1, 2, 4, 3])
  const plain = await run(reader, { query, key }, 'scores')
  const spared = await run(expectTurned(reader, ['key'], 4)!.model, { query, key: turned }, 'scores')
  t.true(plain.every((score, i) => Math.abs(score - spared[i]!) < 1e-6))
  t.is(expectTurned(reader, ['query'], 4), undefined)
})

test('a dimension that is known by name gets its size, the others keep their names', (t) => {
  const [input] = fixDimensions(aLayer(), { rows: 1 }).graph.inputs
  t.deepEqual(dimensionsOf(input!), [1, 1, width])
  t.deepEqual(dimensionsOf(fixDimensions(aLayer(), { other: 1 }).graph.inputs[0]!), ['rows', 1, width])
})

const castToFloat = joinedBytes([textField(1, 'to'), varintField(3, elementType.float32), varintField(20, 2)])

function node(op: string, inputs: string[], outputs: string[]): OnnxNode {
  return { op, domain: '', inputs, outputs, attributes: [] }
}

function aModel(nodes: OnnxNode[], rest: Omit<OnnxModel['graph'], 'nodes'>): OnnxModel {
  return {
    irVersion: 8n,
    opsets: [joinedBytes([textField(1, ''), varintField(2, 11)])],
    graph: { nodes, ...rest },
  }
}

async function run(model: OnnxModel, feeds: Record<string, Tensor>, output: string): Promise<Float32Array> {
  const session = await InferenceSession.create(writeModel(model), { logSeverityLevel: 3 })
  const outputs = await session.run(feeds, [output])
  await session.release()
  return outputs[output]!.data as Float32Array
}
