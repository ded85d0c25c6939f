import { createHash } from 'node:crypto'

import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { z } from 'zod'

import { speechStreamPath, telephonePaths } from '../../actors/conversation/ports.ts'
import { keyScopes } from '../../actors/identity.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import { renderText } from '../../infra/speech/formats/render.ts'
import { aFileId } from '../support/builders.ts'
import { aResult } from '../support/file-stages.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService(test)

/** What every reader of OpenAPI 3.1 relies on, and what we promise beyond it: nothing is left undescribed. */
const schemaPlace = z.looseObject({})
const content = z.record(
  z.string(),
  z.strictObject({
    schema: schemaPlace,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.strictObject({ summary: z.string().min(1), value: z.unknown() })).optional(),
  }),
)
const operationShape = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(
    z.union([z.strictObject({ bearer: z.tuple([z.enum(keyScopes)]) }), z.strictObject({ link: z.tuple([]) })]),
  ),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      description: z.string().min(1),
      schema: schemaPlace,
    }),
  ),
  requestBody: z.strictObject({ required: z.literal(true), description: z.string().min(1), content }).optional(),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), z.strictObject({ description: z.string().min(1), content })),
})
const documentShape = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({
    title: z.literal('Vaak'),
    version: z.string(),
    description: z.string().min(1),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string() })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete', 'options']), operationShape),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Z][A-Za-z]+$/), schemaPlace),
    securitySchemes: z.strictObject({
      bearer: z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer'), bearerFormat: z.literal('JWT') }),
      link: z.strictObject({
        type: z.literal('http'),
        scheme: z.literal('bearer'),
        bearerFormat: z.literal('share link'),
      }),
    }),
  }),
})

type Document = z.output<typeof documentShape>
type Operation = z.output<typeof operationShape>

async function theDocument(t: ExecutionContext): Promise<Document> {
  const { api } = await service.user(t)
  const { status, headers, body } = await api.as(undefined).get('/openapi.json')
  t.is(status, 200)
  t.is(headers.get('content-type'), 'application/json; charset=utf-8')
  return documentShape.parse(body)
}

function operationsOf(document: Document): { name: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation: one,
    })),
  )
}

async function operation(t: ExecutionContext, name: string): Promise<Operation> {
  const found = operationsOf(await theDocument(t)).find((one) => one.name === name)
  if (!found) throw new Error(`${name} is not documented`)
  return found.operation
}

test('the document is OpenAPI 3.1 of version 1.0.0, with everything described', async (t) => {
  const document = await theDocument(t)
  t.is(document.info.version, '1.0.0')
})

test('what the document cannot describe it names: the addresses of WebSockets', async (t) => {
  const { description } = (await theDocument(t)).info
  for (const path of ['/v1/realtime', speechStreamPath, ...telephonePaths])
    t.true(description.includes(`\`${path}\``), path)
})

