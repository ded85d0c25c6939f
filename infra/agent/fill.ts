import { z } from 'zod'

import { dateIn, timeIn } from './dates.ts'
import { conceptOf } from './lexicon.ts'
import { numbersIn } from './numbers.ts'
import { placesIn } from './places.ts'
import { restOf } from './rest.ts'
import { agentWords, wordsOfName } from './words.ts'

/** The part of a JSON schema that is read; the rest is the client's own business. */
export const schemaSchema: z.ZodType<ToolSchema> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    default: z.unknown().optional(),
    format: z.string().optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    required: z.array(z.string()).optional(),
    items: schemaSchema.optional(),
  }),
)

export interface ToolSchema {
  readonly type?: string | string[] | undefined
  readonly description?: string | undefined
  readonly enum?: unknown[] | undefined
  readonly default?: unknown
  readonly format?: string | undefined
  readonly properties?: Readonly<Record<string, ToolSchema>> | undefined
  readonly required?: string[] | undefined
  readonly items?: ToolSchema | undefined
}

export interface Filled {
  readonly values: Readonly<Record<string, unknown>>
  /** Properties that are required and were not said. */
  readonly missing: readonly string[]
}

/** What an utterance says, as far as it has not been used: two numbers fill two fields, not one of them twice. */
interface AgentUtterance {
  readonly text: string
  readonly todayMs: number
  readonly toolWords: ReadonlySet<string>
  readonly numbers: number[]
  readonly places: string[]
  /** Properties that may still be filled. */
  readonly room: { fields: number }
}

export function anUtterance(text: string, input: { todayMs: number; toolWords: ReadonlySet<string> }): AgentUtterance {
  const numbers = numbersIn(text).map(({ value }) => value)
  return { text, ...input, numbers, places: placesIn(text), room: { fields: fieldsMax } }
}

const depthMax = 4
/** Of one tool, all of them together: for each of them all that was said is looked through, while nobody else is served. */
const fieldsMax = 256

/** The arguments of a tool, from what was said. Optional ones are left out unless they were clearly said. */
export function fillObject(schema: ToolSchema, said: AgentUtterance, depth = 0): Filled {
  const values: Record<string, unknown> = {}
  const missing: string[] = []
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) ?? false
    said.room.fields -= 1
    const isLookedFor = depth <= depthMax && said.room.fields >= 0
    const value = isLookedFor ? valueOf({ name, property, isRequired, depth }, said) : undefined
    if (value !== undefined) values[name] = value
    else if (isRequired) missing.push(name)
  }
  return { values, missing }
}

interface Field {
  readonly name: string
  readonly property: ToolSchema
  readonly isRequired: boolean
  readonly depth: number
}

function valueOf(field: Field, said: AgentUtterance): unknown {
  const { property, isRequired } = field
  if (property.enum) return oneOf(property.enum, conceptsIn(said)) ?? (isRequired ? property.default : undefined)
  switch (typeOf(property)) {
    case 'integer':
      return numberFor(field, said, Math.round)
    case 'number':
      return numberFor(field, said, (value) => value)
    case 'boolean':
      return truthIn(field, said)
    case 'array':
      return listFor(field, said)
    case 'object': {
      const inner = fillObject(property, said, field.depth + 1)
      return Object.keys(inner.values).length > 0 || isRequired ? inner.values : undefined
    }
    default:
      return textFor(field, said)
  }
}

function typeOf({ type, properties, items }: ToolSchema): string {
  const named = typeof type === 'string' ? type : type?.find((one) => one !== 'null')
  if (named !== undefined) return named
  if (properties) return 'object'
  return items ? 'array' : 'string'
}

/** The allowed value that was said: word for word, or the same concept in another language. */
function oneOf(allowed: readonly unknown[], concepts: ReadonlySet<string>): unknown {
  const scored = allowed.map((value) => {
    const parts = wordsOfName(String(value))
    const met = parts.filter((part) => concepts.has(part) || concepts.has(conceptOf(part))).length
    return { value, score: parts.length === 0 ? 0 : met / parts.length }
  })
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), { value: undefined, score: 0 })
  return best.score >= 0.5 ? best.value : undefined
}

