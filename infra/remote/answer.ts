import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

import { refusedByServer, unavailable } from './classify.ts'
import { readHttpDate } from './http-date.ts'
import type { RemoteLimits } from './limits.ts'
import { beginPart, continuePart } from './part.ts'
import type { FetchedPart } from './part.ts'

const comeBack = new Set([408, 425, 429])
const denied = new Set([401, 402, 403, 407])
const gone = new Set([404, 410])
const changed = new Set([206, 416])

/**
 * The part that the body of an answer is appended to, or undefined when we asked for the rest of an object that has
 * changed. An answer without a body that we want is thrown as the failure it is.
 */
export function readAnswer(
  answer: IncomingMessage,
  soFar: FetchedPart | undefined,
  limits: RemoteLimits,
): FetchedPart | undefined {
  const { statusCode: status = 0, headers } = answer
  const part = partIn(status, headers, soFar)
  if (part === undefined && soFar && changed.has(status)) return undefined
  if (part === undefined) throw failureOf(status, headers, limits)
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw refusedByServer(
      'The server of this URL sends the file packed (Content-Encoding), though it was asked not to.',
    )
  if ((part.totalBytes ?? 0) > limits.maxBytes) throw tooLarge(limits)
  return part
}

export function tooLarge({ maxBytes }: RemoteLimits): Error {
  return refusedByServer(`The file behind this URL is larger than the limit of ${maxBytes} bytes.`)
}

function partIn(status: number, headers: IncomingHttpHeaders, soFar: FetchedPart | undefined): FetchedPart | undefined {
  if (status === 200) return beginPart(headers)
  return status === 206 && soFar ? continuePart(soFar, headers) : undefined
}

function failureOf(status: number, headers: IncomingHttpHeaders, limits: RemoteLimits): Error {
  if (status >= 500 || comeBack.has(status))
    return unavailable(
      `The server of this URL cannot answer at the moment (status ${status}).`,
      retryAfterSeconds(headers, limits.maxRetryAfterSeconds),
    )
  if (gone.has(status))
    return refusedByServer(`There is nothing at this URL (status ${status}). Check it and submit it again.`)
  if (denied.has(status))
    return refusedByServer(
      `The server of this URL denies access (status ${status}). Use a URL that has not expired, or send the headers that it needs.`,
    )
  return refusedByServer(`The server of this URL answers with status ${status}; 200 is the only one that gives a file.`)
}

/** Seconds, or a date by the clock of the server that said it. */
function retryAfterSeconds(headers: IncomingHttpHeaders, max: number): number | undefined {
  const said = headers['retry-after']
  if (said === undefined) return undefined
  const seconds = /^\d+$/.test(said)
    ? Number(said)
    : Math.ceil((readHttpDate(said) - readHttpDate(headers.date)) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), max)
}
