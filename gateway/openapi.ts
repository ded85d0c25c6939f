import { z } from 'zod'

import { sessionPaths, speechStreamPath, telephonePaths } from '../actors/conversation/ports.ts'
import type { DocumentedSchemas } from './docs/document.ts'
import { sampleOf } from './docs/sample.ts'
import type { HeaderDoc, ResponseDoc, Route } from './route.ts'
import { scopeOf } from './scopes.ts'

type Json = Record<string, unknown>

const componentPrefix = '#/components/schemas/'
/** Has no body, whatever a route says of it. */
const noContent = '204'

const apiVersion = '1.0.0'

const code = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(', ')

const about =
  'Batch speech-to-text for Hindi, English and Hinglish. Every error is `{"detail": …}`. ' +
  `WebSockets, which no such document can describe, are at the same address: ${code(sessionPaths.slice(0, 1))} for voice sessions, ` +
  `${code([speechStreamPath])} for text that is spoken while it is written, and ${code(telephonePaths)} for calls that a carrier passes on.`

/** OpenAPI 3.1 from the same objects that check the requests. */
export function openApiDocument(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {}
  const schemas = withWarnings(components(), routes)
  for (const route of routes) {
    paths[route.path] ??= {}
    Object.assign(paths[route.path]!, { [route.method]: operation(route, schemas) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vaak',
      version: apiVersion,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        link: { type: 'http', scheme: 'bearer', bearerFormat: 'share link' },
      },
    },
  }
}

function operation(route: Route, schemas: Json): Json {
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.description,
    security: securityOf(route),
    parameters: [...parameters('path', route.params), ...parameters('query', route.query), ...headers(route.headers)],
    ...(route.body && {
      requestBody: {
        required: true,
        description: route.body.description,
        content: contentOf(route.body, schemas),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, doc]) => [
        status,
        { description: doc.description, content: status === noContent ? {} : contentOf(doc, schemas) },
      ]),
    ),
  }
}

/** With the scope that an API key needs; a token needs none. */
function securityOf(route: Route): Json[] {
  if (route.access === 'link') return [{ link: [] }]
  const scope = scopeOf(route)
  return scope === undefined ? [] : [{ bearer: [scope] }]
}

const json = 'application/json'

function contentOf(
  { schema, contentType = json, otherwise = {}, examples }: Omit<ResponseDoc, 'description'>,
  schemas: Json,
): Json {
  const all = Object.entries({ [contentType]: schema, ...otherwise })
  const content = Object.fromEntries(all.map(([type, one]) => [type, described(type, schemaOf(one), schemas)]))
  return examples ? { ...content, [contentType]: { schema: schemaOf(schema), examples } } : content
}

/** With an example, so that people see at a glance what comes. */
function described(type: string, schema: Json, schemas: Json): Json {
  // as, twice: zod wrote them
  if (type === json) return { schema, example: sampleOf(schema, { schemas: schemas as DocumentedSchemas }) }
  const [example] = (schema['examples'] ?? []) as unknown[]
  return { schema, ...(example !== undefined && { example }) }
}

function parameters(place: 'path' | 'query', schema: z.ZodObject): Json[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    // as: the fields of a zod object are zod types; its own type says so only of its base
    const { description, ...rest } = schemaOf(field as z.ZodType)
    const required = place === 'path' || !(field as z.ZodType).safeParse(undefined).success
    return { name, in: place, required, description, schema: rest }
  })
}

function headers(docs: readonly HeaderDoc[]): Json[] {
  return docs.map(({ name, description, schema, required = false }) => ({
    name,
    in: 'header',
    required,
    description,
    schema: schemaOf(schema),
  }))
}

/** Schemas with an id of their own are referred to; the others are written where they stand. */
function schemaOf(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return { $ref: componentPrefix + id }
  return tidy(z.toJSONSchema(schema, { io: 'output' }))
}

function components(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => componentPrefix + id, io: 'output' })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, tidy(schema)]))
}

const warnings = {
  type: 'array',
  items: { type: 'string' },
  description: 'Fields of the request that there are not, and that were ignored. Absent when there are none.',
}

/** Whatever answers a JSON body in JSON may name what it ignored (`app.ts`). */
function withWarnings(schemas: Json, routes: readonly Route[]): Json {
  const answers = new Set(
    routes
      .filter(({ body }) => body?.contentType === 'application/json')
      .flatMap(({ responses }) => Object.entries(responses))
      .flatMap(([status, { schema }]) => (Number(status) < 300 ? (z.globalRegistry.get(schema)?.id ?? []) : [])),
  )
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, answers.has(id) ? adding(schema) : schema]),
  )
}

function adding(schema: unknown): Json {
  const { properties, ...rest } = schema as { readonly properties?: Json } // as: zod wrote it
  return { ...rest, properties: { ...properties, warnings } }
}

/** What has a default is always there for us, and need not be sent. */
function mayBeLeftOut(node: object): object {
  const { required, properties } = node as { required?: unknown; properties?: Record<string, object> } // as: zod wrote it
  if (!Array.isArray(required) || !properties) return node
  return { ...node, required: required.filter((name: string) => !('default' in (properties[name] ?? {}))) }
}

/** Leaves out what zod adds for validators and what says nothing to a reader. */
function tidy(value: unknown): Json {
  const strip = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(strip)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(
      Object.entries(mayBeLeftOut(node))
        .filter(
          ([key, of]) =>
            key !== '$schema' && key !== '$id' && of !== Number.MAX_SAFE_INTEGER && of !== Number.MIN_SAFE_INTEGER,
        )
        .map(([key, of]) => [key, strip(of)]),
    )
  }
  return strip(value) as Json // as: an object stays an object
}
