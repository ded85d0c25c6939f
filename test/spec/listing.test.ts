import test from 'ava'

import type { BatchPage } from '../../actors/listing/batches.ts'
import type { FilePage } from '../../actors/listing/files.ts'
import type { Head } from '../../actors/listing/pages.ts'
import { batchListingContract } from '../contract/batch-listing.ts'
import { listingContract } from '../contract/listing.ts'
import { memoryRecords } from '../support/memory-records.ts'

listingContract(test, {
  runs: 200,
  open: () => Promise.resolve({ heads: memoryRecords<Head>(), pages: memoryRecords<FilePage>() }),
})

batchListingContract(test, {
  runs: 200,
  open: () => Promise.resolve({ heads: memoryRecords<Head>(), pages: memoryRecords<BatchPage>() }),
})
