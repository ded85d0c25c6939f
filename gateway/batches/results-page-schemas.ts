import { z } from 'zod'

import { idText } from '../wire.ts'
import { fileResult, rawJob } from './result-schemas.ts'
import { batchMetadataShown, batchNameShown } from './schemas.ts'

/** The wire of all results of a batch, by pages and as one document. */

const pageHead = {
  batch_id: idText,
  name: batchNameShown,
  metadata: batchMetadataShown,
  page: z.int(),
  limit: z.int(),
  total_pages: z.int(),
  count: z.int().describe('Files or jobs on this page.'),
}

const mergedPage = z
  .strictObject({ ...pageHead, total_files: z.int(), files: z.array(fileResult) })
  .meta({ id: 'ResultsPage' })

const rawPage = z
  .strictObject({ ...pageHead, total_jobs: z.int(), jobs: z.array(rawJob) })
  .meta({ id: 'RawResultsPage' })

const fileDocument = z.strictObject({ batch_id: idText, files: z.array(fileResult) }).meta({ id: 'BatchFiles' })
const jobDocument = z.strictObject({ batch_id: idText, jobs: z.array(rawJob) }).meta({ id: 'BatchJobs' })

/** Merged or raw, as the request says. */
export const resultsPage = z.union([mergedPage, rawPage]).meta({ id: 'AnyResultsPage' })
export const batchDocument = z.union([fileDocument, jobDocument]).meta({ id: 'BatchDocument' })
