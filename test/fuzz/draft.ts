import { randomUUID } from 'node:crypto'

import { endCursor } from '../../gateway/events/batch-events.ts'
import type { Random } from '../sim/random.ts'
import { aMultipart, multipartType } from '../support/multipart.ts'
import type { RawPart } from '../support/multipart.ts'
import { aWav } from '../support/media.ts'
import type { FuzzedDocument, ApiOperation, Parameter, ApiSchema } from './document.ts'
import { oddTexts, someBytes } from './odd-values.ts'
import { secretOf } from './world.ts'
import type { Kind, Person, FuzzWorld } from './world.ts'

/** A request that is still being made; changes write into it. */
export interface Draft {
  readonly operation: ApiOperation
  method: string
  path: string
  query: string[]
  headers: [name: string, value: string][]
  json?: unknown
  body: Buffer | undefined
  framing: 'length' | 'chunked'
  /** How many of its bytes are sent; all when undefined. */
  sentShare: number | undefined
  /** The bytes may be no HTTP at all: then the server need not know the route to refuse them. */
  isIllFormed: boolean
  readonly changes: string[]
}

export interface Making {
  readonly random: Random
  readonly document: FuzzedDocument
  readonly world: FuzzWorld
}

/** What is open to all has little to lose. */
const openShare = 0.3

/** A proper request of a route, by one of the two. */
export function aDraft(making: Making): Draft {
  const { random, document, world } = making
  const closed = document.operations.filter(({ needsToken, needsLink }) => needsToken || needsLink)
  const operation = random.pick(random.chance(openShare) ? document.operations : closed)
  const caller = random.pick(world.people)
  const values = operation.parameters.map(
    (parameter) => [parameter, parameterValue(making, caller, parameter)] as const,
  )
  const isGiven = ({ in: place, required = false }: Parameter): boolean =>
    place === 'path' || random.chance(required ? 0.9 : 0.3)
  const given = values.filter(([parameter]) => isGiven(parameter))
  const of = (place: Parameter['in']): [string, string][] =>
    given.filter(([parameter]) => parameter.in === place).map(([{ name }, value]) => [name, value])
  const path = of('path').reduce((text, [name, value]) => text.replace(`{${name}}`, encoded(value)), operation.path)
  const draft: Draft = {
    operation,
    method: operation.method,
    path,
    query: of('query').map(([name, value]) => `${name}=${encoded(value)}`),
    headers: [['Host', 'vaak'], ...of('header')],
    body: undefined,
    framing: random.chance(0.1) ? 'chunked' : 'length',
    sentShare: undefined,
    isIllFormed: false,
    changes: [],
  }
  if (operation.needsToken) draft.headers.push(['Authorization', `Bearer ${caller.token}`])
  if (operation.needsLink) draft.headers.push(['Authorization', `Bearer ${random.pick(caller.links)}`])
  if (operation.body) addBody(draft, making, caller)
  return draft
}

function addBody(draft: Draft, making: Making, caller: Person): void {
  const { contentType, schema } = draft.operation.body!
  if (contentType === 'application/json') {
    draft.headers.push(['Content-Type', contentType])
    draft.json = valueFor(making, caller, { name: 'body', schema })
    return
  }
  if (contentType === 'application/offset+octet-stream') {
    draft.headers.push(['Content-Type', contentType])
    draft.body = someBytes(making.random, making.random.below(300))
    return
  }
  draft.headers.push(['Content-Type', multipartType])
  draft.body = aMultipart(...partsOf(making, caller, making.document.resolve(schema)))
}

/** Its files, under the name that they have there, and some of the words beside them. */
function partsOf(making: Making, caller: Person, { properties = {}, required = [] }: ApiSchema): RawPart[] {
  const { random } = making
  const isMany = 'files' in properties
  const files = Array.from({ length: isMany ? random.between(1, 3) : 1 }, () => aFilePart(random, caller, isMany))
  const words = Object.entries(properties)
    .filter(([name]) => !/^files?$/.test(name) && (required.includes(name) || random.chance(0.4)))
    .flatMap(([name, schema]) => [valueFor(making, caller, { name, schema })].flat().map((value) => ({ name, value })))
    .map(({ name, value }) => ({
      disposition: `form-data; name="${name}"`,
      content: String(value).toWellFormed(),
    }))
  return random.chance(0.5) ? [...files, ...words] : [...words, ...files]
}

