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

/** What the parts of a form are called, and how much text may come with the files. */
interface FormShape {
  readonly fileField: string
  readonly fieldsMax: number
  readonly fieldMaxBytes: number
  /** Called for each part that is text. */
  readonly onField: (name: string, value: string) => void
}

const headerPairsMax = 32
const fieldNameMaxBytes = 100
const readAheadBytes = 1024 * 1024

/** `truncated`: it is larger than the limit, and the rest of it was skipped. */
export type PartContent = Readable & { readonly truncated?: boolean }

/** The files of a multipart body, streamed one after another as they arrive. */
export interface Multipart {
  /** 0 when the client did not say. */
  readonly declaredBytes: number
  /** What is wrong with a file of which only the beginning was received, in words. */
  readonly tooLarge: string
  /** Ends when `receive` has everything. The first refusal, of the body, of `receive` or by `refuse`, ends it all. */
  read(receive: (filename: string, content: PartContent) => Promise<void>): Promise<void>
  refuse(reason: FailureError): void
}

/** Refuses at once what can be refused before the body is sent. */
export function openMultipart(request: IncomingMessage, limits: MultipartLimits, form?: FormShape): Multipart {
  const { fileField = filesField } = form ?? {}
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > limits.maxRequestBytes) throw requestTooLarge(limits)
  const parser = openParser(request, limits, form)
  let refusal: unknown

  const refuse = (reason: unknown): void => {
    refusal ??= reason
    // not at once: the parser still touches what it is busy with after it has told of it
    setImmediate(() => parser.destroy(reason instanceof Error ? reason : new Error('refused', { cause: reason })))
  }
  return {
    declaredBytes,
    tooLarge: `The file is larger than the limit of ${inWords(limits.maxFileBytes)} a file.`,
    refuse,
    async read(receive) {
      const received: Promise<void>[] = []
      parser.on('file', (field, content, { filename = '' }: { filename?: string }) => {
        content.on('error', () => undefined) // the parser's own error says why, this one only that
        if (field !== fileField) return refuse(unexpectedField(field, fileField))
        received.push(receive(filename, content).catch(refuse))
      })
      parser.on('field', (field, value, info) => {
        if (field === fileField) return refuse(withoutFilename(fileField))
        if (!form) return refuse(unexpectedField(field, fileField))
        if (info.nameTruncated || info.valueTruncated) return refuse(fieldTooLong(form))
        form.onField(field, value)
      })
      parser.on('fieldsLimit', () => refuse(form ? tooManyFields(form) : unexpectedField('', fileField)))
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
        // busboy goes on behind a part that it cannot read, and a file that it has begun there would never end
        parser.on('error', () => undefined).destroy()
      } finally {
        request.unpipe(parser)
        await Promise.allSettled(received)
      }
      if (refusal !== undefined) throw refusal
    },
  }
}

function openParser(request: IncomingMessage, limits: MultipartLimits, form: FormShape | undefined): busboy.Busboy {
  const { fileField = filesField, fieldsMax = 1, fieldMaxBytes = 0 } = form ?? {}
  // busboy would read a form of text too
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')) throw notMultipart(fileField)
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
        fields: fieldsMax,
        fieldSize: fieldMaxBytes,
        fieldNameSize: fieldNameMaxBytes,
        parts: limits.maxFiles + fieldsMax,
        headerPairs: headerPairsMax,
      },
    })
  } catch (error) {
    throw notMultipart(fileField, error)
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

function notMultipart(fileField: string, cause?: unknown): FailureError {
  return terminal(
    'invalid_request',
    `The body must be multipart/form-data, with a boundary, and have its files in parts named \`${fileField}\`.`,
    cause,
  )
}

function withoutFilename(fileField: string): FailureError {
  return terminal('invalid_request', `A part \`${fileField}\` has no filename.`)
}

function unexpectedField(field: string | undefined, fileField: string): FailureError {
  return terminal(
    'invalid_request',
    `The body has a part named ${JSON.stringify((field ?? '').slice(0, fieldNameMaxBytes))}; only files named \`${fileField}\` are expected.`,
  )
}

function fieldTooLong({ fieldMaxBytes }: FormShape): FailureError {
  return terminal('invalid_request', `A field of the form is longer than the limit of ${inWords(fieldMaxBytes)}.`)
}

function tooManyFields({ fieldsMax }: FormShape): FailureError {
  return terminal('invalid_request', `The form has more than ${fieldsMax} fields, which is the limit.`)
}

function tooManyFiles(limits: MultipartLimits): FailureError {
  return terminal(
    'invalid_request',
    `The upload has more than ${limits.maxFiles} files, which is the limit of one request. Nothing was kept; send it in several requests.`,
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
