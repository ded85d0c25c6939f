/** A client's types from an OpenAPI document: as much of JSON Schema as zod writes, and nothing else. */

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const head = `// Made from the OpenAPI document by infra/dev/generate-client.ts; a test compares the two.
`

export function clientSource({ paths, components }: ApiDocument): string {
  const schemas = Object.entries(components.schemas).sort(([one], [other]) => (one < other ? -1 : 1))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return [
    head,
    ...schemas.map(([name, schema]) => declaration(name, schema)),
    `export interface Operations {\n${operations.map(({ operation }) => operationType(operation)).join('\n')}\n}\n`,
    '/** Where each is. */',
    'export const places = {',
    ...operations.map(
      ({ path, method, operation }) =>
        `  ${operation.operationId}: { method: '${method.toUpperCase()}', path: '${path}' },`,
    ),
    '} as const satisfies Record<keyof Operations, { readonly method: string; readonly path: string }>',
    '',
  ].join('\n')
}

function declaration(name: string, schema: Schema): string {
  const about = comment(schema.description, '')
  if (schema.properties && !schema.anyOf) return `${about}export interface ${name} ${objectType(schema, '')}\n`
  return `${about}export type ${name} = ${typeOf(schema, '')}\n`
}

function operationType(operation: Operation): string {
  const { operationId, summary, parameters, requestBody, responses } = operation
  const fields = (place: string): string => {
    const those = parameters.filter((parameter) => parameter.in === place)
    if (those.length === 0) return 'Record<never, never>'
    const properties = Object.fromEntries(
      those.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
    )
    const required = those.filter((parameter) => parameter.required).map(({ name }) => name)
    return objectType({ properties, required, additionalProperties: false }, '    ')
  }
  return [
    `${comment(summary, '  ')}  readonly ${operationId}: {`,
    `    readonly params: ${fields('path')}`,
    `    readonly query: ${fields('query')}`,
    `    readonly body: ${bodyType(requestBody?.content)}`,
    `    readonly answer: ${answerType(responses)}`,
    '  }',
  ].join('\n')
}

function bodyType(content: Content | undefined): string {
  if (!content) return 'undefined'
  return content['application/json'] ? typeOf(content['application/json'].schema, '    ') : 'FormData'
}

/** What is no JSON is text. */
function answerType(responses: Operation['responses']): string {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const json = good?.content['application/json']
  return json ? typeOf(json.schema, '    ') : 'string'
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const several = schema.anyOf ?? schema.oneOf
  if (several) return several.map((one) => typeOf(one, indent)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ')
  if (schema.type === 'array') return `readonly (${typeOf(schema.items ?? {}, indent)})[]`
  if (schema.type === 'object') return objectType(schema, indent)
  return plainTypes.get(String(schema.type)) ?? 'unknown'
}

const plainTypes = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
])

function objectType(schema: Schema, indent: string): string {
  const required = new Set(schema.required)
  const deeper = `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    return `${comment(field.description, deeper)}${deeper}readonly ${key}${required.has(name) ? '' : '?'}: ${typeOf(field, deeper)}`
  })
  const { additionalProperties: more } = schema
  if (typeof more === 'object') fields.push(`${deeper}readonly [name: string]: ${openType(more, deeper)}`)
  return fields.length === 0 ? 'Record<string, unknown>' : `{\n${fields.join('\n')}\n${indent}}`
}

/** What zod knows nothing of is anything. */
function openType(schema: Schema, indent: string): string {
  return Object.keys(schema).length === 0 ? 'unknown' : typeOf(schema, indent)
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`
}
