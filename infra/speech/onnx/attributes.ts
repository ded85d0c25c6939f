import type { Named, OnnxNode } from './model.ts'
import { attributeField, nameField } from './model.ts'
import { fieldsOf, floatField, integersOf, joinedBytes, textField, varintField } from './wire.ts'

/** The settings of a node, which the format keeps as messages of their own. */

const attributeType = { float: 1, integer: 2, integers: 7 } as const

export function integersIn({ attributes }: OnnxNode, name: string): number[] {
  const integers: number[] = []
  const attribute = attributes.find((one) => one.name === name)
  for (const field of fieldsOf(attribute?.bytes ?? new Uint8Array()))
    if (field.number === attributeField.integers) for (const value of integersOf(field)) integers.push(Number(value))
  return integers
}

export function integerIn({ attributes }: OnnxNode, name: string): number | undefined {
  for (const field of fieldsOf(attributes.find((one) => one.name === name)?.bytes ?? new Uint8Array()))
    if (field.kind === 'varint' && field.number === attributeField.integer) return Number(field.value)
  return undefined
}

export function integerAttribute(name: string, value: number): Named {
  const piece = [
    textField(nameField, name),
    varintField(attributeField.integer, value),
    varintField(attributeField.type, attributeType.integer),
  ]
  return { name, bytes: joinedBytes(piece) }
}

export function floatAttribute(name: string, value: number): Named {
  const piece = [
    textField(nameField, name),
    floatField(attributeField.float, value),
    varintField(attributeField.type, attributeType.float),
  ]
  return { name, bytes: joinedBytes(piece) }
}

export function integersAttribute(name: string, values: readonly number[]): Named {
  const piece = [
    textField(nameField, name),
    ...values.map((value) => varintField(attributeField.integers, value)),
    varintField(attributeField.type, attributeType.integers),
  ]
  return { name, bytes: joinedBytes(piece) }
}
