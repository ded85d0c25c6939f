import { places } from './api.ts'
import type { Operations } from './api.ts'

/** A client for this service, from its own description. Needs nothing but `fetch`, so that browsers have it too. */
export interface Client {
  /** The answer as the description has it. What is refused throws an ApiError. */
  call<Id extends OperationId>(id: Id, ...given: Arguments<Id>): Promise<Operations[Id]['answer']>
  /** The same, unread: for streams, and for answers that are no JSON. */
  open<Id extends OperationId>(id: Id, ...given: Arguments<Id>): Promise<Response>
}

export type OperationId = keyof Operations

/** Path parameters and bodies where there are any; query parameters as they are wanted. */
export type Given<Id extends OperationId> = Needed<'params', Operations[Id]['params']> &
  Needed<'body', Operations[Id]['body']> & {
    readonly query?: Partial<Operations[Id]['query']>
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
  }

type Needed<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : [keyof Value] extends [never]
    ? unknown
    : { readonly [name in Name]: Value }

type Arguments<Id extends OperationId> = Partial<Given<Id>> extends Given<Id> ? [given?: Given<Id>] : [given: Given<Id>]

export interface ClientOptions {
  /** Of the server, such as http://127.0.0.1:8080. */
  readonly url: string
  readonly token?: string
  readonly fetch?: typeof fetch
}

/** The server said no: the reason, the limit, and what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly status: number,
    readonly detail: unknown,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(`${sentenceOf(detail)} (status ${status})`)
  }
}

interface Sent {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export function openClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch
  const open = async (id: OperationId, given: Sent = {}): Promise<Response> => {
    const { method, path } = places[id]
    const isForm = given.body instanceof FormData || given.body instanceof ReadableStream
    const response = await send(options.url.replace(/\/+$/, '') + addressOf(path, given), {
      method,
      headers: {
        ...(options.token !== undefined && { Authorization: `Bearer ${options.token}` }),
        ...(given.body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...given.headers,
      },
      ...(given.body !== undefined && { body: isForm ? (given.body as FormData) : JSON.stringify(given.body) }), // as: looked at above
      ...(given.body instanceof ReadableStream && { duplex: 'half' as const }),
      ...(given.signal && { signal: given.signal }),
    })
    if (!response.ok) throw await refusalOf(response)
    return response
  }
  return {
    open: (id, given?: Sent) => open(id, given),
    async call<Id extends OperationId>(id: Id, given?: Sent): Promise<Operations[Id]['answer']> {
      const response = await open(id, given)
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      // as: the description says so, and the server is held to it by its tests
      return (isJson ? await response.json() : await response.text()) as Operations[Id]['answer']
    },
  }
}

function addressOf(path: string, { params = {}, query = {} }: Sent): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const asked = Object.entries(query).filter(([, value]) => value !== undefined)
  if (asked.length === 0) return filled
  return `${filled}?${new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)])).toString()}`
}

async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  const retryAfter = response.headers.get('retry-after')
  return new ApiError(response.status, detailIn(text), retryAfter === null ? undefined : Number(retryAfter))
}

function detailIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'detail' in body ? body.detail : body
  } catch {
    return text
  }
}

function sentenceOf(detail: unknown): string {
  if (typeof detail === 'string') return detail
  if (typeof detail === 'object' && detail !== null && 'message' in detail) return String(detail.message)
  return JSON.stringify(detail)
}
