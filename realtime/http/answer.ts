import type { HttpResponse } from 'uWebSockets.js'

import { FailureError, sentenceOf, terminal } from '../../actors/failure.ts'

export interface HttpAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

const bodyMaxBytes = 256 * 1024
const bodyMaxMs = 10_000

/** The page loads nothing from elsewhere, and speaks to this server alone. */
const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:; media-src 'self' blob:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

export function json(status: number, body: object): HttpAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

/** Answers once, unless the client has left. The handler must copy what it needs of the request before it awaits. */
export function respond(response: HttpResponse, run: () => Promise<HttpAnswer>): void {
  let isGone = false
  response.onAborted(() => {
    isGone = true
  })
  void run()
    .catch((error: unknown) => answerOf(error))
    .then((answer) => {
      if (!isGone) response.cork(() => write(response, answer))
    })
}

function write(response: HttpResponse, { status, contentType, body, headers }: HttpAnswer): void {
  response.writeStatus(String(status))
  for (const [name, value] of Object.entries({ ...securityHeaders, ...headers })) response.writeHeader(name, value)
  response.writeHeader('Content-Type', contentType)
  response.end(body)
}

/** In the shape that clients of this interface read, and with `detail` as everywhere else in the service. */
function answerOf(error: unknown): HttpAnswer {
  if (!(error instanceof FailureError)) return failed(500, 'server_error', 'Something went wrong on our side.')
  const { failure } = error
  if (failure.kind !== 'terminal') return failed(503, 'server_error', sentenceOf(failure))
  const status =
    { unauthenticated: 401, forbidden: 403, not_found: 404, too_large: 413, unsupported_media: 415 }[
      failure.code as string
    ] ?? 400
  return failed(status, 'invalid_request_error', sentenceOf(failure))
}

function failed(status: number, type: string, message: string): HttpAnswer {
  return json(status, { detail: message, error: { type, code: null, message, param: null } })
}

/** A small JSON body; must be called before the first `await`. */
export async function readJson(response: HttpResponse): Promise<unknown> {
  return parse(await readSmallBody(response))
}

/** With limits on its size and on how long it may take; must be called before the first `await`. */
export function readSmallBody(response: HttpResponse): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const late = setTimeout(
      () => reject(terminal('too_slow', `The body did not arrive within ${bodyMaxMs / 1000} seconds.`)),
      bodyMaxMs,
    )
    response.onData((chunk, isLast) => {
      sizeBytes += chunk.byteLength
      if (sizeBytes > bodyMaxBytes)
        return reject(terminal('too_large', `The body is larger than the limit of ${bodyMaxBytes} bytes.`))
      // the buffer is taken back when this returns
      chunks.push(Buffer.from(chunk.slice(0)))
      if (!isLast) return
      clearTimeout(late)
      resolve(Buffer.concat(chunks))
    })
  })
}

function parse(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text === '' ? {} : JSON.parse(text)
  } catch {
    throw terminal('invalid_request', 'The body is not valid JSON.')
  }
}
