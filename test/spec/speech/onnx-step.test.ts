import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'

import { floats, aNode, integers } from '../../../infra/speech/onnx/make.ts'
import type { OnnxModel, Named, OnnxNode } from '../../../infra/speech/onnx/model.ts'
import { integerAttribute, integersAttribute } from '../../../infra/speech/onnx/attributes.ts'
import { elementType, valueInfo, writeModel } from '../../../infra/speech/onnx/model.ts'
import { forOneToken } from '../../../infra/speech/onnx/one-token.ts'
import { rotatePairs } from '../../../infra/speech/onnx/rotate-pairs.ts'
import { expectTurned, turnKeys } from '../../../infra/speech/onnx/turn-keys.ts'
import { joinedBytes, textField, varintField } from '../../../infra/speech/onnx/wire.ts'

const heads = 2
const width = 6

/** Self-attention of a step as exports write it: for any number of tokens, with what `bias` makes added to the scores. */
function aStep(bias: readonly OnnxNode[], more: { inputs?: Named[]; initializers?: Named[] } = {}): OnnxModel {
  const turn = (from: string, to: string, perm: number[]): OnnxNode => ({
    ...aNode('Transpose', [from], to),
    attributes: [integersAttribute('perm', perm)],
  })
  const split = ['rows', 'all', 'heads', 'width']
  return aModel({
    nodes: [
      aNode('Shape', ['x'], 'x.shape'),
      at('x.shape', 0, 'rows'),
      at('x.shape', 1, 'tokens'),
      concat(split, 'split', 0),
      aNode('Reshape', ['x', 'split'], 'q.split'),
      turn('q.split', 'q', [0, 2, 1, 3]),
      aNode('Neg', ['x'], 'k.flat'),
      aNode('Reshape', ['k.flat', 'split'], 'k.split'),
      turn('k.split', 'k.new', [0, 2, 1, 3]),
      concat(['past', 'k.new'], 'present', 2),
      turn('present', 'k', [0, 1, 3, 2]),
      aNode('MatMul', ['q', 'k'], 'scores'),
      ...bias,
      aNode('Add', ['scores', 'bias'], 'biased'),
      { ...aNode('Softmax', ['biased'], 'weights'), attributes: [integerAttribute('axis', -1)] },
      aNode('Shape', ['weights'], 'weights.shape'),
      aNode('Reshape', ['weights', 'weights.flat'], 'weights.folded'),
      aNode('Reshape', ['weights.folded', 'weights.shape'], 'weights.unfolded'),
      aNode('MatMul', ['weights.unfolded', 'present'], 'mixed'),
      turn('mixed', 'mixed.turned', [0, 2, 1, 3]),
      concat(['rows', 'tokens', 'full'], 'joint', 0),
      aNode('Reshape', ['mixed.turned', 'joint'], 'y'),
    ],
    initializers: [
      integers('all', [-1]),
      integers('heads', [heads]),
      integers('width', [width]),
      integers('full', [heads * width]),
      integers('weights.flat', [-1]),
      ...Array.from({ length: 3 }, (_, place) => integers(`place.${place}`, [place])),
      ...(more.initializers ?? []),
    ],
    inputs: [
      value('x', ['rows', 1, heads * width]),
      value('past', ['rows', heads, 'past', width]),
      ...(more.inputs ?? []),
    ],
    outputs: [value('y', ['rows', 1, heads * width]), value('present', ['rows', heads, 'all', width])],
  })
}

/** Zeros, as many as there are keys: what a causal mask is to the last token. */
const mask: readonly OnnxNode[] = [
  aNode('Shape', ['present'], 'present.shape'),
  at('present.shape', 2, 'length'),
  aNode('ConstantOfShape', ['length'], 'bias'),
]

const wave = (step: number, dims: number[]): Tensor =>
  new Tensor(
    'float32',
    Float32Array.from({ length: dims.reduce((product, dim) => product * dim, 1) }, (_, i) => 2 * Math.sin(i * step)),
    dims,
  )
const feeds = (rows: number): Record<string, Tensor> => ({
  x: wave(1.1, [rows, 1, heads * width]),
  past: wave(0.7, [rows, heads, 3, width]),
})

