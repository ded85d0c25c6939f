import { z } from 'zod'

/** A body names at most so many unknown fields back to its sender, and none at full length. */
const namedMax = 20
const nameMaxCharacters = 64

interface KnownFields {
  readonly value: unknown
  /** What was left out because nobody knows it, as sentences. */
  readonly warnings: readonly string[]
}

/**
 * What a body says in fields that we know. `null` for a field that may be left out means that it is, since many programs write
 * nothing in this way; a name that we do not know is told and not refused, since clients are older and newer than we are.
 */
export function knownFields(schema: z.ZodType, value: unknown): KnownFields {
  const unknown: string[] = []
  const known = pick(schema, value, { path: '', unknown })
  const warnings = unknown.slice(0, namedMax).map((name) => `${name}: there is no such field; it was ignored`)
  if (unknown.length > namedMax) warnings.push('more fields that there are not were ignored')
  return { value: known, warnings }
}

/** In a query they are not even told: proxies and browsers add their own. */
export function knownParameters(schema: z.ZodObject, query: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(Object.entries(query).filter(([name]) => Object.hasOwn(schema.shape, name)))
}

interface Place {
  readonly path: string
  /** Filled on the way; one more than is told says that there are more. */
  readonly unknown: string[]
}

function pick(schema: unknown, value: unknown, place: Place): unknown {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((entry: unknown, at) => pick(inner.element, entry, { ...place, path: `${place.path}${at}.` }))
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const fields: [string, unknown][] = []
  for (const [name, given] of Object.entries(value)) {
    const field: unknown = Object.hasOwn(inner.shape, name) ? inner.shape[name] : undefined
    const path = place.path + shorten(name)
    if (field === undefined && isStrict(inner)) note(place, path)
    else if (!isLeftOut(field, given)) fields.push([name, pick(field, given, { ...place, path: `${path}.` })])
  }
  return Object.fromEntries(fields)
}

function note({ unknown }: Place, path: string): void {
  if (unknown.length <= namedMax) unknown.push(path)
}

/** Others say themselves what they do with names that they do not know. */
function isStrict({ def }: z.ZodObject): boolean {
  return def.catchall instanceof z.ZodNever
}

function isLeftOut(field: unknown, given: unknown): boolean {
  if (given !== null || !(field instanceof z.ZodType)) return false
  return !field.safeParse(null).success && field.safeParse(undefined).success
}

function unwrap(schema: unknown): unknown {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
  return isWrapped ? unwrap(schema.unwrap()) : schema
}

function shorten(name: string): string {
  return name.length <= nameMaxCharacters ? name : `${name.slice(0, nameMaxCharacters)}…`
}
