import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import { inWords } from '../files/multipart.ts'
import type { Request } from '../route.ts'

/** The words of the tus protocol for resumable uploads, 1.0 (https://tus.io/protocols/resumable-upload). */

const version = '1.0.0'
const extensions = 'creation,creation-with-upload,expiration,termination'
export const pieceType = 'application/offset+octet-stream'

export const metadataMaxCharacters = 4_096
const metadataPairsMax = 32

/** On every answer, also on those that refuse. Refuses whoever speaks another version; who says none is let be. */
export function greet({ header, raw }: Pick<Request, 'header' | 'raw'>): void {
  raw.response.setHeader('Tus-Resumable', version)
  const spoken = header('Tus-Resumable') ?? version
  if (spoken === version) return
  raw.response.setHeader('Tus-Version', version)
  throw terminal('unsupported_version', `This server speaks version ${version} of the tus protocol.`)
}

export function aboutProtocol(maxFileBytes: number): Record<string, string> {
  return { 'Tus-Version': version, 'Tus-Extension': extensions, 'Tus-Max-Size': String(maxFileBytes) }
}

export function announcedBytes({ header }: Pick<Request, 'header'>, maxFileBytes: number): number {
  if (header('Upload-Defer-Length') !== undefined)
    throw terminal(
      'invalid_request',
      'Upload-Defer-Length is not taken: say with Upload-Length how many bytes will come.',
    )
  if (header('Upload-Concat') !== undefined)
    throw terminal('invalid_request', 'Upload-Concat is not taken: send the recording as one upload.')
  const sizeBytes = wholeNumber('Upload-Length', header('Upload-Length'))
  if (sizeBytes > maxFileBytes) throw tooLarge(maxFileBytes)
  if (sizeBytes === 0) throw terminal('invalid_request', 'Upload-Length is 0; an empty file is no recording.')
  return sizeBytes
}

export function offsetIn({ header }: Pick<Request, 'header'>): number {
  return wholeNumber('Upload-Offset', header('Upload-Offset'))
}

export function isPiece({ header }: Pick<Request, 'header'>): boolean {
  return header('Content-Type')?.toLowerCase() === pieceType
}

function wholeNumber(name: string, value: string | undefined): number {
  if (value === undefined || !/^\d{1,15}$/.test(value))
    throw terminal('invalid_request', `The header ${name} must be a whole number of bytes, in digits.`)
  return Number(value)
}

function tooLarge(maxFileBytes: number): FailureError {
  return terminal(
    'too_large',
    `The file is larger than the limit of ${inWords(maxFileBytes)} a file. Nothing was begun.`,
  )
}

interface SaidOfUpload {
  /** As the client wrote it. */
  readonly metadata: string
  /** As the client wrote it too: a name, maybe with folders. */
  readonly name: string
}

/** What clients call the name of a file. */
const nameKeys = ['filename', 'name']

export function metadataIn({ header }: Pick<Request, 'header'>): SaidOfUpload {
  const metadata = header('Upload-Metadata') ?? ''
  if (metadata.length > metadataMaxCharacters)
    throw terminal('invalid_request', `Upload-Metadata has more than ${metadataMaxCharacters} characters.`)
  const pairs = metadata === '' ? [] : metadata.split(',').map(pairIn)
  const values = new Map(pairs)
  if (values.size < pairs.length) throw terminal('invalid_request', 'Upload-Metadata has a key twice.')
  if (pairs.length > metadataPairsMax)
    throw terminal('invalid_request', `Upload-Metadata has more than ${metadataPairsMax} keys.`)
  return { metadata, name: nameKeys.map((key) => values.get(key)).find((name) => name !== undefined) ?? '' }
}

function pairIn(text: string): readonly [key: string, value: string] {
  const [, key = '', value = ''] = /^ *([!-+\--~]+)(?: ([A-Za-z0-9+/]*={0,2}))? *$/.exec(text) ?? []
  if (key === '')
    throw terminal('invalid_request', 'Upload-Metadata must be keys with values in base64, and commas between them.')
  return [key, Buffer.from(value, 'base64').toString()]
}
