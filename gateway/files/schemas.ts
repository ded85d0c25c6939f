import { z } from 'zod'

import { uploadStatuses } from '../../actors/upload/state.ts'
import { idText, limitField, pageField, truth } from '../wire.ts'

/** The wire of the files API, field for field as the specification has it. */

const deleteMax = 1000

const uploadStatusField = z
  .enum(uploadStatuses)
  .describe('`pending`: queued for storage. `uploading`: on its way. `completed`: ready. `failed`: see `error`.')

const fileShape = {
  file_id: idText,
  filename: z.string().describe('The name the client gave, without folders and control characters.'),
  size_bytes: z.int(),
  estimated_duration_seconds: z
    .number()
    .describe('From the container’s header; where that does not tell, from the size at a usual bit rate.'),
  upload_status: uploadStatusField,
  gcs_key: z.string().optional().describe('The storage key; only when `completed`.'),
  error: z.string().optional().describe('Why it failed; only when `failed`.'),
  deduplicated: z
    .boolean()
    .optional()
    .describe(
      '`true` where you had the same bytes stored already: they are kept once for both files, and each stays when the other is deleted.',
    )
    .meta({ examples: [true] }),
  same_as: idText
    .optional()
    .describe(
      'The file of yours that these bytes came with first, which may be deleted since; only when `deduplicated`.',
    ),
}

export const uploadedFileSchema = z.strictObject(fileShape).meta({ id: 'UploadedFile' })

export const listedFile = z
  .strictObject({
    ...fileShape,
    batch_upload_id: idText,
    content_type: z.string().describe('The media type, from the content.'),
  })
  .meta({ id: 'ListedFile' })

export const rejectedFile = z
  .strictObject({
    filename: z.string(),
    size_bytes: z.int().describe('As far as it was received.'),
    reason: z.string(),
  })
  .meta({ id: 'RejectedFile' })

export const uploadAccepted = z
  .strictObject({
    batch_upload_id: idText,
    status: z.literal('accepted'),
    total_files: z.int(),
    spool_seconds: z.number().describe('Seconds spent on receiving the files.'),
    files: z.array(uploadedFileSchema),
    rejected_files: z
      .array(rejectedFile)
      .optional()
      .describe('Files of the request that were not accepted, each with the reason; the others were.'),
  })
  .meta({ id: 'UploadAccepted' })

export const uploadStatus = z
  .strictObject({
    batch_upload_id: idText,
    status: z
      .enum(['accepted', 'completed', 'partial', 'failed'])
      .describe('`accepted` while any file is open; then `completed`, `failed`, or `partial` when both happened.'),
    total_files: z.int(),
    completed: z.int(),
    failed: z.int(),
    uploading: z.int(),
    pending: z.int(),
    files: z.array(uploadedFileSchema),
  })
  .meta({ id: 'UploadStatus' })

/** Of both ways to upload. */
export const uploadQuery = z.strictObject({
  deduplicate: truth(
    'Whether bytes that you have stored already are kept once for both files, which then say `deduplicated`. `false` stores them again.',
    true,
  ),
})

export const listQuery = z.strictObject({
  page: pageField,
  limit: limitField('Files a page.'),
  upload_status: uploadStatusField.optional(),
})

export const listPage = z
  .strictObject({
    page: z.int(),
    limit: z.int(),
    total_pages: z.int(),
    total_files: z.int(),
    count: z.int().describe('Files on this page.'),
    files: z.array(listedFile),
  })
  .meta({ id: 'ListPage' })

export const deleteRequest = z
  .strictObject({
    file_ids: z
      .array(idText)
      .min(1, 'name at least one file')
      .max(deleteMax, `name at most ${deleteMax} files at once`),
  })
  .meta({ id: 'DeleteRequest', examples: [{ file_ids: ['01900000-0000-7000-8000-000000000000'] }] })

export const deleteResult = z
  .strictObject({
    deleted_file_ids: z.array(idText),
    deleted_count: z.int(),
    storage_objects_deleted: z.int(),
    jobs_cleaned: z.int(),
  })
  .meta({ id: 'DeleteResult' })