test('a step that is rewritten for one token a row computes the same bits', async (t) => {
  const plain = aStep(mask)
  const rewritten = forOneToken(plain)
  for (const rows of [1, 3]) t.deepEqual(await run(rewritten, feeds(rows)), await run(plain, feeds(rows)))
  const ops = rewritten.graph.nodes.map(({ op }) => op)
  t.false(ops.includes('Add'), 'no mask')
  t.is(ops.filter((op) => op === 'Transpose').length, 1, 'only the keys are turned')
  t.is(ops.filter((op) => op === 'Reshape').length, 3, 'query, key, result')
})

test('a bias that is given or learnt is no mask', async (t) => {
  const given = aStep([aNode('Identity', ['given'], 'bias')], { inputs: [value('given', [1])] })
  const learnt = aStep([aNode('Identity', ['learnt'], 'bias')], { initializers: [floats('learnt', [0.5], [1])] })
  for (const model of [given, learnt]) t.true(forOneToken(model).graph.nodes.some(({ op }) => op === 'Add'))
})

test('the place of the next token is one row of the table of places', async (t) => {
  const table = Array.from({ length: 12 }, (_, i) => i * 0.5)
  const model = aModel({
    nodes: [aNode('Slice', ['table', 'from', 'to', 'axis'], 'y')],
    initializers: [floats('table', table, [4, 3]), integers('axis', [0])],
    inputs: [valueInfo('from', elementType.int64, [1]), valueInfo('to', elementType.int64, [1])],
    outputs: [value('y', ['n', 3])],
  })
  const place = (row: number): Tensor => new Tensor('int64', BigInt64Array.of(BigInt(row)), [1])
  const rewritten = forOneToken(model)
  t.deepEqual(
    rewritten.graph.nodes.map(({ op }) => op),
    ['Gather'],
  )
  t.deepEqual(await run(rewritten, { from: place(2) }), await run(model, { from: place(2), to: place(3) }))
})

const turned = 4

/** Rotation of the first `turned` of a head by pairs, in two copies of a head, as exports write it. */
function aRotation(tokens: number): OnnxModel {
  const slice = (from: string, [start, end, step]: readonly string[], to: string): OnnxNode =>
    aNode('Slice', [from, start!, end!, 'last', step!], to)
  const rotation = (x: string, y: string): OnnxNode[] => [
    aNode('Reshape', [`${x}.flat`, 'split'], `${x}.split`),
    { ...aNode('Transpose', [`${x}.split`], x), attributes: [integersAttribute('perm', [0, 2, 1, 3])] },
    slice(x, ['zero', 'turned', 'one'], `${x}.begin`),
    slice(x, ['turned', 'end', 'one'], `${x}.end`),
    slice(`${x}.begin`, ['zero', 'end', 'two'], `${x}.even`),
    slice(`${x}.begin`, ['one', 'end', 'two'], `${x}.odd`),
    aNode('Neg', [`${x}.odd`], `${x}.negated`),
    aNode('Unsqueeze', [`${x}.negated`, 'minus'], `${x}.first`),
    aNode('Unsqueeze', [`${x}.even`, 'minus'], `${x}.second`),
    concat([`${x}.first`, `${x}.second`], `${x}.pairs`, -1),
    aNode('Reshape', [`${x}.pairs`, 'flat'], `${x}.neighbours`),
    aNode('Mul', [`${x}.begin`, 'cos'], `${x}.straight`),
    aNode('Mul', [`${x}.neighbours`, 'sin'], `${x}.crossed`),
    aNode('Add', [`${x}.straight`, `${x}.crossed`], `${x}.sum`),
    concat([`${x}.sum`, `${x}.end`], y, -1),
  ]
  const constants = { zero: 0, one: 1, two: 2, turned, end: 2 ** 31, last: 3, minus: -1 }
  return aModel({
    nodes: [
      aNode('Cos', ['angle'], 'cos'),
      aNode('Sin', ['angle'], 'sin'),
      ...rotation('q', 'q.rotated'),
      ...rotation('k', 'k.rotated'),
    ],
    initializers: [
      ...Object.entries(constants).map(([name, number]) => integers(name, [number])),
      integers('flat', [1, heads, tokens, turned]),
      integers('split', [1, tokens, heads, width]),
    ],
    inputs: [
      value('q.flat', [1, tokens, heads * width]),
      value('k.flat', [1, tokens, heads * width]),
      value('angle', [1, 1, tokens, turned]),
    ],
    outputs: [value('q.rotated', [1, heads, tokens, width]), value('k.rotated', [1, heads, tokens, width])],
  })
}

