import type { z } from 'zod'

import { uploadKey } from '../../actors/ids.ts'
import type { FileId } from '../../actors/ids.ts'
import { broughtBy } from '../../actors/upload/state.ts'
import type { FileFacts, RejectedFile, Upload, VisibleFile } from '../../actors/upload/state.ts'
import type { listedFile, rejectedFile, uploadAccepted, uploadedFileSchema, uploadStatus } from './schemas.ts'

/** Records as callers see them. */

/** What an ordinary speech recording needs; used only where the container does not tell how long it plays. */
const usualBitsPerSecond = 64_000

export function presentUploaded<File extends FileFacts>(
  upload: Pick<Upload, 'uploadId' | 'spoolSeconds' | 'rejected'>,
  files: readonly File[],
  firstOf: (file: File) => FileId | undefined,
): z.input<typeof uploadAccepted> {
  return {
    batch_upload_id: upload.uploadId,
    status: 'accepted',
    total_files: files.length,
    spool_seconds: upload.spoolSeconds,
    files: files.map((facts) => ({
      ...presentFile({ ...facts, status: 'pending' }),
      ...presentSame(firstOf(facts)),
    })),
    ...(upload.rejected.length > 0 && { rejected_files: presentRejected(upload.rejected) }),
  }
}

export function presentRejected(rejected: readonly RejectedFile[]): z.input<typeof rejectedFile>[] {
  return rejected.map(({ filename, sizeBytes, reason }) => ({ filename, size_bytes: sizeBytes, reason }))
}

export function presentUpload(upload: Upload, files: readonly VisibleFile[]): z.input<typeof uploadStatus> {
  const count = (status: VisibleFile['status']): number => files.filter((file) => file.status === status).length
  const [completed, failed, uploading, pending] = [
    count('completed'),
    count('failed'),
    count('uploading'),
    count('pending'),
  ]
  return {
    batch_upload_id: upload.uploadId,
    status: statusOf({ completed, failed, open: uploading + pending }),
    total_files: files.length,
    completed,
    failed,
    uploading,
    pending,
    files: files.map(presentFile),
  }
}

export function presentListed(file: VisibleFile): z.input<typeof listedFile> {
  return { ...presentFile(file), batch_upload_id: file.uploadId, content_type: file.contentType }
}

function presentFile(file: VisibleFile): z.input<typeof uploadedFileSchema> {
  return {
    file_id: file.fileId,
    filename: file.filename,
    size_bytes: file.sizeBytes,
    estimated_duration_seconds: estimatedSecondsOf(file),
    upload_status: file.status,
    // under its own name also where its bytes are another's: that name is good for as long as the file is
    ...(file.status === 'completed' && { gcs_key: uploadKey(file) }),
    ...presentSame(broughtBy(file)),
    ...(file.status === 'failed' && { error: file.reason }),
  }
}

export function estimatedSecondsOf({ durationSeconds, sizeBytes }: FileFacts): number {
  return durationSeconds ?? (sizeBytes * 8) / usualBitsPerSecond
}

function statusOf(input: { completed: number; failed: number; open: number }): z.input<typeof uploadStatus>['status'] {
  if (input.open > 0) return 'accepted'
  if (input.failed === 0) return 'completed'
  return input.completed === 0 ? 'failed' : 'partial'
}

function presentSame(first: FileId | undefined): Pick<z.input<typeof uploadedFileSchema>, 'deduplicated' | 'same_as'> {
  return first === undefined ? {} : { deduplicated: true, same_as: first }
}
