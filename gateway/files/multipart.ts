import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import busboy from 'busboy'

import { FailureError, terminal } from '../../actors/failure.ts'

export interface MultipartLimits {
  readonly maxFiles: number
  readonly maxFileBytes: number
  readonly maxRequestBytes: number
}

export const filesField = 'files'

const headerPairsMax = 32
const fieldNameMaxBytes = 100
const readAheadBytes = 1024 * 1024

/**
 * Streams the files of a multipart body to `receive`, one after another as they arrive. The first refusal, of the body or
 * of `receive`, ends the whole reading.
 */
export async function readMultipart(
  request: IncomingMessage,
  limits: MultipartLimits,
  receive: (filename: string, content: Readable) => Promise<void>,
): Promise<void> {
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > limits.maxRequestBytes) throw requestTooLarge(limits)
  const parser = openParser(request, limits)
  const received: Promise<void>[] = []
  const refuse = (error: unknown): void => {
    parser.destroy(error instanceof Error ? error : new Error('refused', { cause: error }))
  }

  parser.on('file', (field, content, { filename = '' }: { filename?: string }) => {
    content.on('error', () => undefined) // the parser's own error says why, this one only that
    if (field !== filesField) {
      refuse(unexpectedField(field))
      return
    }
    content.on('limit', () => refuse(fileTooLarge(filename, limits)))
    received.push(receive(filename, content).catch(refuse))
  })
  parser.on('field', (field) =>
    refuse(
      field === filesField
        ? terminal('invalid_request', `A part \`${filesField}\` has no filename.`)
        : unexpectedField(field),
    ),
  )
  parser.on('filesLimit', () => refuse(tooManyFiles(limits)))
  parser.on('partsLimit', () => refuse(tooManyFiles(limits)))

  try {
    await pipeline(request, countBytes(limits), parser)
  } catch (error) {
    throw reasonOf(error, request)
  } finally {
    await Promise.allSettled(received)
  }
}

function openParser(request: IncomingMessage, limits: MultipartLimits): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      highWaterMark: readAheadBytes,
      fileHwm: readAheadBytes,
      preservePath: false,
      limits: {
        files: limits.maxFiles,
        fileSize: limits.maxFileBytes,
        fields: 1,
        fieldSize: 0,
        fieldNameSize: fieldNameMaxBytes,
        parts: limits.maxFiles + 1,
        headerPairs: headerPairsMax,
      },
    })
  } catch (error) {
    throw terminal(
      'invalid_request',
      `The body must be multipart/form-data with one or more parts named \`${filesField}\`.`,
      error,
    )
  }
}

/** A body without Content-Length is counted as it comes. */
function countBytes(limits: MultipartLimits): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* counted(source) {
    let sizeBytes = 0
    for await (const chunk of source) {
      sizeBytes += chunk.length
      if (sizeBytes > limits.maxRequestBytes) throw requestTooLarge(limits)
      yield chunk
    }
  }
}

function reasonOf(error: unknown, request: IncomingMessage): unknown {
  if (error instanceof FailureError) return error
  if (request.errored instanceof FailureError) return request.errored
  if (!request.complete) return terminal('invalid_request', 'The upload was broken off. Nothing was kept.', error)
  const reason = error instanceof Error ? error.message : 'unreadable'
  return terminal('invalid_request', `The multipart body cannot be read (${reason}). Nothing was kept.`, error)
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
    `The file ${JSON.stringify(filename.slice(0, 255))} is larger than the limit of ${limits.maxFileBytes} bytes a file. Nothing of the upload was kept.`,
  )
}

function requestTooLarge(limits: MultipartLimits): FailureError {
  return terminal(
    'too_large',
    `The upload is larger than the limit of ${limits.maxRequestBytes} bytes a request. Nothing was kept; send it in several requests.`,
  )
}
