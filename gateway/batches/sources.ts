import { terminal } from '../../actors/failure.ts'
import { isFileId, isUploadId } from '../../actors/ids.ts'
import type { FileId, Owner, UploadId } from '../../actors/ids.ts'
import type { SourceInput } from './schemas.ts'

/** Why a URL will never be fetched, as far as its text tells. */
export type UrlCheck = (url: string) => string | undefined

/** A file that was uploaded, by its id or by its storage key. */
export interface StoredSource {
  readonly fileId: FileId
  /** As it was named; absent when it was named by its id. */
  readonly key?: string
  readonly uploadId?: UploadId
  readonly filename?: string | undefined
}

interface Inputs {
  readonly stored: readonly StoredSource[]
  /** Keys that cannot be of a file of this user, whatever is stored. */
  readonly unknown: readonly string[]
  /** With the name that was given for it, if any; the same URL twice is the same file. */
  readonly urls: ReadonlyMap<string, string | undefined>
}

const namedMax = 5

export function inputsOf(sources: readonly SourceInput[], input: { owner: Owner; checkUrl: UrlCheck }): Inputs {
  const stored: StoredSource[] = []
  const urls = new Map<string, string | undefined>()
  const refusals: string[] = []
  const unknown: string[] = []
  for (const [index, { gcs_key: key, url, filename }] of sources.entries()) {
    if (key !== undefined) {
      const named = readKey(key, input.owner)
      if (named) stored.push({ ...named, key, filename })
      else unknown.push(key)
    }
    if (url === undefined) continue
    const refusal = input.checkUrl(url)
    if (refusal !== undefined) refusals.push(`sources.${index}.url: ${refusal}`)
    urls.set(url, filename ?? urls.get(url))
  }
  if (refusals.length > 0) throw terminal('invalid_request', inShort(refusals))
  return { stored, unknown, urls }
}

/** The last part of a URL's path, readable. */
export function nameInUrl(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function readKey(key: string, owner: Owner): { fileId: FileId; uploadId: UploadId } | undefined {
  const [folder, of, uploadId = '', fileId = '', ...more] = key.split('/')
  const isTheirs = folder === 'uploads' && of === owner && more.length === 0
  return isTheirs && isUploadId(uploadId) && isFileId(fileId) ? { uploadId, fileId } : undefined
}

function inShort(refusals: readonly string[]): string {
  const more = refusals.length > namedMax ? [`and ${refusals.length - namedMax} more`] : []
  return [...refusals.slice(0, namedMax), ...more].join('; ')
}
