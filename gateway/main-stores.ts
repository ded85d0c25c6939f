import type { Claim } from '../actors/claim/state.ts'
import type { SessionDay } from '../actors/conversation/ports.ts'
import { formOfInHand } from '../actors/form.ts'
import { openBatchListing } from '../actors/listing/batches.ts'
import type { BatchPage } from '../actors/listing/batches.ts'
import { openFileListing } from '../actors/listing/files.ts'
import type { FilePage } from '../actors/listing/files.ts'
import type { Head } from '../actors/listing/pages.ts'
import type { StoredPronunciations } from '../actors/pronunciation/state.ts'
import type { Content, GatewayLease, UploadRecord } from '../actors/upload/state.ts'
import type { StoredSigningKey } from '../infra/identity/signing-key.ts'
import { fileQueue, inquiryQueue, webhookQueue } from '../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../infra/nats/queue/work-queue.ts'
import { openRecords } from '../infra/nats/records/records.ts'
import { openStores } from '../infra/nats/records/stores.ts'
import type { BrokerClient } from '../infra/nats/records/stores.ts'
import { openReports } from '../infra/nats/reports/reports.ts'
import { buckets } from '../infra/nats/topology/topology.ts'
import { systemClock } from '../infra/timing/clock.ts'
import type { MasterRecord } from '../infra/webhook/secrets.ts'

/** Every record and queue that a gateway reads or writes. */
export async function openGatewayStores(client: BrokerClient) {
  return {
    ...(await openStores(client)),
    uploads: await openRecords<UploadRecord>(client, buckets.uploads),
    contents: await openRecords<Content>(client, buckets.contents),
    inHand: await openRecords(client, buckets.inHand, formOfInHand),
    leases: await openRecords<GatewayLease>(client, buckets.leases),
    claims: await openRecords<Claim>(client, buckets.claims),
    listing: openFileListing({
      heads: await openRecords<Head>(client, buckets.listing),
      pages: await openRecords<FilePage>(client, buckets.listing),
    }),
    batchListing: openBatchListing({
      heads: await openRecords<Head>(client, buckets.batchListing),
      pages: await openRecords<BatchPage>(client, buckets.batchListing),
    }),
    reports: openReports(client),
    fileQueue: await openWorkQueue(client, { queue: fileQueue, isSeparate: false, clock: systemClock }),
    webhookQueue: await openWorkQueue(client, { queue: webhookQueue, isSeparate: false, clock: systemClock }),
    pronunciations: await openRecords<StoredPronunciations>(client, buckets.pronunciations),
    inquiryQueue: await openWorkQueue(client, { queue: inquiryQueue, isSeparate: false, clock: systemClock }),
    signingKeys: await openRecords<StoredSigningKey>(client, buckets.credentials),
    sessionDays: await openRecords<SessionDay>(client, buckets.sessionDays),
    masters: await openRecords<MasterRecord>(client, buckets.webhooks),
  }
}
