import { inHandKey, uploadKey } from '../ids.ts'
import type { UploadId } from '../ids.ts'
import type { Listing } from '../listing/ports.ts'
import type { Blobs, Faults, Log, Records } from '../ports.ts'
import { storedAt } from './decide.ts'
import type { FileRecords, SpooledUpload } from './ports.ts'
import { isVisible, isWithdrawn } from './state.ts'
import type {
  Content,
  FileFacts,
  Manifest,
  SameBytes,
  Upload,
  UploadInHand,
  UploadRecord,
  VisibleFile,
} from './state.ts'

export interface UploadPorts {
  readonly files: FileRecords
  readonly uploads: Records<UploadRecord>
  readonly contents: Records<Content>
  readonly inHand: Records<UploadInHand>
  readonly listing: Listing
  readonly blobs: Blobs
  readonly faults: Faults
  readonly log: Log
}

/**
 * Makes the records of an upload that is safe. After it the files can be seen, and deleted. `gone`: a repetition that gave
 * it up for dead has taken its place, or all its files were deleted since; what was written is owed a removal. Of `known` files it is
 * not said yet where they are stored.
 */
export async function record(
  ports: UploadPorts,
  upload: SpooledUpload,
  known: SameBytes | Promise<SameBytes> = new Map(),
): Promise<'recorded' | 'gone'> {
  const { manifest } = upload
  await noteInHand(ports, upload)
  const files = upload.isStored ? streamedStates(manifest, await known) : manifest.files.map(pendingState)
  const made = await Promise.all(files.map((file) => ports.files.create(file.fileId, file)))
  const again = files.filter((_, index) => made[index] === 'exists')
  await ports.faults.point('upload.after-file-records')
  const created = await ports.uploads.create(manifest.uploadId, uploadOf(manifest))
  if (created === 'exists' && !(await isRecorded(ports.uploads, manifest.uploadId))) return 'gone'
  await ports.faults.point('upload.after-upload-record')
  await ports.listing.append(manifest.owner, files)
  await unlistDeleted(ports, again)
  await ports.faults.point('upload.after-listing')
  await upload.enter('recorded')
  return 'recorded'
}

/**
 * Of those that were recorded before some may have been deleted since, and are listed again now. Who deletes takes a file out of sight before it
 * takes it off the list: one that is seen here is taken off after it was put there.
 */
async function unlistDeleted({ files, listing }: UploadPorts, recordedBefore: readonly VisibleFile[]): Promise<void> {
  const now = await Promise.all(recordedBefore.map(({ fileId }) => files.read(fileId)))
  const deleted = recordedBefore.filter((_, index) => !now[index] || !isVisible(now[index].value))
  const [first] = deleted
  if (!first) return
  await listing.remove(
    first.owner,
    deleted.map(({ fileId }) => fileId),
  )
}

/** First: no record of a file is there without somebody to ask for it. */
async function noteInHand({ inHand }: UploadPorts, { gatewayId, manifest, isStored }: SpooledUpload): Promise<void> {
  const { owner, uploadId, files } = manifest
  const key = inHandKey({ gatewayId, uploadId })
  const fileIds = files.map(({ fileId }) => fileId)
  const hashes = files.map(({ sha256, isApart }) => (isApart ? null : sha256))
  if (!isStored) return void (await inHand.create(key, { gatewayId, owner, uploadId, fileIds, hashes }))
  // noted when it began to come; if it is there no more, its place was taken too
  const noted = await inHand.read(key)
  if (noted) await inHand.replace(key, { ...noted.value, fileIds, hashes }, noted.revision)
}

/** Last: nothing is owed to it any more. */
export async function forgetUpload({ inHand }: Pick<UploadPorts, 'inHand'>, upload: SpooledUpload): Promise<void> {
  const { gatewayId, manifest } = upload
  await inHand.remove(inHandKey({ gatewayId, uploadId: manifest.uploadId }))
  await upload.finish()
}

/** Rather than withdrawn, or deleted since. */
export async function isRecorded(uploads: Records<UploadRecord>, uploadId: UploadId): Promise<boolean> {
  const upload = (await uploads.read(uploadId))?.value
  return upload !== undefined && !isWithdrawn(upload)
}

function streamedStates({ files }: Manifest, known: SameBytes): VisibleFile[] {
  return files.map((facts) => (known.has(facts.fileId) ? pendingState(facts) : storedAt(facts, uploadKey(facts))))
}

function pendingState(facts: FileFacts): VisibleFile {
  return { ...facts, status: 'pending' }
}

function uploadOf(manifest: Manifest): Upload {
  const { uploadId, owner, acceptedAtMs, spoolSeconds, rejected, fingerprint } = manifest
  const fileIds = manifest.files.map(({ fileId }) => fileId)
  return { uploadId, owner, fileIds, acceptedAtMs, spoolSeconds, rejected, fingerprint }
}
