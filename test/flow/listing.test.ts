import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import type { Head, FilePage } from '../../actors/listing/pages.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { buckets, topology } from '../../infra/nats/topology/topology.ts'
import { listingContract } from '../contract/listing.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

listingContract(test, {
  runs: 8,
  async open() {
    const connection = await nats.connect('listing')
    const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
    await ensureTopology(client.jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }))
    return {
      heads: await openRecords<Head>(client, buckets.listing),
      pages: await openRecords<FilePage>(client, buckets.listing),
    }
  },
})
