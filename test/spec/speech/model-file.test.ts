import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import { Tensor } from 'onnxruntime-node'

import { openOnnxSession } from '../../../infra/speech/asr/session.ts'
import type { OnnxModel } from '../../../infra/speech/onnx/model.ts'
import { elementType, readModel, tensor, valueInfo, writeModel } from '../../../infra/speech/onnx/model.ts'
import type { OnnxFile, PartOfFile } from '../../../infra/speech/onnx/model-file.ts'
import { partOf, withModelFile } from '../../../infra/speech/onnx/model-file.ts'
import { joinedBytes, textField, varintField } from '../../../infra/speech/onnx/wire.ts'
import { aFolder } from '../../support/folder.ts'

const rows = 300
const width = 100
const table = Uint8Array.from({ length: rows * width }, (_, i) => (i * 7919) % 251)

test('a part computes with the weights that its file has, and does not hold them', async (t) => {
  const path = await aModelFile(t)
  const part = await withModelFile(path, (file) => Promise.resolve(partOf(file, readModel(file.bytes))))
  t.true(part.bytes.length < table.length / 10)
  t.deepEqual(await rowOf(part, 123), table.slice(123 * width, 124 * width))
})

test('a file behind a link is as good as any', async (t) => {
  const path = await aModelFile(t)
  const link = join(await aFolder(t), 'elsewhere.onnx')
  await symlink(path, link)
  const part = await withModelFile(link, (file) => Promise.resolve(partOf(file, readModel(file.bytes))))
  t.deepEqual(await rowOf(part, 7), table.slice(7 * width, 8 * width))
})

test('what a rewrite made itself goes along', async (t) => {
  const own = table.map((byte) => 255 - byte)
  const part = await withModelFile(await aModelFile(t), (file) => Promise.resolve(partOf(file, aModel(own))))
  t.true(part.bytes.length > own.length)
  t.deepEqual(await rowOf(part, 42), own.slice(42 * width, 43 * width))
})

test('the memory of a file is given back as soon as it has been used', async (t) => {
  const files: OnnxFile[] = []
  const path = await aModelFile(t)
  await withModelFile(path, (file) => Promise.resolve(files.push(file)))
  const failing = withModelFile(path, (file) => {
    files.push(file)
    return Promise.reject(new Error('no session'))
  })
  await t.throwsAsync(failing, { message: 'no session' })
  t.deepEqual(
    files.map(({ bytes }) => bytes.length),
    [0, 0],
  )
})

async function aModelFile(t: ExecutionContext): Promise<string> {
  const folder = join(await aFolder(t), 'a model')
  await mkdir(folder)
  const path = join(folder, 'model.onnx')
  await writeFile(path, writeModel(aModel(table)))
  return path
}

/** Looks up a row of a table of bytes. */
function aModel(raw: Uint8Array): OnnxModel {
  return {
    irVersion: 8n,
    opsets: [joinedBytes([textField(1, ''), varintField(2, 13)])],
    graph: {
      nodes: [{ op: 'Gather', domain: '', inputs: ['table', 'at'], outputs: ['row'], attributes: [] }],
      initializers: [tensor({ name: 'table', type: elementType.uint8, dims: [rows, width], raw })],
      inputs: [valueInfo('at', elementType.int64, [])],
      outputs: [valueInfo('row', elementType.uint8, [width])],
    },
  }
}

async function rowOf(part: PartOfFile, at: number): Promise<Uint8Array> {
  const session = await openOnnxSession(part, 1)
  const { row } = await session.run({ at: new Tensor('int64', BigInt64Array.of(BigInt(at)), []) })
  await session.release()
  return row!.data as Uint8Array // as: the model says so
}
