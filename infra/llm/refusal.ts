import { z } from 'zod'

import { FailureError, terminal } from '../../actors/failure.ts'

/** Why an endpoint refused, in its own words, which are not to be trusted: bounded, on one line. */
export interface ModelRefusal {
  readonly status: number
  readonly retryAfterSeconds: number
  readonly reason: string
}

const reasonBytes = 16 * 1024
const reasonCharacters = 300

const told = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
])

export async function readRefusal(response: Response): Promise<ModelRefusal> {
  const { status, headers } = response
  return {
    status,
    retryAfterSeconds: Number(headers.get('retry-after')) || 0,
    reason: reasonIn(await firstOf(response)),
  }
}

async function firstOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > reasonBytes) break
  }
  return Buffer.concat(pieces).toString('utf8')
}

function reasonIn(body: string): string {
  const reason = told.safeParse(jsonOf(body)).data ?? ''
  return reason
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, reasonCharacters)
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** What is wrong with the key is the operator's to read, and stays in the log: endpoints repeat parts of it. */
const aboutKey = new Set([401, 403])

export function failureOfRefusal({ status, retryAfterSeconds, reason }: ModelRefusal): FailureError {
  const why = reason === '' || aboutKey.has(status) ? '.' : `: ${reason.replace(/\.$/, '')}.`
  const detail = `The conversation model answered with status ${status}${why}`
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    return new FailureError({ kind: 'retryable', code: 'remote_unavailable', detail, retryAfterSeconds })
  return terminal('remote_refused', `${detail} The operator should look at LLM_BASE_URL, LLM_MODEL and LLM_API_KEY.`)
}
