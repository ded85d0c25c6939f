import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'

import { cutProjection, hiddenValue, logitsAt, projectOnly } from '../../../infra/speech/onnx/fold-projection.ts'
import type { OnnxModel, OnnxNode } from '../../../infra/speech/onnx/model.ts'
import { elementType, readModel, tensor, valueInfo, writeModel } from '../../../infra/speech/onnx/model.ts'
import { keepOutputs, outputsAsInputs } from '../../../infra/speech/onnx/rewrite.ts'
import { fieldsOf, joinedBytes, textField, varintField } from '../../../infra/speech/onnx/wire.ts'

const width = 32
const vocabulary = 50
const scale = 0.013
const zeroPoint = 121
const bytes = Uint8Array.from({ length: vocabulary * width }, (_, i) => (i * 7919) % 256)

/** A word of the table after the other, or a row for each place of the hidden state. */
type Layout = 'words' | 'places'

/** A decoder's last product as 8-bit exports write it: bytes, transposed if need be, widened, multiplied as floats. */
function aProjection(layout: Layout = 'words'): OnnxModel {
  const node = (op: string, inputs: string[], output: string): OnnxNode => ({
    op,
    domain: '',
    inputs,
    outputs: [output],
    attributes: [],
  })
  const floats = new Uint8Array(Float32Array.of(scale).buffer)
  return {
    irVersion: 8n,
    opsets: [joinedBytes([textField(1, ''), varintField(2, 11)])],
    graph: {
      nodes: [
        ...(layout === 'words' ? [node('Transpose', ['table'], 'turned')] : []),
        node('DequantizeLinear', [layout === 'words' ? 'turned' : 'table', 'scale', 'zero'], 'wide'),
        node('MatMul', ['hidden', 'wide'], 'logits'),
        node('Neg', ['hidden'], 'other'),
      ],
      initializers: [
        tensor({ name: 'table', type: elementType.uint8, ...tableOf(layout) }),
        tensor({ name: 'scale', type: elementType.float32, dims: [], raw: floats }),
        tensor({ name: 'zero', type: elementType.uint8, dims: [], raw: Uint8Array.of(zeroPoint) }),
      ],
      inputs: [valueInfo('hidden', elementType.float32, ['rows', 'tokens', width])],
      outputs: [
        valueInfo('logits', elementType.float32, ['rows', 'logits', vocabulary]),
        valueInfo('other', elementType.float32, ['rows', 'tokens', width]),
      ],
    },
  }
}

function tableOf(layout: Layout): { readonly dims: number[]; readonly raw: Uint8Array } {
  if (layout === 'words') return { dims: [vocabulary, width], raw: bytes }
  const raw = bytes.map((_, at) => bytes[(at % vocabulary) * width + Math.floor(at / vocabulary)]!)
  return { dims: [width, vocabulary], raw }
}

const hiddenOf = (rows: number, tokens: number): Tensor =>
  new Tensor(
    'float32',
    Float32Array.from({ length: rows * tokens * width }, (_, i) => Math.sin(i * 1.7) * (1 + (i % 5))),
    [rows, tokens, width],
  )

async function run(model: OnnxModel, feeds: Record<string, Tensor>): Promise<Float32Array> {
  const session = await InferenceSession.create(writeModel(model), { logSeverityLevel: 3 })
  const { logits } = await session.run(feeds, ['logits'])
  await session.release()
  return logits!.data as Float32Array
}

/** Through both parts. */
async function projected(feeds: Record<string, Tensor>): Promise<Float32Array> {
  const { body, projection } = cutProjection(aProjection())
  const session = await InferenceSession.create(writeModel(body), { logSeverityLevel: 3 })
  const { [hiddenValue]: hidden } = await session.run(feeds, [hiddenValue])
  await session.release()
  return run(projection!, { [hiddenValue]: hidden! })
}

function exactLogits(hidden: Float32Array): number[] {
  return Array.from({ length: (hidden.length / width) * vocabulary }, (_, at) => {
    const [row, word] = [Math.floor(at / vocabulary), at % vocabulary]
    let sum = 0
    for (let i = 0; i < width; i++) sum += hidden[row * width + i]! * scale * (bytes[word * width + i]! - zeroPoint)
    return sum
  })
}

const positions = (...values: number[]): Tensor =>
  new Tensor('int64', BigInt64Array.from(values, BigInt), [values.length])

