import { schemaNamed } from './document.ts'
import type { DocumentedSchema, DocumentedSchemas } from './document.ts'

/** What a field of this name would hold, where its schema alone says too little. */
const sampleTexts: Readonly<Record<string, string>> = {
  code: 'decode_failed',
  detail: 'The reason, in a sentence.',
  error: 'not_found',
  filename: 'call.wav',
  language: 'hi',
  message: 'The reason, in a sentence.',
  model: 'balanced',
  name: 'Monday’s calls',
  punctuated_word: 'नमस्ते।',
  script: 'mixed',
  speaker_id: 'speaker_1',
  text: 'नमस्ते।',
  type: 'pause',
  word: 'नमस्ते',
}
const sampleId = '01a1e4d5-7c00-7abc-8def-0123456789ab'
const sampleTime = '2026-11-17T09:30:00.000Z'
/** Schemas may hold each other. */
const deepest = 20

interface Place {
  readonly schemas: DocumentedSchemas
  /** Of the field that the value is in. */
  readonly field?: string
  readonly depth?: number
}

/** A value as it may come: the schema's own example, or one that is made from what it says. */
export function sampleOf(schema: DocumentedSchema, place: Place): unknown {
  const { schemas, field = '', depth = 0 } = place
  if (schema.$ref !== undefined) {
    const meant = schemas[schemaNamed(schema.$ref)]
    return meant && depth < deepest ? sampleOf(meant, { ...place, depth: depth + 1 }) : null
  }
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {}, place)
  const inner = { schemas, depth: depth + 1 }
  const [type = 'object'] = [schema.type ?? 'object'].flat()
  switch (type) {
    case 'array':
      return schema.items && depth < deepest ? [sampleOf(schema.items, { ...inner, field })] : []
    case 'string':
      return sampleText(schema, field)
    case 'integer':
    case 'number':
      return schema.default ?? Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return schema.default ?? true
    case 'null':
      return null
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, sampleOf(one, { ...inner, field: name })]),
      )
  }
}

function sampleText({ format }: DocumentedSchema, field: string): string {
  if (format === 'date-time') return sampleTime
  if (format === 'date') return sampleTime.slice(0, 'YYYY-MM-DD'.length)
  if (format === 'uri') return 'https://recordings.example/call.wav'
  return sampleTexts[field] ?? (/_id$|^id$/.test(field) ? sampleId : '…')
}
