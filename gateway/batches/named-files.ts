import { z } from 'zod'

import { badBody, failure, fileIdField } from '../wire.ts'
import { batchPath } from './schemas.ts'

/** One page of them. */
const filesMax = 200

/** Some files of a batch. */
const namedFiles = z
  .strictObject({
    file_ids: z
      .array(fileIdField)
      .min(1, 'name at least one file')
      .max(filesMax, `name at most ${filesMax} files at once`),
  })
  .meta({ id: 'NamedFiles', examples: [{ file_ids: ['01900000-0000-7000-8000-000000000000'] }] })

/** Of every route that does something with some files of a batch. */
export const takesNamedFiles = {
  params: batchPath,
  query: z.strictObject({}),
  body: { contentType: 'application/json', schema: namedFiles, description: 'Which files.' },
} as const

export const badNames = { 400: { description: 'No file is named, or too many.', schema: failure }, ...badBody }