test('a model that is read and written again computes the same', async (t) => {
  const plain = aProjection()
  const again = readModel(writeModel(plain))
  const hidden = hiddenOf(1, 2)
  t.deepEqual(await run(again, { hidden }), await run(plain, { hidden }))
})

test('the projection of bytes gives the logits of exact arithmetic to four digits', async (t) => {
  const hidden = hiddenOf(2, 3)
  const exact = exactLogits(hidden.data as Float32Array)
  const folded = await projected({ hidden, [logitsAt]: positions(0, 1, 2) })
  const largest = Math.max(...exact.map(Math.abs))
  t.is(folded.length, exact.length)
  t.true(exact.every((value, i) => Math.abs(value - folded[i]!) < largest * 1e-4))
})

test('only the wanted positions are projected', async (t) => {
  const hidden = hiddenOf(2, 3)
  const all = await projected({ hidden, [logitsAt]: positions(0, 1, 2) })
  const last = await projected({ hidden, [logitsAt]: positions(2) })
  t.deepEqual(last.subarray(0, vocabulary), all.subarray(2 * vocabulary, 3 * vocabulary))
  t.deepEqual(last.subarray(vocabulary), all.subarray(5 * vocabulary))
})

for (const layout of ['words', 'places'] as const)
  test(`a projection of a few tokens gives their logits to the bit, in their order: its table lies by ${layout}`, async (t) => {
    const { projection } = cutProjection(aProjection(layout))
    const feeds = { [hiddenValue]: hiddenOf(2, 1) }
    const all = await run(projection!, feeds)
    const tokens = [49, 0, 7]
    const few = await run(projectOnly(projection!, tokens)!, feeds)
    const wanted = [0, 1].flatMap((row) => tokens.map((token) => all[row * vocabulary + token]!))
    t.deepEqual([...few], wanted)
  })

test('a projection whose weights are no bytes is left whole', (t) => {
  t.is(
    projectOnly(
      keepOutputs(aProjection(), (name) => name === 'other'),
      [1],
    ),
    undefined,
  )
})

test('a row has the same logits alone and in company', async (t) => {
  const company = hiddenOf(2, 1)
  const alone = new Tensor('float32', (company.data as Float32Array).slice(width), [1, 1, width])
  const together = await projected({ hidden: company, [logitsAt]: positions(0) })
  const single = await projected({ hidden: alone, [logitsAt]: positions(0) })
  t.deepEqual(together.subarray(vocabulary), single)
})

test('a row of zeros has logits of zero, not of nothing', async (t) => {
  const hidden = new Tensor('float32', new Float32Array(width), [1, 1, width])
  t.true((await projected({ hidden, [logitsAt]: positions(0) })).every((value) => value === 0))
})

test('what comes before the projection holds none of its weights', (t) => {
  const { body } = cutProjection(aProjection())
  t.deepEqual(body.graph.initializers, [])
  t.deepEqual(body.graph.outputs.map(({ name }) => name).sort(), ['other', hiddenValue])
})

test('a decoder without a product at its end stays as it is', (t) => {
  const whole = keepOutputs(aProjection(), (name) => name === 'other')
  t.deepEqual(cutProjection(whole), { body: whole, projection: undefined })
})

test('what served only a dropped output is dropped with it', (t) => {
  const kept = keepOutputs(aProjection(), (name) => name === 'other')
  t.deepEqual(
    kept.graph.nodes.map(({ op }) => op),
    ['Neg'],
  )
  t.deepEqual(kept.graph.initializers, [])
})

test('an output that becomes an input is no longer computed', (t) => {
  const cut = outputsAsInputs(aProjection(), (name) => name === 'logits')
  t.deepEqual(
    cut.graph.inputs.map(({ name }) => name),
    ['hidden'],
    'nothing that is left needs it',
  )
  t.deepEqual(
    cut.graph.outputs.map(({ name }) => name),
    ['other'],
  )
})

test('a file that is cut off is refused, not read past its end', (t) => {
  const whole = writeModel(aProjection())
  t.throws(() => readModel(whole.subarray(0, whole.length - 3)), { instanceOf: RangeError, message: /cut off/ })
  t.throws(() => readModel(new Uint8Array()), { message: /no graph/ })
  t.throws(() => [...fieldsOf(Uint8Array.of(0x08, 0xff))], { message: /cut off/ })
})
