import { terminal } from '../../actors/failure.ts'
import { isFileId, isUploadId } from '../../actors/ids.ts'
import type { FileId, Owner, UploadId } from '../../actors/ids.ts'
import type { SourceOptions } from '../../actors/run/state.ts'
import type { SecretHeaders } from '../../actors/secret-headers.ts'
import { wantedPart } from './source-schema.ts'
import type { SourceInput } from './source-schema.ts'

/** Why a URL will never be fetched, as far as its text tells. */
export type UrlCheck = (url: string) => string | undefined

/** A file that was uploaded, by its id or by its storage key. */
export interface StoredSource {
  readonly fileId: FileId
  /** As it was named; absent when it was named by its id. */
  readonly key?: string
  readonly uploadId?: UploadId
}

/** What was said of it. Where it is named twice, what is said later counts. */
export interface SourceDetails extends SourceOptions {
  readonly filename?: string
  readonly headers?: SecretHeaders
}

export interface UrlSource {
  readonly url: string
  readonly details: SourceDetails
}

interface Inputs {
  readonly stored: readonly StoredSource[]
  /** Keys that cannot be of a file of this user, whatever is stored. */
  readonly unknown: readonly string[]
  readonly details: ReadonlyMap<FileId, SourceDetails>
  /** The same part of the same URL twice is the same file. */
  readonly urls: readonly UrlSource[]
}

const namedMax = 5

export function inputsOf(sources: readonly SourceInput[], input: { owner: Owner; checkUrl: UrlCheck }): Inputs {
  const stored: StoredSource[] = []
  const details = new Map<FileId, SourceDetails>()
  const urls = new Map<string, UrlSource>()
  const refusals: string[] = []
  const unknown: string[] = []
  for (const [index, source] of sources.entries()) {
    const { gcs_key: key, url } = source
    const named = key === undefined ? undefined : readKey(key, input.owner)
    if (key !== undefined && !named) unknown.push(key)
    if (key !== undefined && named) {
      stored.push({ ...named, key })
      details.set(named.fileId, together(details.get(named.fileId), detailsOf(source), `sources.${index}`))
    }
    if (url === undefined) continue
    const refusal = input.checkUrl(url)
    if (refusal !== undefined) refusals.push(`sources.${index}.url: ${refusal}`)
    const same = JSON.stringify([url, wantedPart(source)])
    urls.set(same, { url, details: { ...urls.get(same)?.details, ...detailsOf(source) } })
  }
  if (refusals.length > 0) throw terminal('invalid_request', inShort(refusals))
  return { stored, details, unknown, urls: [...urls.values()] }
}

function detailsOf(source: SourceInput): SourceDetails {
  const { filename, headers, metadata } = source
  const part = wantedPart(source)
  return {
    ...(filename !== undefined && { filename }),
    ...(headers && { headers }),
    ...(metadata && { metadata }),
    ...(part && { part }),
  }
}

/** A file is in a batch once, under its id. */
function together(earlier: SourceDetails = {}, later: SourceDetails, where: string): SourceDetails {
  if (earlier.part && later.part && JSON.stringify(earlier.part) !== JSON.stringify(later.part))
    throw terminal(
      'invalid_request',
      `${where}: another part of this file is in the batch already; submit each part of a stored file in a batch of its own.`,
    )
  return { ...earlier, ...later }
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
