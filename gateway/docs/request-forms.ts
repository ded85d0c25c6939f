import { pieceType } from '../resumable/tus.ts'
import { schemaNamed } from './document.ts'
import type { DocumentedContent, DocumentedSchema, DocumentedSchemas, PlacedOperation } from './document.ts'
import { sampleOf } from './sample.ts'

/** What a request may carry, for examples of it. */

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'sdp' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'form'; readonly field: string; readonly others: readonly (readonly [string, string])[] }

/** One of the ways in which an operation is asked for. */
interface RequestForm {
  readonly id: string
  /** Empty where there is no other. */
  readonly title: string
  readonly body: RequestBody
}

/** The file that examples send. */
export const recording = 'one.wav'
const formType = 'multipart/form-data'
const jsonType = 'application/json'

/** The usual one first. */
export function requestForms(
  { operation }: PlacedOperation,
  schemas: DocumentedSchemas,
): [RequestForm, ...RequestForm[]] {
  const content = operation.requestBody?.content ?? {}
  const { examples = {} } = content[formType] ?? content[jsonType] ?? {}
  const named = Object.entries(examples).map(([id, { summary, value }]) => ({
    id,
    title: summary,
    body: content[formType] ? formWith(content[formType].schema, { schemas, value }) : { kind: 'json' as const, value },
  }))
  const [usual, ...others] = named
  return usual ? [usual, ...others] : [{ id: 'usual', title: '', body: bodyBySchema(content, schemas) }]
}

/** Of several types that a body may have, the one that is shown. */
function bodyBySchema(content: DocumentedContent, schemas: DocumentedSchemas): RequestBody {
  if (content['application/sdp']) return { kind: 'sdp' }
  if (content[pieceType]) return { kind: 'bytes' }
  const { [formType]: form, [jsonType]: json } = content
  if (form) return formWith(form.schema, { schemas, value: neededIn(form.schema, schemas) })
  return json ? { kind: 'json', value: sampleOf(json.schema, { schemas }) } : { kind: 'none' }
}

interface FormPlace {
  readonly schemas: DocumentedSchemas
  readonly value: unknown
}

/** What is a list comes once for each that is in it. */
function formWith(schema: DocumentedSchema, { schemas, value }: FormPlace): RequestBody {
  const properties = propertiesOf(schema, schemas)
  const file = Object.keys(properties).find((name) => isFile(properties[name] ?? {})) ?? 'file'
  const others = Object.entries(value as object) // as: forms have fields
    .filter(([name]) => name !== file)
    .flatMap(([name, given]) => [given].flat().map((one) => [name, String(one)] as const))
  return { kind: 'form', field: file, others }
}

function neededIn(schema: DocumentedSchema, schemas: DocumentedSchemas): Record<string, unknown> {
  const { required = [] } = meant(schema, schemas)
  const properties = propertiesOf(schema, schemas)
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {}, { schemas, field: name })]))
}

function isFile({ format, items }: DocumentedSchema): boolean {
  return format === 'binary' || items?.format === 'binary'
}

function propertiesOf(schema: DocumentedSchema, schemas: DocumentedSchemas): DocumentedSchemas {
  return meant(schema, schemas).properties ?? {}
}

function meant(schema: DocumentedSchema, schemas: DocumentedSchemas): DocumentedSchema {
  return schema.$ref === undefined ? schema : (schemas[schemaNamed(schema.$ref)] ?? {})
}
