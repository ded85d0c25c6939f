import type { Graph, OnnxModel, Named, OnnxNode } from './model.ts'
import { integerAttribute, integerIn } from './attributes.ts'
import { elementType, readTensor, tensor, typeOf, valueOfType } from './model.ts'
import { bytesField, fieldsOf, joinedBytes, textField, varintField } from './wire.ts'

/**
 * The model with 32-bit floats wherever it has 16-bit ones. A CPU computes in 32 bits anyway, and the runtime would put
 * casts around every operation; what the file holds stays exactly what it was, as every half is a float.
 */
export function widenFloats(model: OnnxModel): OnnxModel {
  const { graph } = model
  const widened: Graph = {
    nodes: graph.nodes.map(widenNode),
    initializers: graph.initializers.map(widenTensor),
    inputs: graph.inputs.map(widenValue),
    outputs: graph.outputs.map(widenValue),
  }
  return { ...model, graph: widened }
}

const float16 = 10
const attributeTensor = 4
const attributeField = { name: 1, tensor: 5, type: 20 } as const

function widenNode(node: OnnxNode): OnnxNode {
  if (node.op === 'Cast' && integerIn(node, 'to') === float16)
    return { ...node, attributes: [integerAttribute('to', elementType.float32)] }
  if (node.op !== 'Constant' && node.op !== 'ConstantOfShape') return node
  return { ...node, attributes: node.attributes.map(widenAttribute) }
}

function widenAttribute(attribute: Named): Named {
  for (const field of fieldsOf(attribute.bytes))
    if (field.kind === 'bytes' && field.number === attributeField.tensor)
      return tensorAttribute(attribute.name, widenTensor({ name: '', bytes: field.value }))
  return attribute
}

function tensorAttribute(name: string, value: Named): Named {
  const piece = [
    textField(attributeField.name, name),
    bytesField(attributeField.tensor, value.bytes),
    varintField(attributeField.type, attributeTensor),
  ]
  return { name, bytes: joinedBytes(piece) }
}

function widenTensor(named: Named): Named {
  const { type, dims, raw, ...rest } = readTensor(named)
  if (type !== float16) return named
  const halves = new Uint16Array(new Uint8Array(raw).buffer) // copied, because it may begin at any byte
  const floats = new Float32Array(halves.length)
  for (let i = 0; i < halves.length; i += 1) floats[i] = floatOfHalf[halves[i]!]!
  return tensor({ ...rest, type: elementType.float32, dims, raw: new Uint8Array(floats.buffer) })
}

function widenValue(value: Named): Named {
  return typeOf(value) === float16 ? valueOfType(value.name, elementType.float32) : value
}

const exponentBits = 5
const fractionBits = 10

/** All halves there are, by their bits: a table is faster than the arithmetic for eighty million of them. */
const floatOfHalf = Float32Array.from({ length: 1 << 16 }, (_, bits) => {
  const sign = bits >> 15 === 0 ? 1 : -1
  const exponent = (bits >> fractionBits) & ((1 << exponentBits) - 1)
  const fraction = (bits & ((1 << fractionBits) - 1)) / (1 << fractionBits)
  if (exponent === 0) return sign * fraction * 2 ** -14
  if (exponent === (1 << exponentBits) - 1) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction) * 2 ** (exponent - 15)
})
