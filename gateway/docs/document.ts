/** The parts of our OpenAPI document that are read again, for people and for other tools. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: ApiSchemas }
}

export interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly ApiParameter[]
  readonly requestBody?: { readonly description: string; readonly content: ApiContent }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: ApiContent }>>
}

export type ApiContent = Readonly<Record<string, { readonly schema: ApiSchema; readonly example?: unknown }>>
export type ApiSchemas = Readonly<Record<string, ApiSchema>>

interface ApiParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: ApiSchema
}

export interface ApiSchema {
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
  readonly items?: ApiSchema
  readonly anyOf?: readonly ApiSchema[]
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly additionalProperties?: ApiSchema | boolean
  readonly required?: readonly string[]
}

/** One operation and where it is. */
export interface PlacedOperation {
  readonly path: string
  readonly method: string
  readonly operation: ApiOperation
}

export function operationsIn({ paths }: ApiDocument): PlacedOperation[] {
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

export function groupsIn(document: ApiDocument): OperationGroup[] {
  const titleOf = ({ path }: PlacedOperation) => groups.find(([, pattern]) => pattern.test(path))?.[0]
  const operations = operationsIn(document)
  return groups
    .map(([title]) => ({ title, operations: operations.filter((one) => titleOf(one) === title) }))
    .filter((group) => group.operations.length > 0)
}
