import { z } from 'zod'

import { fileIdField } from '../wire.ts'

/** One page of them. */
const filesMax = 200

/** Some files of a batch. */
export const namedFiles = z
  .strictObject({
    file_ids: z
      .array(fileIdField)
      .min(1, 'name at least one file')
      .max(filesMax, `name at most ${filesMax} files at once`),
  })
  .meta({ id: 'NamedFiles', examples: [{ file_ids: ['01900000-0000-7000-8000-000000000000'] }] })
