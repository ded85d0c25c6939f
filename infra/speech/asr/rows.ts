import { Tensor } from 'onnxruntime-node'

import type { Tensors } from './decoder.ts'

/** Tensors of single rows as tensors of several. One row stays as it is: nothing is copied. */
export function stackRows(rows: readonly Tensors[]): Tensors {
  const [first] = rows
  if (!first || rows.length === 1) return first ?? {}
  return Object.fromEntries(
    Object.entries(first).map(([name, tensor]) => {
      const length = tensor.size
      const data = new Float32Array(length * rows.length)
      for (const [index, row] of rows.entries()) data.set(floatsOf(row[name]!), index * length)
      return [name, new Tensor('float32', data, [rows.length, ...tensor.dims.slice(1)])]
    }),
  )
}

/** Without row `at`, in place: the last row moves into the gap. */
export function dropRow(rows: Tensors, at: number): Tensors {
  return Object.fromEntries(
    Object.entries(rows).map(([name, tensor]) => {
      const left = tensor.dims[0]! - 1
      const data = floatsOf(tensor)
      const length = data.length / (left + 1)
      if (at < left) data.copyWithin(at * length, left * length)
      return [name, new Tensor('float32', data.subarray(0, left * length), [left, ...tensor.dims.slice(1)])]
    }),
  )
}

function floatsOf(tensor: Tensor): Float32Array {
  if (tensor.data instanceof Float32Array) return tensor.data
  throw new TypeError(`cached keys are ${tensor.type}, not float32: use another export`)
}
