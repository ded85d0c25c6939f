import { isJsonObject } from './json-object.ts'
import type { JsonObject } from './json-object.ts'

/**
 * Whether a tool's parameters are a JSON schema that a model can fill: an object with properties. Resolves to the
 * reason why not, with the place, or to nothing.
 */
export function complaintAboutTool(schema: unknown, depthMax: number): string | undefined {
  if (!isJsonObject(schema)) return 'parameters must be a JSON schema object'
  if (schema['type'] !== 'object') return `parameters.type must be 'object'`
  return inside(schema, 'parameters', depthMax)
}

const typeNames = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const namedSchemas = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const listedSchemas = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const singleSchemas = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']

function inside(schema: unknown, place: string, depth: number): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isJsonObject(schema)) return `${place} must be a JSON schema: an object or a boolean`
  if (depth <= 0) return `${place} is nested too deeply`
  return ownComplaint(schema, place) ?? complaintBelow(schema, place, depth - 1)
}

function ownComplaint(schema: JsonObject, place: string): string | undefined {
  const { type, required, enum: choices, $ref } = schema
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
  const strange = types.find((name) => typeof name !== 'string' || !typeNames.has(name))
  if (strange !== undefined || (Array.isArray(type) && types.length === 0))
    return `${place}.type must be one of ${[...typeNames].join(', ')}`
  if (required !== undefined && !isListOf(required, 'string')) return `${place}.required must be a list of names`
  if (choices !== undefined && !(Array.isArray(choices) && choices.length > 0))
    return `${place}.enum must be a list with at least one value`
  if ($ref !== undefined && !(typeof $ref === 'string' && $ref.startsWith('#')))
    return `${place}.$ref must point into the same schema`
  return undefined
}

function complaintBelow(schema: JsonObject, place: string, depth: number): string | undefined {
  for (const key of namedSchemas) {
    const named = schema[key]
    if (named === undefined) continue
    if (!isJsonObject(named)) return `${place}.${key} must be an object of schemas`
    const complaint = first(Object.entries(named), ([name, one]) => inside(one, `${place}.${key}.${name}`, depth))
    if (complaint) return complaint
  }
  for (const key of listedSchemas) {
    const listed = schema[key]
    if (listed === undefined) continue
    if (!Array.isArray(listed) || listed.length === 0) return `${place}.${key} must be a list of schemas`
    const complaint = first(listed.entries(), ([index, one]) => inside(one, `${place}.${key}[${index}]`, depth))
    if (complaint) return complaint
  }
  return first(singleSchemas, (key) =>
    schema[key] === undefined || (key === 'items' && Array.isArray(schema[key]))
      ? undefined
      : inside(schema[key], `${place}.${key}`, depth),
  )
}

function first<T>(values: Iterable<T>, complain: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const complaint = complain(value)
    if (complaint) return complaint
  }
  return undefined
}

function isListOf(value: unknown, type: 'string'): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === type)
}
