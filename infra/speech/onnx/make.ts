import type { Named, OnnxNode } from './model.ts'
import { integerAttribute } from './attributes.ts'
import { elementType, tensor } from './model.ts'

export function aNode(op: string, inputs: readonly string[], output: string): OnnxNode {
  return { op, domain: '', inputs, outputs: [output], attributes: [] }
}

export function aCast(from: string, to: string, type: number): OnnxNode {
  return { ...aNode('Cast', [from], to), attributes: [integerAttribute('to', type)] }
}

/** A number by itself, unless dimensions are given. */
export function floats(name: string, values: readonly number[], dims: readonly number[] = []): Named {
  return tensor({ name, type: elementType.float32, dims, raw: new Uint8Array(Float32Array.from(values).buffer) })
}

export function integers(name: string, values: readonly number[]): Named {
  const raw = new Uint8Array(BigInt64Array.from(values, BigInt).buffer)
  return tensor({ name, type: elementType.int64, dims: [values.length], raw })
}
