import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'

import { attendByHead } from '../../../infra/speech/onnx/attend-by-head.ts'
import { fuseAttention } from '../../../infra/speech/onnx/fuse-attention.ts'
import type { OnnxModel, Named, OnnxNode } from '../../../infra/speech/onnx/model.ts'
import { integerAttribute, integersAttribute } from '../../../infra/speech/onnx/attributes.ts'
import { elementType, tensor, valueInfo, writeModel } from '../../../infra/speech/onnx/model.ts'
import { joinedBytes, textField, varintField } from '../../../infra/speech/onnx/wire.ts'

const heads = 3
const width = 4
const frames = 7

for (const opset of [11, 13, 18])
  test(`heads that follow each other give what they give together, in version ${opset} of the operators`, async (t) => {
    const whole = attention({ opset, looks: 0 })
    const byHead = attendByHead(whole)
    t.is(byHead.graph.nodes.filter(({ op }) => op === 'Softmax').length, heads)
    closeTo(t, await heard(byHead, 1), await heard(whole, 1))
  })

test('rows that are heard together stay apart', async (t) => {
  const whole = attention({ opset: 13, looks: 0 })
  closeTo(t, await heard(attendByHead(whole), 2), await heard(whole, 2))
})

test('weights that are only looked at in another shape and back are no hindrance', async (t) => {
  const whole = attention({ opset: 13, looks: 2 })
  const byHead = attendByHead(whole)
  t.is(byHead.graph.nodes.filter(({ op }) => op === 'Softmax').length, heads)
  closeTo(t, await heard(byHead, 1), await heard(whole, 1))
})

test('a network that gives its weights out keeps them whole', (t) => {
  const { graph, ...rest } = attention({ opset: 13, looks: 0 })
  const telling = {
    ...rest,
    graph: { ...graph, outputs: [...graph.outputs, floats('weights', ['n', heads, 't', 't'])] },
  }
  t.deepEqual(attendByHead(telling), telling)
})

test('attention as one operator gives what its parts give', async (t) => {
  const whole = folded(attention({ opset: 13, looks: 0 }))
  const fused = fuseAttention(whole)
  t.is(fused.graph.nodes.filter(({ op }) => op === 'Softmax').length, 0)
  t.is(fused.graph.nodes.filter(({ op }) => op === 'MultiHeadAttention').length, 1)
  closeTo(t, await heard(fused, 2), await heard(whole, 2))
})

test('attention whose weights are looked at on the way is left as it is', (t) => {
  const looking = folded(attention({ opset: 13, looks: 2 }))
  t.deepEqual(fuseAttention(looking), looking)
})

/** Self-attention as exports write it; `looks` reshapes lie between the weights and their use. */
function attention({ opset, looks }: { opset: number; looks: number }): OnnxModel {
  const split = (output: string): OnnxNode => node('Reshape', ['audio', 'apart'], output)
  const turned = (input: string, output: string, perm: number[]): OnnxNode => ({
    ...node('Transpose', [input], output),
    attributes: [integersAttribute('perm', perm)],
  })
  const seen = Array.from({ length: looks }, (_, at) =>
    node('Reshape', [at === 0 ? 'weights' : `seen.${at - 1}`, 'same'], `seen.${at}`),
  )
  const nodes = [
    split('q.apart'),
    split('k.apart'),
    split('v.apart'),
    turned('q.apart', 'q', [0, 2, 1, 3]),
    turned('k.apart', 'k', [0, 2, 3, 1]),
    turned('v.apart', 'v', [0, 2, 1, 3]),
    node('MatMul', ['q', 'k'], 'scores'),
    { ...node('Softmax', ['scores'], 'weights'), attributes: [integerAttribute('axis', opset < 13 ? 3 : -1)] },
    ...seen,
    node('MatMul', [looks === 0 ? 'weights' : `seen.${looks - 1}`, 'v'], 'by.head'),
    turned('by.head', 'heard', [0, 2, 1, 3]),
  ]
  return {
    irVersion: 8n,
    opsets: [joinedBytes([textField(1, ''), varintField(2, opset)])],
    graph: {
      nodes,
      initializers: [integers('apart', [0, 0, heads, width]), integers('same', [0, 0, 0, 0])],
      inputs: [floats('audio', ['n', 't', heads * width])],
      outputs: [floats('heard', ['n', 't', heads, width])],
    },
  }
}

/** The heads side by side again, as the next layer takes them. */
function folded(model: OnnxModel): OnnxModel {
  const { graph } = model
  const nodes = graph.nodes.map((one) => (one.outputs[0] === 'heard' ? { ...one, outputs: ['turned'] } : one))
  return {
    ...model,
    graph: {
      ...graph,
      nodes: [...nodes, node('Reshape', ['turned', 'together'], 'heard')],
      initializers: [...graph.initializers, integers('together', [0, 0, heads * width])],
      outputs: [floats('heard', ['n', 't', heads * width])],
    },
  }
}

async function heard(model: OnnxModel, rows: number): Promise<Float32Array> {
  const session = await InferenceSession.create(writeModel(model), { logSeverityLevel: 3 })
  const audio = Float32Array.from(
    { length: rows * frames * heads * width },
    (_, i) => Math.sin(i * 1.3) * (1 + (i % 3)),
  )
  const outputs = await session.run({ audio: new Tensor('float32', audio, [rows, frames, heads * width]) })
  await session.release()
  return outputs['heard']!.data as Float32Array // as: the model says so
}

function closeTo(
  t: { is(one: number, other: number): void; true(is: boolean): void },
  one: Float32Array,
  other: Float32Array,
) {
  t.is(one.length, other.length)
  t.true(other.some((value) => Math.abs(value) > 0.1))
  t.true(one.every((value, i) => Math.abs(value - other[i]!) < 1e-5))
}

function node(op: string, inputs: string[], output: string): OnnxNode {
  return { op, domain: '', inputs, outputs: [output], attributes: [] }
}

function floats(name: string, dims: (string | number)[]): Named {
  return valueInfo(name, elementType.float32, dims)
}

function integers(name: string, values: readonly number[]): Named {
  const raw = new Uint8Array(BigInt64Array.from(values, BigInt).buffer)
  return tensor({ name, type: elementType.int64, dims: [values.length], raw })
}
