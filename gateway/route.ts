import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

import type { z } from 'zod'

import type { Caller, Principal } from '../actors/identity.ts'
import type { OpenedShareLink } from '../actors/share-link/ports.ts'
import type { Problem } from './problem.ts'
import { failure } from './wire.ts'

/**
 * A route is data: the same object registers the handler, checks the request and writes the OpenAPI document, so that the
 * three cannot differ.
 */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
  /** With `{name}` for path parameters, as OpenAPI writes them. */
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly description: string
  /**
   * What a user's API key needs besides is in `scopes.ts`. `link`: a share link opens it, and nothing else does. `probe`: as public, and as often as
   * whoever looks after the process wants to ask.
   */
  readonly access: 'user' | 'public' | 'link' | 'probe'
  /** Whether a session secret (ek_…) lets a caller in, as a token does. */
  readonly takesSecrets?: true
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly headers: readonly HeaderDoc[]
  readonly body: BodyDoc | undefined
  readonly responses: Readonly<Record<number, ResponseDoc>>
  handle(request: Request): Promise<Answer>
  /** Where clients expect errors in another shape: theirs beside ours. */
  readonly explain?: (problem: Problem) => object
}

export interface HeaderDoc {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType
  readonly required?: true
}

/** Of several that a reader may choose among; the first is the usual one. */
export type NamedExamples = Readonly<Record<string, NamedExample>>

interface NamedExample {
  readonly summary: string
  readonly value: unknown
}

interface BodyDoc {
  /** A form and a piece of an upload are read by the route itself, as they come. */
  readonly contentType:
    | 'application/json'
    | 'multipart/form-data'
    | 'application/sdp'
    | 'application/offset+octet-stream'
  readonly schema: z.ZodType
  /** By content type, where the client chooses which it is. */
  readonly otherwise?: Readonly<Record<string, z.ZodType>>
  /** Of `contentType`; without them there is one, by the schema. */
  readonly examples?: NamedExamples
  readonly description: string
  /** Of a body that is read whole; without it the usual limit holds. */
  readonly maxBytes?: number
}

export interface ResponseDoc {
  readonly description: string
  readonly schema: z.ZodType
  readonly contentType?: string
  /** By content type, where the request decides which it is. */
  readonly otherwise?: Readonly<Record<string, z.ZodType>>
  /** As for a body. */
  readonly examples?: NamedExamples
}

/** A request after its parts were checked. `body` is undefined where the route streams it itself, and text where it is no JSON. */
export interface Request {
  readonly id: string
  readonly principal: Principal
  /** The same, with what let it in. */
  readonly caller: Caller
  /** What the link shows, where one lets callers in. */
  readonly shared: OpenedShareLink | undefined
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  header(name: string): string | undefined
  readonly raw: { readonly request: IncomingMessage; readonly response: ServerResponse }
}

export interface Answer {
  readonly status: number
  /** Text as it is, a stream as fast as the client reads it, and anything else as JSON. A stream that fails breaks the connection. */
  readonly body: string | Readable | object
  readonly headers?: Readonly<Record<string, string>>
}

interface Shapes<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  readonly params: Params
  readonly query: Query
  readonly body?: Omit<BodyDoc, 'schema'> & { readonly schema: Body }
}

type Typed<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> = Omit<
  Request,
  'params' | 'query' | 'body'
> & {
  readonly params: z.output<Params>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
}

/** Lets a handler see its parameters with the types that its own schemas give them. */
export function route<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  input: Omit<Route, 'params' | 'query' | 'body' | 'handle' | 'headers'> &
    Shapes<Params, Query, Body> & {
      readonly headers?: readonly HeaderDoc[]
      handle(request: Typed<Params, Query, Body>): Promise<Answer>
    },
): Route {
  return {
    ...input,
    responses: { ...anybodysRefusals(input), ...input.responses },
    headers: input.headers ?? [],
    body: input.body,
    // as: check.ts has parsed each part with the schema it is typed by
    handle: (request) => input.handle(request as Typed<Params, Query, Body>),
  }
}

const tooMuch = 'You ask for too much at once; see Retry-After.'

/** Whoever may be told that the token is wrong may be told that it is for something else, or to come back later, in the same shape. */
function anybodysRefusals({ access, responses }: Pick<Route, 'access' | 'responses'>): Route['responses'] {
  const { 401: badToken } = responses
  if (access === 'public') return { 429: { description: tooMuch, schema: failure } }
  if (!badToken) return {}
  return {
    403: { ...badToken, description: 'The API key lacks the scope that this needs.' },
    429: { ...badToken, description: tooMuch },
  }
}
