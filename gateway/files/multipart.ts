import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

import busboy from 'busboy'

import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'

export interface MultipartLimits {
  readonly maxFiles: number
  readonly maxFileBytes: number
  readonly maxRequestBytes: number
}

export const filesField = 'files'

const headerPairsMax = 32
const fieldNameMaxBytes = 100
const readAheadBytes = 1024 * 1024

/** The files of a multipart body, streamed one after another as they arrive. */
export interface Multipart {
  /** 0 when the client did not say. */
  readonly declaredBytes: number
  /** Ends when `receive` has everything. The first refusal, of the body, of `receive` or by `refuse`, ends it all. */
  read(receive: (filename: string, content: Readable) => Promise<void>): Promise<void>
  refuse(reason: FailureError): void
}

/** Refuses at once what can be refused before the body is sent. */
export function openMultipart(request: IncomingMessage, limits: MultipartLimits): Multipart {
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > limits.maxRequestBytes) throw requestTooLarge(limits)
  const parser = openParser(request, limits)
  let refusal: unknown

  const refuse = (reason: unknown): void => {
    refusal ??= reason
    // not at once: the parser still touches what it is busy with after it has told of it
    setImmediate(() => parser.destroy(reason instanceof Error ? reason : new Error('refused', { cause: reason })))
  }
  return {
    declaredBytes,
    refuse,
    async read(receive) {
      const received: Promise<void>[] = []
      parser.on('file', (field, content, { filename = '' }: { filename?: string }) => {
        content.on('error', () => undefined) // the parser's own error says why, this one only that
        if (field !== filesField) return refuse(unexpectedField(field))
        content.on('limit', () => refuse(fileTooLarge(filename, limits)))
        received.push(receive(filename, content).catch(refuse))
      })
      parser.on('field', (field) => refuse(field === filesField ? withoutFilename() : unexpectedField(field)))
      parser.on('filesLimit', () => refuse(tooManyFiles(limits)))
      parser.on('partsLimit', () => refuse(tooManyFiles(limits)))
      request.on('data', countBytes(limits, refuse))
      request.once('close', () => request.complete || refuse(brokenOff()))
      // not `pipeline`, which would end the request with the parser, and with it the answer's way to the client
      request.pipe(parser)
      try {
        await finished(parser)
      } catch (error) {
        refusal ??= unreadable(error)
      } finally {
        request.unpipe(parser)
        await Promise.allSettled(received)
      }
      if (refusal !== undefined) throw refusal
    },
  }
}

function openParser(request: IncomingMessage, limits: MultipartLimits): busboy.Busboy {
  // busboy would read a form of text too
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')) throw notMultipart()
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      highWaterMark: readAheadBytes,
      fileHwm: readAheadBytes,
      preservePath: false,
      limits: {
        files: limits.maxFiles,
        // busboy tells of a limit when it is reached, not when it is passed
        fileSize: limits.maxFileBytes + 1,
        fields: 1,
        fieldSize: 0,
        fieldNameSize: fieldNameMaxBytes,
        parts: limits.maxFiles + 1,
        headerPairs: headerPairsMax,
      },
    })
  } catch (error) {
    throw notMultipart(error)
  }
}

/** A body without Content-Length is counted as it comes. */
function countBytes(limits: MultipartLimits, refuse: (reason: FailureError) => void): (chunk: Buffer) => void {
  let sizeBytes = 0
  return (chunk) => {
    sizeBytes += chunk.length
    if (sizeBytes > limits.maxRequestBytes) refuse(requestTooLarge(limits))
  }
}

function brokenOff(): FailureError {
  return terminal('invalid_request', 'The upload was broken off. Nothing was kept.')
}

function unreadable(error: unknown): FailureError {
  const reason = error instanceof Error ? error.message : 'unreadable'
  return terminal('invalid_request', `The multipart body cannot be read (${reason}). Nothing was kept.`, error)
}

function notMultipart(cause?: unknown): FailureError {
  return terminal(
    'invalid_request',
    `The body must be multipart/form-data, with a boundary, and have one or more parts named \`${filesField}\`.`,
    cause,
  )
}

function withoutFilename(): FailureError {
  return terminal('invalid_request', `A part \`${filesField}\` has no filename.`)
}

function unexpectedField(field: string | undefined): FailureError {
  return terminal(
    'invalid_request',
    `The body has a part named ${JSON.stringify((field ?? '').slice(0, fieldNameMaxBytes))}; only files named \`${filesField}\` are expected.`,
  )
}

function tooManyFiles(limits: MultipartLimits): FailureError {
  return terminal(
    'invalid_request',
    `The upload has more than ${limits.maxFiles} files, which is the limit of one request. Nothing was kept; send it in several requests.`,
  )
}

function fileTooLarge(filename: string, limits: MultipartLimits): FailureError {
  return terminal(
    'too_large',
    `The file ${JSON.stringify(filename.slice(0, 255))} is larger than the limit of ${inWords(limits.maxFileBytes)} a file. Nothing of the upload was kept.`,
  )
}

function requestTooLarge(limits: MultipartLimits): FailureError {
  return terminal(
    'too_large',
    `The upload is larger than the limit of ${inWords(limits.maxRequestBytes)} a request. Nothing was kept; send it in several requests.`,
  )
}

/** `2 GiB (2147483648 bytes)`, or the bytes alone where no larger unit fits. */
export function inWords(sizeBytes: number): string {
  const fits = (power: number): boolean => sizeBytes % 1024 ** power === 0 && sizeBytes >= 1024 ** power
  const power = [4, 3, 2, 1].find(fits)
  if (power === undefined) return `${sizeBytes} bytes`
  return `${sizeBytes / 1024 ** power} ${['KiB', 'MiB', 'GiB', 'TiB'][power - 1]} (${sizeBytes} bytes)`
}