test('pairs that change places are rotated to the same bits', async (t) => {
  for (const tokens of [1, 5]) {
    const rotated = rotatePairs(aRotation(tokens), tokens === 1 ? 1 : -1)
    const given = {
      'q.flat': wave(1.9, [1, tokens, heads * width]),
      'k.flat': wave(0.3, [1, tokens, heads * width]),
      angle: wave(2.3, [1, 1, tokens, turned]),
    }
    t.deepEqual(await run(rotated, given), await run(aRotation(tokens), given))
    t.false(rotated.graph.nodes.some(({ op }) => op === 'Slice' || op === 'Neg'))
  }
})

test('what only looks like a rotation is left alone', (t) => {
  const model = aRotation(1)
  const nodes = model.graph.nodes.map((node) =>
    node.outputs[0]?.endsWith('.odd') ? { ...node, inputs: node.inputs.with(1, 'zero') } : node,
  )
  const other = { ...model, graph: { ...model.graph, nodes } }
  t.deepEqual(rotatePairs(other, 1), other)
})

test('keys that are turned and scaled where they are made give the same bits', async (t) => {
  const maker = aModel({
    nodes: [aNode('Neg', ['heard'], 'key')],
    initializers: [],
    inputs: [value('heard', [1, heads, 'frames', width])],
    outputs: [value('key', [1, heads, 'frames', width])],
  })
  const scale = ['Shape', 'Slice', 'Cast', 'Sqrt', 'Div', 'Sqrt']
  const reader = aModel({
    nodes: [
      { ...aNode('Transpose', ['key'], 'turned'), attributes: [integersAttribute('perm', [0, 1, 3, 2])] },
      ...scale.map((op, step) => {
        const from = step === 0 ? 'query' : `scale.${step - 1}`
        if (op === 'Slice') return aNode(op, [from, 'last', 'end'], `scale.${step}`)
        if (op === 'Div') return aNode(op, ['one', from], `scale.${step}`)
        const node = aNode(op, [from], `scale.${step}`)
        return op === 'Cast' ? { ...node, attributes: [integerAttribute('to', elementType.float32)] } : node
      }),
      aNode('Mul', ['turned', `scale.${scale.length - 1}`], 'scaled'),
      aNode('MatMul', ['query', 'scaled'], 'scores'),
    ],
    initializers: [integers('last', [-1]), integers('end', [2 ** 31]), floats('one', [1], [1])],
    inputs: [value('key', [1, heads, 'frames', width]), value('query', [1, heads, 1, width])],
    outputs: [value('scores', [1, heads, 1, 'frames'])],
  })
  const [heard, query] = [wave(0.9, [1, heads, 5, width]), wave(1.7, [1, heads, 1, width])]
  const plain = (await run(maker, { heard }))['key']!
  const expecting = expectTurned(reader, ['key'], width)!
  const made = (await run(turnKeys(maker, ['key'], expecting.factor), { heard }))['key']!
  t.deepEqual(await run(expecting.model, { query, key: made }), await run(reader, { query, key: plain }))
  t.deepEqual(
    expecting.model.graph.nodes.map(({ op }) => op),
    ['MatMul'],
  )
})

function at(shape: string, place: number, to: string): OnnxNode {
  return { ...aNode('Gather', [shape, `place.${place}`], to), attributes: [integerAttribute('axis', 0)] }
}

function concat(parts: readonly string[], to: string, axis: number): OnnxNode {
  return { ...aNode('Concat', parts, to), attributes: [integerAttribute('axis', axis)] }
}

function value(name: string, dims: readonly (number | string)[]): Named {
  return valueInfo(name, elementType.float32, dims)
}

function aModel(graph: OnnxModel['graph']): OnnxModel {
  return { irVersion: 8n, opsets: [joinedBytes([textField(1, ''), varintField(2, 13)])], graph }
}

/** Without the runtime's own rewrites, which are not what is tested. */
async function run(model: OnnxModel, given: Record<string, Tensor>): Promise<Record<string, Tensor>> {
  const session = await InferenceSession.create(writeModel(model), {
    graphOptimizationLevel: 'disabled',
    intraOpNumThreads: 1,
    logSeverityLevel: 3,
  })
  const outputs = await session.run(given)
  await session.release()
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { data, dims }]) => [
      name,
      new Tensor('float32', Float32Array.from(data as Float32Array), dims),
    ]),
  )
}
