import { renew } from './issuer-sign-in.js'
import { say } from './say.js'
import { token } from './session.js'

/** A refusal of the server, in its own words. */
export class ApiError extends Error {
  constructor(message, { status, retryAfterSeconds, body } = {}) {
    super(message)
    this.status = status ?? 0
    this.retryAfterSeconds = retryAfterSeconds
    this.body = body
  }
}

/** Nobody answered, another request of ours works on it, too much at once, or something is away. */
const passing = new Set([0, 423, 429, 503])

/** Not a refusal but a way to ask again: the server is away, full, or the network was. */
export function isPassing(error) {
  return error instanceof ApiError && passing.has(error.status)
}

/** Browsers refuse more than 64 KiB from a page that may be closed; a character is at most three bytes. */
const keptCharactersMax = (64 * 1024) / 3

let credential = token

/** For a page that a share link opened: it sends the link, and never the token of whoever looks at it. */
export function comeWith(link) {
  credential = () => link
}

/** What every request carries. */
export function bearer() {
  return { Authorization: `Bearer ${credential() ?? ''}` }
}

/** An answer that is good; anything else is an ApiError. */
export async function ask(path, options = {}) {
  const response = await send(path, options)
  // the token of who signed in ended, as it does while a machine sleeps
  const isOver = response.status === 401 && credential === token && (await renew())
  const answer = isOver ? await send(path, options) : response
  if (answer.ok) return answer
  throw errorOf(answer.status, await answer.text(), answer.headers.get('Retry-After'))
}

function send(path, { method = 'GET', json, headers = {}, signal, keepalive = false }) {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const request = {
    method,
    headers: { ...bearer(), ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    keepalive: keepalive && (body?.length ?? 0) <= keptCharactersMax,
  }
  return fetch(path, request).catch((error) => {
    throw error.name === 'AbortError' ? error : new ApiError(say('server.unreachable'))
  })
}

export async function read(path, options) {
  return (await ask(path, options)).json()
}

/** `detail` is a sentence, or an object with one. */
export function errorOf(status, text, retryAfter) {
  let body
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const detail = body?.detail
  const message =
    typeof detail === 'string' ? detail : (detail?.message ?? say('server.answered', { status: String(status) }))
  return new ApiError(message, { status, body, ...(retryAfter && { retryAfterSeconds: Number(retryAfter) }) })
}

export function networkError() {
  return new ApiError(say('server.unreachable'))
}

/** The same key makes a repetition harmless. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
