import test from 'ava'

import type { Head, FilePage } from '../../actors/listing/pages.ts'
import { listingContract } from '../contract/listing.ts'
import { memoryRecords } from '../support/memory-records.ts'

listingContract(test, {
  runs: 200,
  open: () => Promise.resolve({ heads: memoryRecords<Head>(), pages: memoryRecords<FilePage>() }),
})
