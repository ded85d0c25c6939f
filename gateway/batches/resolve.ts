import type { Member } from '../../actors/batch/state.ts'
import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import { isFileId, isUploadId } from '../../actors/ids.ts'
import type { FileId, Owner } from '../../actors/ids.ts'
import type { Ids, Records } from '../../actors/ports.ts'
import type { RecordingPart } from '../../actors/run/state.ts'
import type { FileRecords } from '../../actors/upload/ports.ts'
import { isVisible } from '../../actors/upload/state.ts'
import type { CompletedFile, UploadRecord, UploadedFile } from '../../actors/upload/state.ts'
import { safeFilename } from '../files/filename.ts'
import { estimatedSecondsOf } from '../files/present.ts'
import { shortenId } from '../wire.ts'
import type { BatchRequest } from './schemas.ts'
import { inputsOf, nameInUrl } from './sources.ts'
import type { SourceDetails, StoredSource, UrlCheck, UrlSource } from './sources.ts'

export interface ResolvePorts {
  readonly uploadRecords: Records<UploadRecord>
  readonly fileRecords: FileRecords
  readonly ids: Ids
  readonly checkUrl: UrlCheck
}

/** How long an ordinary recording is taken to be when nobody has seen its header yet. */
const unseenSeconds = 60
const shortestSeconds = 1
/** A refusal names at most so many files. */
const namedMax = 100

interface ResolvedFiles {
  readonly members: readonly Member[]
  /** The files among them that share their bytes with others. */
  readonly shared: readonly CompletedFile[]
}

/** The files that a submission means, each once, in its order; or why it cannot be done. */
export async function resolve(
  ports: ResolvePorts,
  { owner, request }: { owner: Owner; request: BatchRequest },
  maxFiles: number,
): Promise<ResolvedFiles> {
  const { stored, details, unknown, urls } = inputsOf(request.sources ?? [], { owner, checkUrl: ports.checkUrl })
  const ids = request.file_ids ?? []
  const wanted: StoredSource[] = [...ids.filter(isFileId).map((fileId) => ({ fileId })), ...stored]
  const named = new Set(wanted.map(({ fileId }) => fileId))
  if (named.size + urls.length > maxFiles) throw tooMany(named.size + urls.length, maxFiles)

  const uploaded =
    request.batch_upload_id === undefined ? [] : await filesOfUpload(ports, owner, request.batch_upload_id)
  const malformed = ids.filter((id) => !isFileId(id)).map(shortenId)
  const chosen = await filesByName(ports.fileRecords, owner, { wanted, unknown: { keys: unknown, malformed } })
  const files = new Map([...uploaded, ...chosen].map((file) => [file.fileId, file]))
  const members = [
    ...[...files.values()].map((file) => uploadMember(file, details.get(file.fileId))),
    ...urls.map((source) => urlMember(ports.ids.nextFileId(), source)),
  ]
  if (members.length === 0)
    throw terminal(
      'invalid_request',
      'There is nothing to transcribe: name an upload with completed files, file_ids, or sources.',
    )
  if (members.length > maxFiles) throw tooMany(members.length, maxFiles)
  return { members, shared: [...files.values()].filter(({ isShared }) => isShared) }
}

/** Its completed files; those that failed, or were deleted, are left out. */
async function filesOfUpload(ports: ResolvePorts, owner: Owner, uploadId: string): Promise<CompletedFile[]> {
  const upload = isUploadId(uploadId) ? (await ports.uploadRecords.read(uploadId))?.value : undefined
  if (!upload) throw terminal('not_found', 'upload not found')
  if (upload.owner !== owner) throw terminal('forbidden', 'This upload belongs to another user.')
  const found = await ports.fileRecords.readMany(upload.fileIds)
  const files = upload.fileIds.flatMap((fileId) => found.get(fileId) ?? []).filter(isVisible)
  if (files.length === 0) throw terminal('not_found', 'upload not found')
  const open = files.filter(({ status }) => status === 'pending' || status === 'uploading')
  if (open.length > 0)
    throw terminal('conflict', {
      message: 'Files of this upload are still on their way to storage; submit when none is pending or uploading.',
      file_ids: open.slice(0, namedMax).map(({ fileId }) => fileId),
    })
  return files.filter(isReady)
}

/** What was named and cannot be anything of ours. */
interface Unknown {
  readonly keys: readonly string[]
  readonly malformed: readonly string[]
}

async function filesByName(
  records: FileRecords,
  owner: Owner,
  { wanted, unknown }: { wanted: readonly StoredSource[]; unknown: Unknown },
): Promise<CompletedFile[]> {
  const found = await records.readMany([...new Set(wanted.map(({ fileId }) => fileId))])
  const visible = (source: StoredSource): UploadedFile | undefined => {
    const file = found.get(source.fileId)
    const isTheirs = file?.owner === owner && isVisible(file)
    return isTheirs && (source.uploadId === undefined || source.uploadId === file.uploadId) ? file : undefined
  }
  const missing = wanted.filter((source) => !visible(source))
  if (missing.length + unknown.keys.length + unknown.malformed.length > 0) throw notFound(missing, unknown)
  const files = wanted.flatMap((source) => visible(source) ?? [])
  const unready = files.filter((file) => !isReady(file))
  if (unready.length > 0)
    throw terminal('conflict', {
      message: 'Some files are not completed, so they cannot be transcribed; nothing was submitted.',
      file_ids: unready.slice(0, namedMax).map(({ fileId }) => fileId),
    })
  return files.filter(isReady)
}

function isReady(file: UploadedFile): file is CompletedFile {
  return file.status === 'completed'
}

function uploadMember(file: CompletedFile, { filename, ...options }: Omit<SourceDetails, 'headers'> = {}): Member {
  return {
    fileId: file.fileId,
    filename: filename === undefined ? file.filename : safeFilename(filename),
    source: { type: 'upload', key: file.storageKey },
    estimatedSeconds: Math.max(shortestSeconds, secondsInPart(options.part, estimatedSecondsOf(file))),
    ...options,
  }
}

function urlMember(fileId: FileId, { url, details }: UrlSource): Member {
  const { filename, headers, ...options } = details
  const { start = 0, end = start + unseenSeconds } = options.part ?? {}
  return {
    fileId,
    filename: safeFilename(filename ?? nameInUrl(url)),
    source: { type: 'url', url, ...(headers && { headers }) },
    estimatedSeconds: Math.max(shortestSeconds, end - start),
    ...options,
  }
}

/** What its header tells may be wrong: what is beyond it is taken of the quota when it is known. */
function secondsInPart({ start, end = Infinity }: RecordingPart = { start: 0 }, seconds: number): number {
  return Math.min(end, seconds) - start
}

function notFound(missing: readonly StoredSource[], unknown: Unknown): FailureError {
  const keys = [...missing.flatMap(({ key }) => key ?? []), ...unknown.keys].slice(0, namedMax)
  const unseen: string[] = missing.flatMap(({ key, fileId }) => (key === undefined ? [fileId] : []))
  const fileIds = [...unseen, ...unknown.malformed].slice(0, namedMax)
  return terminal('not_found', {
    message: 'Some files were not found; nothing was submitted.',
    ...(fileIds.length > 0 && { file_ids: fileIds }),
    ...(keys.length > 0 && { gcs_keys: keys }),
  })
}

function tooMany(files: number, maxFiles: number): FailureError {
  return terminal(
    'invalid_request',
    `This batch has ${files} files, and the limit is ${maxFiles}; submit several batches.`,
  )
}