test('every endpoint is in the document, and needs a token unless it says otherwise', async (t) => {
  const operations = operationsOf(await theDocument(t))
  t.deepEqual(Object.fromEntries(operations.map(({ name, operation: { security } }) => [name, security.length > 0])), {
    'GET /transcribe/inquiries': true,
    'POST /transcribe/results/file/{file_id}/inquiries': true,
    'GET /transcribe/results/file/{file_id}/inquiries': true,
    'DELETE /transcribe/results/file/{file_id}/inquiries/{inquiry_id}': true,
    'POST /transcribe/results/file/{file_id}/share_links': true,
    'GET /transcribe/results/file/{file_id}/share_links': true,
    'DELETE /transcribe/results/file/{file_id}/share_links/{link_id}': true,
    'GET /shared/result': true,
    'GET /shared/audio': true,
    'GET /shared': false,
    'POST /transcribe/results/file/{file_id}/again': true,
    'POST /vocabularies': true,
    'GET /vocabularies': true,
    'GET /vocabularies/{vocabulary_id}': true,
    'PATCH /vocabularies/{vocabulary_id}': true,
    'DELETE /vocabularies/{vocabulary_id}': true,
    'POST /files/upload': true,
    'GET /files/upload/{batch_upload_id}': true,
    'OPTIONS /files/resumable': false,
    'POST /files/resumable': true,
    'GET /files/resumable': true,
    'GET /files/resumable/{resumable_upload_id}': true,
    'PATCH /files/resumable/{resumable_upload_id}': true,
    'DELETE /files/resumable/{resumable_upload_id}': true,
    'GET /files': true,
    'DELETE /files': true,
    'GET /files/{file_id}/audio': true,
    'GET /files/{file_id}/turns': true,
    'POST /transcribe/batch': true,
    'GET /transcribe/batches': true,
    'GET /transcribe/files': true,
    'GET /transcribe/capacity': true,
    'GET /usage': true,
    'PATCH /transcribe/batch/{batch_id}': true,
    'DELETE /transcribe/batch/{batch_id}': true,
    'POST /transcribe/batch/{batch_id}/cancel': true,
    'POST /transcribe/batch/{batch_id}/cancel_files': true,
    'POST /transcribe/batch/{batch_id}/retry': true,
    'POST /transcribe/batch/{batch_id}/retry_files': true,
    'GET /transcribe/status/batch/{batch_id}': true,
    'GET /transcribe/status/file/{file_id}': true,
    'GET /transcribe/events/batch/{batch_id}': true,
    'GET /transcribe/results/batch/{batch_id}': true,
    'GET /transcribe/results/file/{file_id}': true,
    'GET /transcribe/results/file/{file_id}/unredacted': true,
    'PATCH /transcribe/results/file/{file_id}': true,
    'GET /transcribe/download/batch/{batch_id}': true,
    'POST /transcribe/evaluate': true,
    'GET /search': true,
    'GET /transcribe/webhooks/secret': true,
    'GET /transcribe/webhooks/batch/{batch_id}': true,
    'POST /transcribe/webhooks/batch/{batch_id}/send': true,
    'GET /v1/models': true,
    'GET /v1/models/{model_id}': true,
    'POST /v1/audio/speech': true,
    'GET /v1/voices': true,
    'GET /v1/voices/{voice_id}/sample': false,
    'GET /pronunciations': true,
    'PUT /pronunciations': true,
    'POST /v1/realtime/client_secrets': true,
    'POST /v1/realtime/sessions': true,
    'POST /v1/realtime/transcription_sessions': true,
    'POST /v1/realtime/calls': true,
    'POST /v1/realtime': true,
    'POST /v1/realtime/calls/{call_id}/hangup': true,
    'GET /v1/keys': true,
    'POST /v1/keys': true,
    'POST /v1/keys/{key_id}/rotate': true,
    'DELETE /v1/keys/{key_id}': true,
    'GET /.well-known/jwks.json': false,
    'POST /v1/audio/transcriptions': true,
    'POST /v1/audio/translations': true,
    'POST /transcribe/align': true,
    'GET /': false,
    'GET /console/realtime': false,
    'GET /console/sign-in': false,
    'GET /console/{name}': false,
    'GET /console/{folder}/{name}': false,
    'GET /healthz': false,
    'GET /readyz': false,
    'GET /openapi.json': false,
    'GET /docs': false,
    'GET /docs/postman.json': false,
  })
})

test('operation ids are unique', async (t) => {
  const ids = operationsOf(await theDocument(t)).map(({ operation: { operationId } }) => operationId)
  t.is(new Set(ids).size, ids.length)
})

