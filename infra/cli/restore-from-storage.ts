import type { NatsConnection } from 'nats'

import { formOfFile } from '../../actors/form.ts'
import { openFileListing } from '../../actors/listing/files.ts'
import type { FilePage } from '../../actors/listing/files.ts'
import type { Head } from '../../actors/listing/pages.ts'
import type { Log } from '../../actors/ports.ts'
import { rebuildUploads } from '../../actors/upload/rebuild.ts'
import type { Content, GatewayLease, UploadRecord, UploadedFile } from '../../actors/upload/state.ts'
import type { Config } from '../config/config.ts'
import { openStorage } from '../config/open-storage.ts'
import type { RecordsClient } from '../nats/records/client.ts'
import { openKnownStores } from '../nats/records/known-stores.ts'
import { openRecords } from '../nats/records/records.ts'
import { openBroker } from '../nats/records/stores.ts'
import { buckets } from '../nats/topology/topology.ts'
import { restoreSpool } from './restore-spool.ts'

const saidEveryMs = 5_000

export async function restoreFromStorage(connection: NatsConnection, config: Config, log: Log): Promise<void> {
  const client = await openBroker(connection, { config, isAway: () => false })
  await restoreSpool(config, await openRecords<GatewayLease>(client, buckets.leases))
  const blobs = await openStorage(config, { log, knownAt: await openKnownStores(client) })
  let saidAtMs = performance.now()
  try {
    const stores = await openUploadStores(client)
    const { restored, known, deleted, unusable } = await rebuildUploads({ ...stores, blobs, log }, (soFar) => {
      if (performance.now() - saidAtMs < saidEveryMs) return
      saidAtMs = performance.now()
      process.stderr.write(`${soFar.restored} files are listed again, ${soFar.known} were known …\n`)
    })
    process.stdout.write(
      `${restored} files are listed again, ${known} were known, ${deleted} are deleted, ` +
        `${unusable} could not be used.\n`,
    )
  } finally {
    await blobs.close()
  }
}

async function openUploadStores(client: RecordsClient) {
  return {
    files: await openRecords<UploadedFile>(client, buckets.files, formOfFile),
    contents: await openRecords<Content>(client, buckets.contents),
    uploads: await openRecords<UploadRecord>(client, buckets.uploads),
    listing: openFileListing({
      heads: await openRecords<Head>(client, buckets.listing),
      pages: await openRecords<FilePage>(client, buckets.listing),
    }),
  }
}
