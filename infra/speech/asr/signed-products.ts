import { InferenceSession, Tensor } from 'onnxruntime-node'

import type { OnnxModel } from '../onnx/model.ts'
import { elementType, tensor, valueInfo, writeModel } from '../onnx/model.ts'
import { joinedBytes, textField, varintField } from '../onnx/wire.ts'

const rows = 16
const depth = 128
const columns = 32
const largestUnsigned = 255
const largestSigned = 127

let known: Promise<boolean> | undefined

/**
 * Whether products of unsigned and signed bytes are exact here. On x86 without VNNI they are summed in pairs of 16 bits,
 * which overflow; there unsigned weights stay as they are. A fact of the processor, found out once in a thread.
 */
export function multipliesSigned(): Promise<boolean> {
  return (known ??= tryLargest())
}

async function tryLargest(): Promise<boolean> {
  const session = await InferenceSession.create(writeModel(aProduct()), { intraOpNumThreads: 1, logSeverityLevel: 3 })
  const left = new Tensor('uint8', new Uint8Array(rows * depth).fill(largestUnsigned), [rows, depth])
  const { sums } = await session.run({ left })
  await session.release()
  const exact = depth * largestUnsigned * largestSigned
  return sums?.data instanceof Int32Array && sums.data.every((sum) => sum === exact)
}

function aProduct(): OnnxModel {
  const weights = new Uint8Array(depth * columns).fill(largestSigned)
  return {
    irVersion: 8n,
    opsets: [joinedBytes([textField(1, ''), varintField(2, 11)])],
    graph: {
      nodes: [{ op: 'MatMulInteger', domain: '', inputs: ['left', 'right'], outputs: ['sums'], attributes: [] }],
      initializers: [tensor({ name: 'right', type: elementType.int8, dims: [depth, columns], raw: weights })],
      inputs: [valueInfo('left', elementType.uint8, [rows, depth])],
      outputs: [valueInfo('sums', elementType.int32, [rows, columns])],
    },
  }
}