for (const [name, statuses] of Object.entries({
  'POST /files/upload': [202, 400, 401, 403, 408, 409, 413, 429, 503],
  'GET /files/upload/{batch_upload_id}': [200, 400, 401, 403, 404, 429, 503],
  'GET /files': [200, 400, 401, 403, 429, 503],
  'DELETE /files': [200, 400, 401, 403, 404, 408, 413, 415, 429, 503],
  'POST /transcribe/batch': [200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 503],
  'GET /transcribe/files': [200, 400, 401, 403, 429, 503],
  'GET /transcribe/batches': [200, 400, 401, 403, 429, 503],
  'GET /transcribe/capacity': [200, 401, 403, 429, 503],
  'GET /usage': [200, 400, 401, 403, 429, 503],
  'PATCH /transcribe/batch/{batch_id}': [200, 400, 401, 403, 404, 408, 413, 415, 429, 503],
  'DELETE /transcribe/batch/{batch_id}': [200, 400, 401, 403, 404, 429, 503],
  'POST /transcribe/batch/{batch_id}/cancel': [202, 400, 401, 403, 404, 429, 503],
  'POST /transcribe/batch/{batch_id}/cancel_files': [202, 400, 401, 403, 404, 408, 409, 413, 415, 429, 503],
  'POST /transcribe/batch/{batch_id}/retry_files': [200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 503],
  'POST /transcribe/batch/{batch_id}/retry': [200, 400, 401, 403, 404, 409, 429, 503],
  'GET /transcribe/status/batch/{batch_id}': [200, 400, 401, 403, 404, 429, 503],
  'GET /transcribe/status/file/{file_id}': [200, 400, 401, 403, 404, 429, 503],
  'GET /transcribe/events/batch/{batch_id}': [200, 204, 400, 401, 403, 404, 429, 503],
  'GET /transcribe/results/batch/{batch_id}': [200, 400, 401, 403, 404, 429, 503],
  'PATCH /transcribe/results/file/{file_id}': [200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 503],
  'GET /transcribe/results/file/{file_id}/unredacted': [200, 400, 401, 403, 404, 409, 429, 503],
  'GET /transcribe/results/file/{file_id}': [200, 400, 401, 403, 404, 409, 429, 503],
  'GET /transcribe/download/batch/{batch_id}': [200, 400, 401, 403, 404, 409, 429, 503],
  'POST /transcribe/evaluate': [200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 503],
  'GET /transcribe/webhooks/secret': [200, 400, 401, 403, 429, 503],
  'POST /transcribe/results/file/{file_id}/again': [200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 503],
  'POST /vocabularies': [201, 400, 401, 403, 408, 409, 413, 415, 429, 503],
  'GET /vocabularies': [200, 400, 401, 403, 429, 503],
  'GET /vocabularies/{vocabulary_id}': [200, 400, 401, 403, 404, 429, 503],
  'PATCH /vocabularies/{vocabulary_id}': [200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 503],
  'DELETE /vocabularies/{vocabulary_id}': [200, 400, 401, 403, 404, 429, 503],
  'GET /transcribe/webhooks/batch/{batch_id}': [200, 400, 401, 403, 404, 429, 503],
  'POST /transcribe/webhooks/batch/{batch_id}/send': [202, 400, 401, 403, 404, 409, 429, 503],
  'POST /v1/audio/transcriptions': [200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 503],
  'POST /v1/realtime/calls/{call_id}/hangup': [200, 400, 401, 403, 404, 429, 503],
  'GET /pronunciations': [200, 400, 401, 403, 429, 503],
  'PUT /pronunciations': [200, 400, 401, 403, 408, 413, 415, 429, 503],
  'GET /healthz': [200, 400],
  'GET /readyz': [200, 400, 503],
}))
  test(`${name} documents ${statuses.join(', ')}, each with a schema, and errors as {detail}`, async (t) => {
    const { responses } = await operation(t, name)
    t.deepEqual(Object.keys(responses).map(Number), statuses)
    for (const [status, { content: bodies }] of Object.entries(responses)) {
      const schema = (bodies['application/json'] ?? bodies['text/event-stream'])?.schema
      if (status === '204') t.deepEqual(bodies, {})
      else t.truthy(schema, status)
      // where the specification has `error` there is `detail` beside it
      const isNotFound = status === '404' && /^(?:GET|POST|PATCH|DELETE) \/transcribe\/.*\{/.test(name)
      const ours = isNotFound ? 'NotFound' : 'Failure'
      const expected = `#/components/schemas/${name.startsWith('POST /v1/') ? 'CompatibleFailure' : ours}`
      if (Number(status) >= 400 && name !== 'GET /readyz') t.deepEqual(schema, { $ref: expected })
    }
  })

test('an offer of a call has an example, and so has its answer', async (t) => {
  const { requestBody, responses } = await operation(t, 'POST /v1/realtime/calls')
  const texts = [requestBody?.content, responses['201']?.content].map((bodies) => bodies?.['application/sdp']?.schema)
  for (const schema of texts) t.regex(String(schema?.['examples']), /^v=0\r\n.*m=audio/s)
  t.deepEqual(Object.keys(responses).map(Number), [201, 400, 401, 403, 404, 408, 413, 415, 429, 503])
})

test('the parameters of the list have the ranges and defaults of the specification', async (t) => {
  const { parameters } = await operation(t, 'GET /files')
  const schemas = Object.fromEntries(parameters.map(({ name, required, schema }) => [name, { required, ...schema }]))
  t.like(schemas['page'], { required: false, type: 'integer', minimum: 1, default: 1 })
  t.like(schemas['limit'], { required: false, type: 'integer', minimum: 1, maximum: 200, default: 50 })
  t.deepEqual(schemas['upload_status'], {
    required: false,
    type: 'string',
    enum: ['pending', 'uploading', 'completed', 'failed'],
  })
})

test('the parameters of results and downloads have the ranges and defaults of the specification', async (t) => {
  const of = async (name: string): Promise<Record<string, object>> => {
    const { parameters } = await operation(t, name)
    return Object.fromEntries(parameters.map(({ name: key, required, schema }) => [key, { required, ...schema }]))
  }
  const no = { required: false, type: 'boolean', default: false }
  const results = await of('GET /transcribe/results/batch/{batch_id}')
  t.like(results, { raw: no, chunks: no, speech_information: no })
  t.like(results['limit'], { required: false, type: 'integer', minimum: 1, maximum: 200, default: 50 })
  t.like(results['status'], { required: false, enum: ['completed', 'failed', 'retrying', 'processing'] })
  const download = await of('GET /transcribe/download/batch/{batch_id}')
  t.like(download, { raw: no, chunks: no, speech_information: no })
  t.like(download['status'], { required: false, enum: ['completed', 'failed', 'processing'] })
  t.like(download['format'], { required: false, enum: ['ndjson', 'json'], default: 'ndjson' })
})

test('the parameters of each path are those in its braces', async (t) => {
  for (const { path, operation: one, name } of operationsOf(await theDocument(t))) {
    const inPath = one.parameters.filter((parameter) => parameter.in === 'path')
    const braces = Array.from(path.matchAll(/\{(\w+)\}/g), ([, inside]) => inside)
    t.deepEqual(
      inPath.map((parameter) => parameter.name),
      braces.map(String),
      name,
    )
    t.true(inPath.every(({ required }) => required))
  }
})

test('every schema compiles, every reference leads somewhere, and every named schema is used', async (t) => {
  const document = await theDocument(t)
  const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false, allErrors: true })
  ajv.addVocabulary(['openapi', 'info', 'servers', 'paths', 'components'])
  ajv.addSchema(document, 'api')
  for (const name of Object.keys(document.components.schemas))
    t.notThrows(() => ajv.getSchema(`api#/components/schemas/${name}`), name)
  const references = new Set(JSON.stringify(document).match(/#\/components\/schemas\/\w+/g))
  t.deepEqual(
    [...references].sort(),
    Object.keys(document.components.schemas)
      .map((name) => `#/components/schemas/${name}`)
      .sort(),
  )
})

test('every JSON body has an example, and each is as its schema wants it', async (t) => {
  const document = await theDocument(t)
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'api')
  for (const { name, operation: one } of operationsOf(document)) {
    const bodies = [
      ['request', one.requestBody?.content] as const,
      ...Object.entries(one.responses).map(([status, response]) => [status, response.content] as const),
    ]
    for (const [which, types] of bodies)
      for (const type of ['application/json', 'multipart/form-data']) {
        const body = types?.[type]
        if (!body || (type === 'multipart/form-data' && !body.examples)) continue
        const examples = body.examples ? Object.values(body.examples).map(({ value }) => value) : [body.example]
        const { $ref } = body.schema
        const validate = $ref === undefined ? ajv.compile(body.schema) : ajv.getSchema(`api${z.string().parse($ref)}`)
        t.true(examples.length > 0, `${name} ${which}`)
        for (const example of examples) {
          t.not(example, undefined, `${name} ${which}`)
          t.true(validate?.(example), `${name} ${which}: ${JSON.stringify(validate?.errors?.slice(0, 3))}`)
        }
      }
  }
})

