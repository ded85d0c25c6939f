import { jetstream, jetstreamManager } from '@nats-io/jetstream'

import type { Claim } from '../../actors/claim/state.ts'
import { openFileListing } from '../../actors/listing/files.ts'
import type { FilePage } from '../../actors/listing/files.ts'
import type { Head } from '../../actors/listing/pages.ts'
import type { Listing } from '../../actors/listing/ports.ts'
import type { Records } from '../../actors/ports.ts'
import type { FileRecords } from '../../actors/upload/ports.ts'
import { isVisible } from '../../actors/upload/state.ts'
import type { Upload, UploadedFile } from '../../actors/upload/state.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { buckets } from '../../infra/nats/topology/topology.ts'
import type { TestNats } from './nats.ts'

/** The gateway's own stores, so that a test can lay out a situation instead of waiting until it happens. */
export interface StoredBatch {
  readonly files: FileRecords
  readonly uploads: Records<Upload>
  readonly claims: Records<Claim>
  readonly listing: Listing
  /** Uploads of one file each, the first one being the oldest. */
  add(files: readonly UploadedFile[]): Promise<void>
}

/** On a broker whose topology exists: a gateway has been started on it. */
export async function storedIn(nats: TestNats): Promise<StoredBatch> {
  const connection = await nats.connect('laying out')
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  const files = await openRecords<UploadedFile>(client, buckets.files)
  const uploads = await openRecords<Upload>(client, buckets.uploads)
  const claims = await openRecords<Claim>(client, buckets.claims)
  const listing = openFileListing({
    heads: await openRecords<Head>(client, buckets.listing),
    pages: await openRecords<FilePage>(client, buckets.listing),
  })

  const addRecords = async (file: UploadedFile): Promise<void> => {
    const { uploadId, owner, fileId, acceptedAtMs } = file
    await files.create(fileId, file)
    const upload = { uploadId, owner, acceptedAtMs, spoolSeconds: 0, rejected: [], fingerprint: 'none' }
    await uploads.create(uploadId, { ...upload, fileIds: [fileId] })
  }
  return {
    files,
    uploads,
    claims,
    listing,
    async add(given) {
      await Promise.all(given.map(addRecords))
      for (const owner of new Set(given.map((file) => file.owner)))
        await listing.append(owner, given.filter((file) => file.owner === owner).filter(isVisible))
    },
  }
}
