import { openBatchListing } from '../../actors/listing/batches.ts'
import type { BatchPage } from '../../actors/listing/batches.ts'
import type { Head } from '../../actors/listing/pages.ts'
import type { BatchListing } from '../../actors/listing/ports.ts'
import { memoryRecords } from './memory-records.ts'

/** A list of batches in this process. */
export function aBatchListing(room?: number): BatchListing {
  return openBatchListing({ heads: memoryRecords<Head>(), pages: memoryRecords<BatchPage>() }, room)
}