function aSentence(text: string, seconds: number): FileResult {
  const result = aResult(text)
  const texts = text.split(' ')
  const each = seconds / texts.length
  const words = texts.map((word, at) => ({
    word,
    start: at * each,
    end: (at + 1) * each,
    language: 'hi',
    confidence: 0.9,
  }))
  return { ...result, segments: [{ ...result.segments[0]!, end: seconds, words, tags: [] }] }
}

/** What people read as it is: not pages, nor bytes, nor answers without a body. */
const readTypes = new Set([
  'text/event-stream',
  'text/vtt',
  'application/x-subrip',
  'application/x-ndjson',
  'application/sdp',
])

test('every text that is answered has an example of its form', async (t) => {
  const document = await theDocument(t)
  for (const { name, operation: one } of operationsOf(document))
    for (const [type, { example }] of Object.entries(one.responses['200']?.content ?? {}))
      if (readTypes.has(type)) t.is(typeof example, 'string', `${name} ${type}`)
  const { responses } = await operation(t, 'GET /transcribe/results/file/{file_id}')
  const exampleAs = (type: string): string => z.string().parse(responses['200']?.content[type]?.example)
  const result = aSentence('कल की meeting में मिलते हैं।', 2.4)
  for (const [format, type] of [
    ['text', 'text/plain'] as const,
    ['srt', 'application/x-subrip'] as const,
    ['vtt', 'text/vtt'] as const,
  ])
    t.is(exampleAs(type), renderText(result, format))
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  const isFile = ajv.getSchema('api#/components/schemas/FileResult')
  t.true(isFile?.(JSON.parse(exampleAs('application/x-ndjson'))), JSON.stringify(isFile?.errors))
})

