import { isFileId, isUploadId, uploadKey, uploadsFolder } from '../ids.ts'
import type { FileId, GatewayId, Owner, ResumableRef, UploadId } from '../ids.ts'

/** What is known of a file from the moment it is accepted; none of it ever changes, but that a deleted one has no name. */
export interface FileFacts {
  readonly fileId: FileId
  readonly uploadId: UploadId
  readonly owner: Owner
  readonly filename: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly contentType: string
  readonly durationSeconds: number | null
  readonly acceptedAtMs: number
  /** It is stored by itself, whatever else has the same bytes. */
  readonly isApart?: true
}

/** Without how far it is. */
export function factsOf(file: FileFacts): FileFacts {
  const { fileId, uploadId, owner, filename, sizeBytes, sha256, contentType, durationSeconds, acceptedAtMs } = file
  const facts = { fileId, uploadId, owner, filename, sizeBytes, sha256, contentType, durationSeconds, acceptedAtMs }
  return file.isApart ? { ...facts, isApart: true } : facts
}

export type UploadedFile = FileFacts & UploadProgress

/** What a caller may see: a file that is being purged is gone already (I12). */
export type CompletedFile = FileFacts & Extract<UploadProgress, { readonly status: 'completed' }>
export type VisibleFile = FileFacts & Exclude<UploadProgress, { readonly status: 'purging' }>

export function isVisible(file: UploadedFile): file is VisibleFile {
  return file.status !== 'purging'
}

/** pending → uploading → completed | failed; purging ends them all. Who is settled stays settled, except by purge (I2). */
export type UploadProgress =
  | { readonly status: 'pending' }
  | { readonly status: 'uploading' }
  | ({ readonly status: 'completed'; readonly storageKey: string } & Shared)
  | { readonly status: 'failed'; readonly reason: string }
  | ({ readonly status: 'purging' } & Shared)

interface Shared {
  /** It is not the only one that refers to its object, or was not: versions that know nothing of that must not delete it. */
  readonly isShared?: true
}

export const uploadStatuses = ['pending', 'uploading', 'completed', 'failed'] as const
export type UploadStatus = (typeof uploadStatuses)[number]

/** The one object that has these bytes of a user, and the files that refer to it: it is there as long as one of them is. */
export interface Content {
  readonly storageKey: string
  /** In the order in which they came. */
  readonly holders: readonly FileId[]
}

/** Where it is noted which object has these bytes of a user. */
export function contentKey({ owner, sha256 }: Pick<FileFacts, 'owner' | 'sha256'>): string {
  return `${owner}.${sha256}`
}

/** Of files whose bytes their user has stored already, which file brought them. */
export type SameBytes = ReadonlyMap<FileId, FileId>

/** Of whose file it is the recording; nothing when it is none of this user's. */
export function fileOfUploadKey(owner: Owner, key: string): FileId | undefined {
  const [folder = '', whose = '', uploadId = '', fileId = '', ...rest] = key.split('/')
  const isTheirs = `${folder}/` === uploadsFolder && whose === owner && rest.length === 0
  return isTheirs && isUploadId(uploadId) && isFileId(fileId) ? fileId : undefined
}

/** Which of its user's files brought the bytes that it refers to, if it refers to another's; that one may be gone since. */
export function broughtBy(file: UploadedFile): FileId | undefined {
  const isElsewhere = file.status === 'completed' && file.storageKey !== uploadKey(file)
  return isElsewhere ? fileOfUploadKey(file.owner, file.storageKey) : undefined
}

/** One upload request: which files came together, and what is needed to give its answer again. */
export interface Upload {
  readonly uploadId: UploadId
  readonly owner: Owner
  readonly fileIds: readonly FileId[]
  readonly acceptedAtMs: number
  readonly spoolSeconds: number
  readonly rejected: readonly RejectedFile[]
  /** Of names and contents: tells a repetition from another upload under the same idempotency key. */
  readonly fingerprint: string
}

/** In the place of an upload that was given up for dead: should it only have been slow, it finds that place taken. */
interface WithdrawnUpload extends Pick<Upload, 'owner' | 'uploadId'> {
  readonly fileIds: readonly []
}

/** What is stored under the id of an upload. */
export type UploadRecord = Upload | WithdrawnUpload

/** No upload is accepted without files. */
export function isWithdrawn(upload: UploadRecord): upload is WithdrawnUpload {
  return upload.fileIds.length === 0
}

/**
 * That a gateway has not done everything for an upload yet: written before the first record of its files and removed after the last step, so
 * that nothing which was accepted hangs on one machine's disk without anybody else knowing.
 */
export interface UploadInHand extends Pick<Upload, 'owner' | 'uploadId' | 'fileIds'> {
  /** Of those files, in the same order; nothing for what is stored by itself. What others refer to is found by it when the record is gone. */
  readonly hashes?: readonly (string | null)[]
  readonly gatewayId: GatewayId
  /** It goes straight into storage: what it left there without ever being accepted is nobody's. */
  readonly isStreamed?: true
}

/** Who works on a spool. It is written again and again while they live; without a holder nobody does. */
export interface GatewayLease {
  /** A process, in words that only a process on the same machine understands. */
  readonly holder?: string
}

/** What the spool keeps beside the bytes: enough to make every record again. */
export type Manifest = Omit<Upload, 'fileIds'> & {
  readonly files: readonly FileFacts[]
  /** The idempotency claim under which it came, if any: an upload that lost its claim must not appear twice. */
  readonly claimKey?: string
}

/** An upload that may come in several requests, from its beginning until all of it is there. None of this ever changes. */
export interface ResumableUpload extends ResumableRef {
  readonly filename: string
  /** What the client said of it, in the words of the tus protocol, to be told again. */
  readonly metadata: string
  readonly sizeBytes: number
  /** It is stored by itself, whatever else has the same bytes. */
  readonly isApart?: true
  readonly begunAtMs: number
  readonly expiresAtMs: number
}

/** A file that was refused while its neighbours were accepted. */
export interface RejectedFile {
  readonly filename: string
  /** As far as it was received. */
  readonly sizeBytes: number
  readonly reason: string
  readonly isTooLarge?: true
}
