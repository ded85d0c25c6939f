import type { z } from 'zod'

import type { ResumableId } from '../../actors/ids.ts'
import type { ResumableUpload } from '../../actors/upload/state.ts'
import type { FinishedUpload } from './finish.ts'
import type { resumableUpload } from './schemas.ts'

/** Resumable uploads as callers see them: in a body for people, and in headers as tus has them. */

export function presentOpen(upload: ResumableUpload, receivedBytes: number): z.input<typeof resumableUpload> {
  return {
    resumable_upload_id: upload.resumableId,
    filename: upload.filename,
    size_bytes: upload.sizeBytes,
    received_bytes: receivedBytes,
    expires_at: new Date(upload.expiresAtMs).toISOString(),
  }
}

export function presentFinished(id: ResumableId, finished: FinishedUpload): z.input<typeof resumableUpload> {
  return {
    resumable_upload_id: id,
    filename: finished.filename,
    size_bytes: finished.sizeBytes,
    received_bytes: finished.sizeBytes,
    batch_upload_id: finished.batchUploadId,
    file_id: finished.fileId,
    ...(finished.isDeduplicated && { deduplicated: true }),
  }
}

export function openHeaders(upload: ResumableUpload, receivedBytes: number): Record<string, string> {
  return {
    'Upload-Offset': String(receivedBytes),
    'Upload-Length': String(upload.sizeBytes),
    'Upload-Expires': new Date(upload.expiresAtMs).toUTCString(),
    ...(upload.metadata !== '' && { 'Upload-Metadata': upload.metadata }),
  }
}

export function finishedHeaders(finished: FinishedUpload): Record<string, string> {
  const { sizeBytes, batchUploadId, fileId, isDeduplicated } = finished
  return {
    'Upload-Offset': String(sizeBytes),
    'Upload-Length': String(sizeBytes),
    'Vaak-Batch-Upload-Id': batchUploadId,
    'Vaak-File-Id': fileId,
    ...(isDeduplicated && { 'Vaak-Deduplicated': 'true' }),
  }
}