function aFilePart(random: Random, caller: Person, isMany: boolean): RawPart {
  const name = random.chance(0.3) ? random.pick(oddTexts) : `${secretOf(caller.name)}.wav`
  const quoted = name.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  const content = random.chance(0.8) ? aWav({ seconds: 0.02 }) : someBytes(random, random.below(200))
  return { disposition: `form-data; name="${isMany ? 'files' : 'file'}"; filename="${quoted}"`, content }
}

function parameterValue(making: Making, caller: Person, { name, schema }: Parameter): string {
  if (name === 'Idempotency-Key') return `key-${making.random.below(40)}`
  if (name === 'Upload-Length') return String(making.random.below(5_000))
  if (name === 'Upload-Offset') return String(making.random.pick([0, making.random.below(300)]))
  if (name === 'Upload-Metadata') return `filename ${Buffer.from(`${secretOf(caller.name)}.wav`).toString('base64')}`
  if (name === 'Last-Event-ID' && making.random.chance(0.5)) return endCursor
  return String(valueFor(making, caller, { name, schema }))
}

/** Some of what the page refers to. */
const consoleParts = ['main.js', 'base.css', 'mark.svg']

const kindOf: Readonly<Record<string, Kind>> = {
  file_id: 'file',
  file_ids: 'file',
  batch_id: 'batch',
  batch_upload_id: 'upload',
  resumable_upload_id: 'resumable',
  gcs_key: 'key',
}

/** A value that the schema allows, and that means something where its name says what. */
function valueFor(
  making: Making,
  caller: Person,
  { name, schema: given }: Pick<Parameter, 'name' | 'schema'>,
): unknown {
  const { random } = making
  const schema = making.document.resolve(given)
  const kind = Object.hasOwn(kindOf, name) ? kindOf[name] : undefined
  if (kind && schema.type === 'string') return anId(making, caller, kind)
  if (name === 'url' || name === 'callback_url') return aUrl(making)
  if (/^voice(?:_id)?$/.test(name) && random.chance(0.3)) return random.pick(making.world.voices)
  if (name === 'name' && random.chance(0.7)) return random.pick(consoleParts)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return valueFor(making, caller, { name, schema: random.pick(schema.anyOf) })
  const { minimum = 0, maximum = 1000, type = 'string' } = schema
  switch (type) {
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
    case 'number':
      return random.between(minimum, Math.min(maximum, minimum + 20))
    case 'array': {
      const items = schema.items ?? {}
      return Array.from({ length: random.between(1, 3) }, () => valueFor(making, caller, { name, schema: items }))
    }
    case 'object':
      return anObject(making, caller, schema)
    default:
      return random.chance(0.2) ? random.pick(oddTexts) : `word-${random.below(9)}`
  }
}

function anObject(making: Making, caller: Person, schema: ApiSchema): object {
  const { random } = making
  const chosen = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) === true || random.chance(0.5),
  )
  const { additionalProperties: more } = schema
  const own = Array.from({ length: typeof more === 'object' ? random.below(3) : 0 }, () => [aFieldName(random), more])
  // as: there are none where it is no schema
  const all = [...chosen, ...(own as [string, ApiSchema][])]
  return Object.fromEntries(all.map(([name, inner]) => [name, valueFor(making, caller, { name, schema: inner })]))
}

/** One that anybody may choose, seldom one that nobody may. */
function aFieldName(random: Random): string {
  return random.chance(0.2) ? random.pick([...oddTexts, '__proto__', 'Host']) : `X-Word-${random.below(9)}`
}

/** Mostly one's own; sometimes the other's, sometimes nobody's. */
function anId({ random, world }: Making, caller: Person, kind: Kind): string {
  const luck = random.next()
  if (luck > 0.9) return kind === 'key' ? `uploads/${caller.owner}/${randomUUID()}/${randomUUID()}` : randomUUID()
  const whose = luck > 0.7 ? world.people.find((person) => person !== caller)! : caller
  return random.pick(whose.ids[kind])
}

/** None of them is ever fetched: no worker runs. */
function aUrl({ random }: Making): string {
  const urls = [
    'https://192.88.98.1/call.mp3',
    'http://example.com/a/b/%E0%A4%95.wav?token=x',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'http://[::1]/x',
    'http://169.254.169.254/latest/meta-data',
    `https://example.com/${'x'.repeat(4_000)}`,
  ]
  return random.chance(0.1) ? random.pick(oddTexts) : random.pick(urls)
}

export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