test('what has a default need not be sent', async (t) => {
  const requiredIn = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { required, properties } = node as { required?: unknown; properties?: Record<string, object> } // as: a schema, or anything
    for (const name of Array.isArray(required) ? required : [])
      t.false('default' in (properties?.[name] ?? {}), `${name} of ${JSON.stringify(properties).slice(0, 80)}`)
    for (const inner of Object.values(node)) requiredIn(inner)
  }
  requiredIn(await theDocument(t))
})

test('the schemas refuse what they should refuse', async (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(await theDocument(t), 'api')
  const accepts = (name: string, value: unknown): boolean => {
    const validate = ajv.getSchema(`api#/components/schemas/${name}`)
    return validate?.(value) === true
  }
  t.true(accepts('Failure', { detail: 'why' }))
  t.true(accepts('Failure', { detail: { message: 'why', file_ids: [] } }))
  t.false(accepts('Failure', { detail: 7 }))
  t.false(accepts('Failure', { error: 'why' }))
  t.true(accepts('DeleteRequest', { file_ids: ['x'] }))
  t.false(accepts('DeleteRequest', { file_ids: [] }))
  t.false(accepts('DeleteRequest', { file_ids: Array(1001).fill('x') }))
  t.false(accepts('DeleteResult', { deleted_file_ids: [], deleted_count: 0.5 }))
})

async function thePage(t: ExecutionContext): Promise<string> {
  const { api } = await service.user(t)
  const { status, headers, body } = await api.as(undefined).get('/docs')
  t.is(status, 200)
  t.is(headers.get('content-type'), 'text/html; charset=utf-8')
  return String(body)
}

test('the page for people is one piece: it loads nothing from anywhere and runs no script but its own', async (t) => {
  const page = await thePage(t)
  t.regex(page, /^<!doctype html>/)
  t.notRegex(page, /<(?:link|img|iframe|object|embed|base|form)\b|@import|url\(|\bsrc=|\son\w+=|javascript:/i)
  const scripts = Array.from(page.matchAll(/<script>(.*?)<\/script>/gs), ([, script]) => script ?? '')
  t.is(page.match(/<script/g)?.length, 1)
  const { headers } = await (await service.user(t)).api.get('/docs')
  const hash = createHash('sha256').update(scripts.join('')).digest('base64')
  t.true(headers.get('content-security-policy')?.includes(`script-src 'sha256-${hash}';`))
  const targets = Array.from(page.matchAll(/href="([^"]*)"/g), ([, target]) => target ?? '')
  t.deepEqual(
    [...new Set(targets.filter((target) => !target.startsWith('#')))],
    ['/', '/openapi.json', '/docs/postman.json'],
  )
})

test('the page shows every endpoint with its statuses, and its links lead somewhere', async (t) => {
  const page = await thePage(t)
  for (const { path, operation: one, name } of operationsOf(await theDocument(t))) {
    const [, section = ''] = page.split(`<section id="${one.operationId}" `)
    const [own = ''] = section.split('</section>')
    t.true(own.includes(`<code>${path}</code>`), name)
    for (const status of Object.keys(one.responses)) t.true(own.includes(`<code>${status}</code>`), `${name} ${status}`)
    for (const parameter of one.parameters) t.true(own.includes(`<code>${parameter.name}</code>`), parameter.name)
  }
  const ids = Array.from(page.matchAll(/\sid="([^"]+)"/g), ([, id]) => id)
  t.is(new Set(ids).size, ids.length)
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) t.true(ids.includes(target), target)
})

test('the example of deleting shows a body that is a valid request', async (t) => {
  const page = await thePage(t)
  const shown = /-d '(\{.*?\})'/s.exec(page.replaceAll('&quot;', '"'))?.[1]?.replace(`'"$FILE_ID"'`, aFileId()) ?? ''
  const { api } = await service.user(t)
  const { status } = await api.delete('/files', { json: JSON.parse(shown) })
  t.is(status, 404, 'it names a file that nobody has')
})
