import { z } from 'zod'

import { idText } from '../wire.ts'

export const resumableUpload = z
  .strictObject({
    resumable_upload_id: idText,
    filename: z.string().describe('The name the client gave, without folders and control characters.'),
    size_bytes: z.int().describe('As the client announced.'),
    received_bytes: z.int().describe('How many are safe, from the first on; the next request begins there.'),
    expires_at: z.iso.datetime().optional().describe('When what came is deleted, unless all of it has come.'),
    batch_upload_id: idText.optional().describe('The upload that it became; only when all of it has come.'),
    file_id: idText.optional().describe('The file that it became; only when all of it has come.'),
    deduplicated: z
      .boolean()
      .optional()
      .describe('`true` where you had the same bytes stored already: see the file; only when all of it has come.'),
  })
  .meta({ id: 'ResumableUpload' })

export const resumableUploads = z
  .strictObject({ uploads: z.array(resumableUpload), count: z.int() })
  .meta({ id: 'ResumableUploads' })
