import { uploadKey } from '../ids.ts'
import type { FileId } from '../ids.ts'
import type { Blobs, Faults, FileRecords, Listing, ListedFile, Log, Records, SpooledUpload } from '../ports.ts'
import { decide } from './decide.ts'
import type { FileCommand } from './protocol.ts'
import { isVisible, isWithdrawn } from './state.ts'
import type { FileFacts, Manifest, Upload, UploadedFile, VisibleFile } from './state.ts'

export interface UploadPorts {
  readonly files: FileRecords
  readonly uploads: Records<Upload>
  readonly listing: Listing
  readonly blobs: Blobs
  readonly faults: Faults
  readonly log: Log
}

/**
 * What an accepted upload owes, step by step. The spool is the outbox: it forgets a file only after everything else knows
 * of it, so a crash anywhere repeats a step, and every step may be repeated.
 */

/**
 * Makes the records of an upload that is safe on disk. After it the files can be seen, and deleted. `gone`: a repetition that gave
 * it up for dead has taken its place, or all its files were deleted since; what was written is owed a removal.
 */
export async function record(ports: UploadPorts, upload: SpooledUpload): Promise<'recorded' | 'gone'> {
  const { manifest } = upload
  await Promise.all(manifest.files.map((facts) => ports.files.create(facts.fileId, { ...facts, status: 'pending' })))
  await ports.faults.point('upload.after-file-records')
  const created = await ports.uploads.create(manifest.uploadId, uploadOf(manifest))
  if (created === 'exists' && !(await isRecorded(ports, manifest))) return 'gone'
  await ports.faults.point('upload.after-upload-record')
  await ports.listing.append(
    manifest.owner,
    manifest.files.map(({ fileId }) => ({ fileId, status: 'pending' })),
  )
  await ports.faults.point('upload.after-listing')
  await upload.enter('recorded')
  return 'recorded'
}

async function isRecorded({ uploads }: UploadPorts, { uploadId }: Manifest): Promise<boolean> {
  const upload = (await uploads.read(uploadId))?.value
  return upload !== undefined && !isWithdrawn(upload)
}

/** Moves one file from the spool into object storage and says so everywhere. Throws when storage or broker are away. */
export async function transfer(ports: UploadPorts, upload: SpooledUpload, facts: FileFacts): Promise<void> {
  const begun = await advance(ports, facts.fileId, { type: 'Begin' })
  if (begun?.status === 'uploading') {
    await ports.listing.mark(facts.owner, [listed(begun)])
    await ports.faults.point('transfer.after-begin')
    await store(ports, upload, facts)
    await ports.faults.point('transfer.after-blob')
    await advance(ports, facts.fileId, { type: 'Stored', storageKey: uploadKey(facts) })
    await ports.faults.point('transfer.after-record')
  }
  await conclude(ports, upload, facts)
}

/** Storage stayed away for too long: the file ends as failed, with the reason. */
export async function giveUp(
  ports: UploadPorts,
  of: { upload: SpooledUpload; facts: FileFacts; reason: string },
): Promise<void> {
  await advance(ports, of.facts.fileId, { type: 'GiveUp', reason: of.reason })
  await conclude(ports, of.upload, of.facts)
}

/** What a settled file still owes: its place in the listing, and the room it takes in the spool. */
async function conclude(ports: UploadPorts, upload: SpooledUpload, facts: FileFacts): Promise<void> {
  const now = (await ports.files.read(facts.fileId))?.value
  if (now && isVisible(now)) await ports.listing.mark(facts.owner, [listed(now)])
  // deleted while it was being stored: nothing else knows of these bytes any more (I12)
  else await ports.blobs.remove(uploadKey(facts))
  await ports.faults.point('transfer.after-listing')
  await upload.release(facts.fileId)
}

async function store(ports: UploadPorts, upload: SpooledUpload, facts: FileFacts): Promise<void> {
  // released already, so an earlier attempt stored it
  if (!(await upload.holds(facts.fileId))) return
  await ports.blobs.put(uploadKey(facts), { path: upload.pathOf(facts.fileId), sizeBytes: facts.sizeBytes })
}

/** Compare-and-set until it is our turn. Resolves with what is stored now, or with nothing when the file was deleted. */
export async function advance(
  ports: Pick<UploadPorts, 'files'>,
  fileId: FileId,
  command: FileCommand,
): Promise<UploadedFile | undefined> {
  for (;;) {
    const stored = await ports.files.read(fileId)
    if (!stored) return undefined
    const next = decide(stored.value, command)
    if (next === stored.value) return next
    if ((await ports.files.replace(fileId, next, stored.revision)) !== 'conflict') return next
  }
}

function uploadOf(manifest: Manifest): Upload {
  const { uploadId, owner, acceptedAtMs, spoolSeconds, rejected, fingerprint } = manifest
  const fileIds = manifest.files.map(({ fileId }) => fileId)
  return { uploadId, owner, fileIds, acceptedAtMs, spoolSeconds, rejected, fingerprint }
}

function listed(file: VisibleFile): ListedFile {
  return { fileId: file.fileId, status: file.status }
}
