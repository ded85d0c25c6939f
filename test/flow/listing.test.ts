import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import type { BatchPage } from '../../actors/listing/batches.ts'
import type { FilePage } from '../../actors/listing/files.ts'
import type { ListingRecords } from '../../actors/listing/listing.ts'
import type { Head } from '../../actors/listing/pages.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { buckets, topology } from '../../infra/nats/topology/topology.ts'
import type { BucketName } from '../../infra/nats/topology/topology.ts'
import { batchListingContract } from '../contract/batch-listing.ts'
import { listingContract } from '../contract/listing.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

async function open<StoredPage>(bucket: BucketName): Promise<ListingRecords<StoredPage>> {
  const connection = await nats.connect('listing')
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  await ensureTopology(client.jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }))
  return { heads: await openRecords<Head>(client, bucket), pages: await openRecords<StoredPage>(client, bucket) }
}

listingContract(test, { runs: 8, open: () => open<FilePage>(buckets.listing) })
batchListingContract(test, { runs: 8, open: () => open<BatchPage>(buckets.batchListing) })
