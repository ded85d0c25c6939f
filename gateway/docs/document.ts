/** The parts of our OpenAPI document that are read again, for people and for other tools. */
export interface DocumentedApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: DocumentedSchemas }
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly DocumentedParameter[]
  readonly requestBody?: { readonly description: string; readonly content: DocumentedContent }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: DocumentedContent }>>
}

export type DocumentedContent = Readonly<Record<string, DocumentedBody>>

interface DocumentedBody {
  readonly schema: DocumentedSchema
  readonly example?: unknown
  /** In place of the one. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

export type DocumentedSchemas = Readonly<Record<string, DocumentedSchema>>

interface DocumentedParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: DocumentedSchema
}

export interface DocumentedSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly items?: DocumentedSchema
  readonly anyOf?: readonly DocumentedSchema[]
  readonly properties?: Readonly<Record<string, DocumentedSchema>>
  readonly additionalProperties?: DocumentedSchema | boolean
  readonly required?: readonly string[]
}

/** One operation and where it is. */
export interface PlacedOperation {
  readonly path: string
  readonly method: string
  readonly operation: DocumentedOperation
}

export function operationsIn({ paths }: DocumentedApi): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

export function schemaNamed(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

interface OperationGroup {
  readonly title: string
  readonly operations: readonly PlacedOperation[]
}

/** In the order in which people meet them; the first that fits counts. */
const groups: readonly (readonly [title: string, path: RegExp])[] = [
  ['Files', /^\/files/],
  ['Transcription', /^\/transcribe\/(?!webhooks|results\/file\/[^/]+\/share)/],
  ['Search', /^\/search/],
  ['Webhooks', /^\/transcribe\/webhooks/],
  ['Share links', /share/],
  ['As OpenAI has it', /^\/v1\/(?:audio|models)/],
  ['Voices', /^\/v1\/voices/],
  ['Realtime', /^\/v1\/realtime/],
  ['API keys', /^\/v1\/keys/],
  ['Service', /./],
]

export function groupsIn(document: DocumentedApi): OperationGroup[] {
  const titleOf = ({ path }: PlacedOperation) => groups.find(([, pattern]) => pattern.test(path))?.[0]
  const operations = operationsIn(document)
  return groups
    .map(([title]) => ({ title, operations: operations.filter((one) => titleOf(one) === title) }))
    .filter((group) => group.operations.length > 0)
}