function conceptsIn({ text }: AgentUtterance): ReadonlySet<string> {
  const words = agentWords(text)
  return new Set([...words, ...words.map(conceptOf)])
}

function numberFor({ property, isRequired }: Field, said: AgentUtterance, round: (value: number) => number): unknown {
  const value = said.numbers.shift()
  if (value !== undefined) return round(value)
  return isRequired ? property.default : undefined
}

const no = /\b(?:no|not|don't|without|off|disable|nahi|mat)\b|नहीं|मत|बिना|बंद|வேண்டாம்|இல்லை/i

function truthIn({ name, property, isRequired }: Field, said: AgentUtterance): boolean | undefined {
  const words = new Set(agentWords(said.text).map(conceptOf))
  const isMeant = wordsOfName(name).some((word) => words.has(conceptOf(word)))
  if (isMeant || isRequired) return !no.test(said.text)
  return typeof property.default === 'boolean' ? property.default : undefined
}

function listFor({ name, property, depth }: Field, said: AgentUtterance): unknown {
  const { items } = property
  if (items?.enum) {
    const concepts = conceptsIn(said)
    const met = items.enum.filter((value) => oneOf([value], concepts) !== undefined)
    return met.length > 0 ? met : undefined
  }
  if (items && typeOf(items) !== 'string') {
    const value = valueOf({ name, property: items, isRequired: false, depth: depth + 1 }, said)
    return value === undefined ? undefined : [value]
  }
  const parts = restOf(said)
    ?.split(/(?<!\s)\s*(?:,|\band\b|\baur\b|और|மற்றும்)\s*/u)
    .filter(Boolean)
  return parts && parts.length > 0 ? parts : undefined
}

const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/
const phone = /\+?\d[\d\s-]{8,14}\d/
const quoted = /["“'‘]([^"”'’]{1,300})["”'’]/
const ownName = /(?:my name is|i am|this is|मेरा नाम|mera naam|என் பெயர்)\s+([\p{L}\p{M}]+(?:\s+\p{Lu}[\p{L}\p{M}]+)?)/iu
const placeWords =
  /city|location|place|address|area|where|town|country|destination|origin|source|from|to\b|station|शहर/i
const personWords = /\b(?:name|person|customer|passenger|guest|contact)\b/i

/** What the field is called and described as tells what kind of text it wants. */
function textFor({ name, property, isRequired }: Field, said: AgentUtterance): string | undefined {
  const about = `${wordsOfName(name).join(' ')} ${property.description ?? ''}`
  const own = wordsOfName(name).join(' ')
  if (/date.?time/.test(property.format ?? '')) return dateTimeIn(said)
  if (property.format === 'time' || /\btime\b/i.test(own)) return timeIn(said.text)
  if (property.format === 'date' || /\b(?:date|day|when)\b/i.test(about)) return dateIn(said.text, said.todayMs)
  if (property.format === 'email' || /e-?mail/i.test(about)) return email.exec(said.text)?.[0]
  if (/phone|mobile/i.test(about)) return phone.exec(said.text)?.[0]
  if (placeWords.test(own) || (placeWords.test(about) && said.places.length > 0)) return said.places.shift()
  const literal = quoted.exec(said.text)?.[1]
  if (literal !== undefined) return literal
  if (personWords.test(own)) return ownName.exec(said.text)?.[1]
  // an optional text that nobody named is not made up from what is left
  return isRequired ? restOf(said) : undefined
}

function dateTimeIn(said: AgentUtterance): string | undefined {
  const date = dateIn(said.text, said.todayMs)
  const time = timeIn(said.text)
  if (date === undefined && time === undefined) return undefined
  const today = new Date(said.todayMs).toISOString().slice(0, 10)
  return `${date ?? today}T${time ?? '00:00'}:00`
}
