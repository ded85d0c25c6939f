import { Tensor } from 'onnxruntime-node'

import type { Tensors } from './decoder.ts'

/** Tensors of single rows as tensors of several, along their first dimension. One row stays as it is: no copy. */
export function stackRows(rows: readonly Tensors[]): Tensors {
  const [first] = rows
  if (!first || rows.length === 1) return first ?? {}
  return Object.fromEntries(
    Object.entries(first).map(([name, tensor]) => {
      const length = tensor.size
      const data = new Float32Array(length * rows.length)
      for (const [index, row] of rows.entries()) data.set(floatsOf(row[name]!), index * length)
      return [name, new Tensor('float32', data, [rows.length * tensor.dims[0]!, ...tensor.dims.slice(1)])]
    }),
  )
}

/** Without row `at` of `count`, in place: the last row moves into the gap. */
export function dropRow(rows: Tensors, at: number, count: number): Tensors {
  return Object.fromEntries(
    Object.entries(rows).map(([name, tensor]) => {
      const left = count - 1
      const data = floatsOf(tensor)
      const length = data.length / count
      if (at < left) data.copyWithin(at * length, left * length)
      const dims = [(tensor.dims[0]! / count) * left, ...tensor.dims.slice(1)]
      return [name, new Tensor('float32', data.subarray(0, left * length), dims)]
    }),
  )
}

function floatsOf(tensor: Tensor): Float32Array {
  if (tensor.data instanceof Float32Array) return tensor.data
  throw new TypeError(`cached keys are ${tensor.type}, not float32: use another export`)
}
