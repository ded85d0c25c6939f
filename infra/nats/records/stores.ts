import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import type { Survival } from '../../../actors/attempt/marks.ts'
import type { BatchRecord, Members, OpenBatch, WaitingBatch } from '../../../actors/batch/state.ts'
import { formOfBatch, formOfFile, formOfMembers, formOfRun } from '../../../actors/form.ts'
import type { OpenInquiry } from '../../../actors/inquiry/state.ts'
import type { Quota } from '../../../actors/quota/state.ts'
import type { Records } from '../../../actors/ports.ts'
import type { Purge } from '../../../actors/purge/state.ts'
import type { Expiry } from '../../../actors/retention/state.ts'
import type { RunState } from '../../../actors/run/state.ts'
import type { UploadedFile } from '../../../actors/upload/state.ts'
import type { Webhook } from '../../../actors/webhook/state.ts'
import type { WorkerPulse } from '../../../actors/worker/state.ts'
import type { Config } from '../../config/config.ts'
import { systemClock } from '../../timing/clock.ts'
import { answerWithinMs } from '../connection/ask.ts'
import { watchWrites } from '../connection/write-watch.ts'
import type { WriteWatch } from '../connection/write-watch.ts'
import { ensureTopology } from '../topology/ensure.ts'
import { plannedTopology } from '../topology/planned.ts'
import { topologyOf } from '../topology/roles.ts'
import type { BrokerRole } from '../topology/roles.ts'
import { buckets } from '../topology/topology.ts'
import type { RecordsClient } from './client.ts'
import { openRecords } from './records.ts'

/** What gateways and workers read and write together. */
interface Stores {
  readonly files: Records<UploadedFile>
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly runs: Records<RunState>
  readonly open: Records<OpenBatch>
  readonly waiting: Records<WaitingBatch>
  readonly quotas: Records<Quota>
  readonly usage: Records<Quota>
  readonly workers: Records<WorkerPulse>
  readonly webhooks: Records<Webhook>
  readonly owedCalls: Records<OpenBatch>
  readonly openInquiries: Records<OpenInquiry>
  readonly expiries: Records<Expiry>
  readonly purges: Records<Purge>
  readonly survivals: Records<Survival>
}

export interface BrokerClient extends RecordsClient {
  readonly isAway: () => boolean
  readonly writes: WriteWatch
}

/** A cluster that is busy takes its time to make a stream and elect who leads it. */
const makingWithinMs = 20_000

/** Whoever comes first makes the streams; everyone compares them with what this version expects. */
export async function openBroker(
  connection: NatsConnection,
  input: { readonly config: Config; readonly isAway: () => boolean; readonly role?: BrokerRole },
): Promise<BrokerClient> {
  const manager = await jetstreamManager(connection, { timeout: makingWithinMs })
  const { config, role } = input
  const plan = plannedTopology(config)
  await ensureTopology(manager, role ? topologyOf(role, plan) : plan)
  return clientOn(connection, input)
}

/** Without a look at the streams. */
export async function clientOn(
  connection: NatsConnection,
  { isAway, role }: { readonly isAway: () => boolean; readonly role?: BrokerRole },
): Promise<BrokerClient> {
  const patience = { timeout: answerWithinMs }
  return {
    connection,
    js: jetstream(connection, patience),
    jsm: await jetstreamManager(connection, patience),
    isAway,
    ...(role && { role }),
    writes: watchWrites(systemClock, isAway),
  }
}

export async function openStores(client: RecordsClient): Promise<Stores> {
  return {
    files: await openRecords(client, buckets.files, formOfFile),
    batches: await openRecords(client, buckets.batches, formOfBatch),
    members: await openRecords(client, buckets.members, formOfMembers),
    runs: await openRecords(client, buckets.runs, formOfRun),
    open: await openRecords(client, buckets.open),
    waiting: await openRecords(client, buckets.waiting),
    quotas: await openRecords(client, buckets.quotas),
    usage: await openRecords(client, buckets.usage),
    workers: await openRecords(client, buckets.workers),
    webhooks: await openRecords(client, buckets.webhooks),
    owedCalls: await openRecords(client, buckets.owedCalls),
    openInquiries: await openRecords(client, buckets.openInquiries),
    expiries: await openRecords(client, buckets.expiries),
    purges: await openRecords(client, buckets.purges),
    survivals: await openRecords(client, buckets.survivals),
  }
}
