import type { Listing } from '../listing/ports.ts'
import type { Blobs, Faults, Log, Records } from '../ports.ts'
import type { FileRecords, SpooledUpload } from './ports.ts'
import { isWithdrawn } from './state.ts'
import type { Manifest, Upload, UploadRecord } from './state.ts'

export interface UploadPorts {
  readonly files: FileRecords
  readonly uploads: Records<UploadRecord>
  readonly listing: Listing
  readonly blobs: Blobs
  readonly faults: Faults
  readonly log: Log
}

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

function uploadOf(manifest: Manifest): Upload {
  const { uploadId, owner, acceptedAtMs, spoolSeconds, rejected, fingerprint } = manifest
  const fileIds = manifest.files.map(({ fileId }) => fileId)
  return { uploadId, owner, fileIds, acceptedAtMs, spoolSeconds, rejected, fingerprint }
}
