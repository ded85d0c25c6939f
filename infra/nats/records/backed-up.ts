import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import type { BatchRecord, OpenBatch } from '../../../actors/batch/state.ts'
import type { Records } from '../../../actors/ports.ts'
import type { GatewayLease } from '../../../actors/upload/state.ts'
import { buckets } from '../topology/topology.ts'
import { openRecords } from './records.ts'

interface BackedUp {
  readonly manager: JetStreamManager
  /** What a restore has to look at, when it is there: of another shape than planned, perhaps, which `vaak migrate` mends. */
  readonly openRestored: () => Promise<{
    batches: Records<BatchRecord>
    open: Records<OpenBatch>
    leases: Records<GatewayLease>
  }>
}

/** A broker that is busy with large streams takes its time. */
const patience = { timeout: 20_000 }

/** For who puts streams back: neither makes nor compares any. */
export async function openBackedUp(connection: NatsConnection): Promise<BackedUp> {
  const manager = await jetstreamManager(connection, patience)
  const client = { connection, js: jetstream(connection, patience), jsm: manager }
  return {
    manager,
    openRestored: async () => ({
      batches: await openRecords(client, buckets.batches),
      open: await openRecords(client, buckets.open),
      leases: await openRecords(client, buckets.leases),
    }),
  }
}
