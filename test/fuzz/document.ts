import { Ajv2020 } from 'ajv/dist/2020.js'

/** What the server's own OpenAPI document says there is, and what it promises to answer. */
export interface FuzzedDocument {
  readonly operations: readonly ApiOperation[]
  resolve(schema: ApiSchema): ApiSchema
  /** Undefined when the answer is as promised. */
  complaintAbout(
    operation: ApiOperation,
    answer: { status: number; contentType: string; body: unknown },
  ): string | undefined
  isFailure(body: unknown): boolean
}

export interface ApiOperation {
  readonly method: string
  readonly path: string
  readonly needsToken: boolean
  readonly needsLink: boolean
  readonly parameters: readonly Parameter[]
  readonly body: { readonly contentType: string; readonly schema: ApiSchema } | undefined
  readonly responses: Readonly<Record<string, unknown>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: ApiSchema
}

/** As much of JSON Schema as the document uses. */
export interface ApiSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly anyOf?: readonly ApiSchema[]
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly required?: readonly string[]
  readonly items?: ApiSchema
  /** Of fields with names of the caller’s choice. */
  readonly additionalProperties?: boolean | ApiSchema
  readonly minimum?: number
  readonly maximum?: number
}

const noContent = 204

interface RawOperation {
  readonly security: readonly object[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: ApiSchema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> }
}

export async function readDocument(url: string): Promise<FuzzedDocument> {
  // as: test/flow/openapi.test.ts holds the document against its shape
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as RawDocument & object
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  return {
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => operationOf(method, path, raw)),
    ),
    resolve: (schema) => resolved(document, schema),
    complaintAbout({ method, path, responses }, { status, contentType, body }) {
      if (!responses[String(status)]) return `${status} is not documented`
      const [type = ''] = contentType.split(';')
      if (status === noContent) return type === '' && body === '' ? undefined : '204 has a body'
      const place = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
      const pointer = place.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
      const validate = ajv.getSchema(`api#/${pointer}`)
      if (!validate) return `${status} has no schema for "${type}"`
      return validate(body) === true ? undefined : `${status} is not as documented: ${ajv.errorsText(validate.errors)}`
    },
    isFailure: (body) => ajv.getSchema('api#/components/schemas/Failure')?.(body) === true,
  }
}

function operationOf(method: string, path: string, raw: RawOperation): ApiOperation {
  const [content] = Object.entries(raw.requestBody?.content ?? {})
  return {
    method: method.toUpperCase(),
    path,
    needsToken: raw.security.some((one) => 'bearer' in one),
    needsLink: raw.security.some((one) => 'link' in one),
    parameters: raw.parameters,
    body: content && { contentType: content[0], schema: content[1].schema },
    responses: raw.responses,
  }
}

function resolved(document: RawDocument, schema: ApiSchema): ApiSchema {
  if (schema.$ref === undefined) return schema
  const found = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`nothing at ${schema.$ref}`)
  return resolved(document, found)
}
