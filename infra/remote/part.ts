import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

import { readHttpDate } from './http-date.ts'

/** What of an object is on disk so far, and how to recognise that the rest belongs to it. */
export interface FetchedPart {
  sizeBytes: number
  /** Of the whole object, when it was announced. */
  readonly totalBytes: number | undefined
  /** A strong one, so that equal means the same bytes (RFC 9110, 8.8.1). Without it nothing can be continued. */
  readonly validator: string | undefined
  readonly contentType: string | undefined
}

export function beginPart(headers: IncomingHttpHeaders): FetchedPart {
  return {
    sizeBytes: 0,
    totalBytes: wholeNumber(headers['content-length']),
    validator: strongValidator(headers),
    contentType: headers['content-type'],
  }
}

/** Asks for the rest of this object, or for all of it when it has changed since. */
export function headersForRest({ sizeBytes, validator }: FetchedPart): OutgoingHttpHeaders {
  return validator === undefined ? {} : { range: `bytes=${sizeBytes}-`, 'if-range': validator }
}

/** The same part, about to get the rest that came with status 206; undefined when that is the rest of something else. */
export function continuePart(part: FetchedPart, headers: IncomingHttpHeaders): FetchedPart | undefined {
  const [, start, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? []
  const totalBytes = Number(total)
  if (Number(start) !== part.sizeBytes || totalBytes !== (part.totalBytes ?? totalBytes)) return undefined
  // a server may overlook If-Range and send the rest of a newer object
  const validator = part.validator?.startsWith('"') ? headers.etag : headers['last-modified']
  return (validator ?? part.validator) === part.validator ? { ...part, totalBytes } : undefined
}

function strongValidator(headers: IncomingHttpHeaders): string | undefined {
  const { etag, date, 'last-modified': modified } = headers
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : undefined
  // a date is strong when the object was left alone for a second before we got it (RFC 9110, 8.8.2.2)
  return readHttpDate(date) - readHttpDate(modified) >= 1000 ? modified : undefined
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
