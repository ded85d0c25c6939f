import type { IncomingMessage, ServerResponse } from 'node:http'

import type { z } from 'zod'

import { FailureError, terminal } from '../actors/failure.ts'
import type { HeldBytes } from './body-room.ts'
import { inviteBody } from './invite-body.ts'
import { refuseBombs } from './json-bombs.ts'
import { knownFields, knownParameters } from './known-fields.ts'
import { readLongLists, refuseLongLists } from './long-lists.ts'

const bodyMaxBytes = 1024 * 1024
/** A body with a thousand mistakes does not get a thousand sentences, nor its own text back. */
const problemsMax = 5
const problemMaxCharacters = 200

/** Parses one part of a request, or says which field is wrong, why, and what is allowed. */
export function check<Schema extends z.ZodType>(
  part: 'query' | 'body',
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  refuseProto(part, value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refusalOf(part, parsed.error.issues)
}

/** The same for a query, in which what nobody knows is ignored. */
export function checkQuery<Schema extends z.ZodObject>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  refuseProto('query', given)
  return check('query', schema, knownParameters(schema, given))
}

/** No client has a field of this name, and zod overlooks it. */
function refuseProto(part: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
    throw terminal('invalid_request', `${part}: Unrecognized key: "__proto__"`)
}

export interface CheckedBody<Value> {
  readonly body: Value
  /** What of it was ignored. */
  readonly warnings: readonly string[]
}

/** The same for a body, which may be long: others are served meanwhile, and who sends nonsense is not read to the end. */
export async function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): Promise<CheckedBody<z.output<Schema>>> {
  refuseProto('body', given)
  refuseLongLists('body', schema, given)
  const { value, warnings } = knownFields(schema, given)
  const read = await readLongLists(schema, value, problemsMax)
  if (read.issues) throw refusalOf('body', read.issues, read.isReadToEnd)
  return { body: check('body', read.rest.schema, read.rest.value), warnings }
}

function refusalOf(part: string, issues: readonly z.core.$ZodIssue[], isReadToEnd = true): FailureError {
  const problems = issues.slice(0, problemsMax).map((issue) => {
    const where = [part, ...issue.path.map(String)].join('.')
    return shorten(`${where}: ${issue.message}`)
  })
  if (!isReadToEnd) problems.push('the rest was not looked at')
  else if (issues.length > problemsMax) problems.push(`and ${issues.length - problemsMax} more`)
  return terminal('invalid_request', problems.join('; '))
}

function shorten(problem: string): string {
  return problem.length <= problemMaxCharacters ? problem : `${problem.slice(0, problemMaxCharacters)}…`
}

interface BodyLimits {
  readonly maxBytes?: number | undefined
  readonly held: HeldBytes
}

/** A small JSON body. */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<unknown> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw terminal('unsupported_media', 'The body must be JSON: send it with Content-Type: application/json.')
  inviteBody(request, response)
  const bytes = await readBytes(request, limits)
  refuseBombs(bytes)
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw terminal('invalid_request', 'The body is not valid JSON.')
  }
}

/** A small body, with limits on its size and on how long it may take to arrive. */
export async function readTextBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<string> {
  inviteBody(request, response)
  return decode(await readBytes(request, limits))
}

async function readBytes(request: IncomingMessage, { maxBytes = bodyMaxBytes, held }: BodyLimits): Promise<Buffer> {
  let deadline: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(tooSlow(held)), held.withinMs)
  })
  try {
    return await Promise.race([collect(request, maxBytes, held), late])
  } catch (error) {
    if (error instanceof FailureError) throw error
    throw terminal('invalid_request', 'The body was broken off.', error)
  } finally {
    clearTimeout(deadline)
  }
}

async function collect(request: IncomingMessage, maxBytes: number, held: HeldBytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // a refusal must not end the request, and with it the answer's way to the client
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // as: no encoding is set on the request, so it yields buffers
    const buffer = chunk as Buffer
    sizeBytes += buffer.length
    if (sizeBytes > maxBytes) throw terminal('too_large', `The body is larger than the limit of ${maxBytes} bytes.`)
    held.add(buffer.length)
    chunks.push(buffer)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw terminal('invalid_request', 'The body is not valid UTF-8.')
  }
}

function tooSlow({ withinMs }: HeldBytes): Error {
  return terminal('too_slow', `The body did not arrive within ${withinMs / 1000} seconds.`)
}
