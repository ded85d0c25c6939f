import type { FuzzedDocument, ApiOperation } from './document.ts'
import { oddTexts } from './odd-values.ts'
import type { FuzzRequest } from './request.ts'
import type { WireOutcome, WireAnswer } from './wire.ts'
import { secretOf } from './world.ts'
import type { FuzzWorld } from './world.ts'

export interface FuzzJudge {
  /** What is wrong with how a request was answered; nothing when all is well. */
  complaints(request: FuzzRequest, outcome: WireOutcome): readonly string[]
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Nothing of our inside: no stack, no path, no subject. */
const inside = /\n\s+at |node_modules|file:\/\/\/|\$KV\.|\$JS\.|_INBOX|KV_vaak|\/tmp\//g
const everyAnswerHas = ['x-content-type-options', 'x-frame-options', 'content-security-policy', 'cache-control']

export function openFuzzJudge(document: FuzzedDocument, world: FuzzWorld): FuzzJudge {
  const keys = new Map<string, string>()
  return {
    complaints(request, outcome) {
      if (request.method === 'DELETE' && (outcome.kind !== 'answered' || !request.isWhole))
        world.forget(ownIdsIn(world, request))
      if (outcome.kind === 'late') return [`no answer in time, only ${JSON.stringify(outcome.received)}`]
      if (outcome.kind === 'closed') return request.isWhole ? ['the connection was closed without an answer'] : []
      const { answer, rest } = outcome
      if (answer.status >= 500 && !isExpected(request, answer)) return [`${answer.status}: ${answer.body.toString()}`]
      const body = bodyOf(answer)
      learn(world, request, body)
      return [
        ...(rest !== '' && request.isWhole ? [`more than one answer: ${JSON.stringify(rest)}`] : []),
        ...everyAnswerHas.filter((name) => !answer.headers.has(name)).map((name) => `no ${name}`),
        ...unpromised(document, request, { ...answer, body }),
        ...leaks(world, request, answer.body.toString()),
        ...takings(world, request, answer.status),
        ...secondAnswers(keys, request, { ...answer, body }),
      ]
    },
  }
}

const waitsForWorker: ReadonlySet<string> = new Set(['/v1/audio/transcriptions', '/transcribe/align'])

/** Whether a dependency is slow is what the first is asked; others wait for a worker, calls for a realtime server, and none runs. */
function isExpected({ operation: { path } }: FuzzRequest, { status, headers }: WireAnswer): boolean {
  if (status !== 503) return false
  if (path === '/readyz' || /^\/v1\/realtime(?:\/calls.*)?$/.test(path)) return true
  return waitsForWorker.has(path) && headers.has('retry-after')
}

interface Answer extends Omit<WireAnswer, 'body'> {
  readonly body: unknown
}

function bodyOf({ headers, body }: WireAnswer): unknown {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  if (!isJson || body.length === 0) return body.toString()
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The status and the body, against what the document promises of this address and method. */
function unpromised(document: FuzzedDocument, request: FuzzRequest, { status, headers, body }: Answer): string[] {
  const contentType = headers.get('content-type') ?? ''
  const here = operationsAt(document, request.target)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const operation = here.find((one) => one.method === method)
  if (request.method === 'HEAD')
    return operation && request.isWhole && !operation.responses[status] ? [`HEAD: ${status} is not documented`] : []
  const complaint = operation && document.complaintAbout(operation, { status, contentType, body })
  const isPlainRefusal = status >= 400 && document.isFailure(body)
  if (!request.isWhole) return complaint === undefined || isPlainRefusal ? [] : [complaint]
  if (!operation) {
    const expected = here.length > 0 ? 405 : 404
    return status === expected && isPlainRefusal ? [] : [`${status} where ${expected} was expected`]
  }
  if ((operation.needsToken || operation.needsLink) && !request.caller && status !== 401)
    return [`${status} without a proper token`]
  return complaint === undefined ? [] : [complaint]
}

function operationsAt(document: FuzzedDocument, target: string): ApiOperation[] {
  const path = target.replace(/^http:\/\/[^/]+/, '').split('?')[0] ?? ''
  return document.operations.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
}

/** What is another's may be in an answer only where the question has it too. */
function leaks(world: FuzzWorld, request: FuzzRequest, text: string): string[] {
  const asked = request.bytes.toString()
  const isForeign = (id: string): boolean => {
    const holder = world.holderOf(id)
    return holder !== undefined && holder !== request.caller && !asked.includes(id)
  }
  const others = world.people.filter((person) => person !== request.caller)
  const ours = oddTexts.filter(({ length }) => length > 3).reduce((left, odd) => left.replaceAll(odd, ''), text)
  const secrets = others.flatMap(({ name, owner }) => [secretOf(name), owner])
  return [
    ...(text.match(uuids) ?? []).filter(isForeign).map((id) => `the id ${id} is another user's`),
    ...secrets.filter((secret) => text.includes(secret) && !asked.includes(secret)).map((one) => `${one} is told`),
    ...(ours.match(inside) ?? []).filter((one) => !asked.includes(one)).map((one) => `"${one}" is our inside`),
  ]
}

/** Nothing is done with what is another's, not even beside what is one's own. */
function takings(world: FuzzWorld, request: FuzzRequest, status: number): string[] {
  if (status >= 300 || /^(?:GET|HEAD)$/.test(request.method) || !request.caller) return []
  const foreign = (request.bytes.toString().match(uuids) ?? []).filter((id) => {
    const holder = world.holderOf(id)
    return holder !== undefined && holder !== request.caller
  })
  return foreign.map((id) => `${status} for the id ${id}, which is another user's`)
}

/** One idempotency key of one user is one thing, however often it is sent. */
function secondAnswers(keys: Map<string, string>, request: FuzzRequest, { status, body }: Answer): string[] {
  const given = request.headers.filter(([name]) => name === 'Idempotency-Key')
  const [made] = madeBy(body, 'batch_upload_id', 'batch_id')
  if (given.length !== 1 || status >= 300 || made === undefined || request.method !== 'POST') return []
  const place = [request.caller?.name, request.operation.path, given[0]![1].trim()].join(' ')
  const known = keys.get(place)
  keys.set(place, made)
  return known === undefined || known === made ? [] : [`the key of ${place} made ${known} and ${made}`]
}

/** Whoever broke off what they asked for, or sent what nobody can read behind it, may have deleted something of theirs all the same. */
function ownIdsIn(world: FuzzWorld, { bytes, caller }: FuzzRequest): string[] {
  return (bytes.toString().match(uuids) ?? []).filter((id) => caller && world.holderOf(id) === caller)
}

function learn(world: FuzzWorld, { caller, method }: FuzzRequest, body: unknown): void {
  if (!caller) return
  if (method === 'POST') {
    world.learn(caller, 'upload', madeBy(body, 'batch_upload_id'))
    world.learn(caller, 'batch', madeBy(body, 'batch_id'))
    world.learn(caller, 'file', [...madeIn(body, 'files'), ...madeIn(body, 'jobs')])
  }
  if (method === 'DELETE' && isRecord(body) && Array.isArray(body['deleted_file_ids']))
    world.forget([...body['deleted_file_ids'].map(String), ...madeBy(body, 'deleted_batch_id')])
}

function madeBy(body: unknown, ...names: readonly string[]): string[] {
  return isRecord(body) ? names.flatMap((name) => body[name] ?? []).map(String) : []
}

function madeIn(body: unknown, list: string): string[] {
  const items = isRecord(body) ? body[list] : []
  return Array.isArray(items) ? items.flatMap((item) => madeBy(item, 'file_id')) : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
