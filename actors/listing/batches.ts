import type { BatchId } from '../ids.ts'
import { openListing } from './listing.ts'
import type { ListingKind, ListingRecords } from './listing.ts'
import type { BatchListing, ListedBatch, ListedBatchStatus } from './ports.ts'

/** As it is stored. */
export interface BatchPage {
  readonly batchIds: readonly BatchId[]
  /** One letter a batch, in the same order. */
  readonly statuses: string
}

const batches: ListingKind<BatchId, ListedBatchStatus, BatchPage> = {
  letters: { open: 'o', completed: 'c', partial: 'p', failed: 'f' },
  // what ended changes by deletions alone: they leave only what failed, or only what is complete, or nothing, which counts as complete
  forward: 'opfc',
  pageOf: ({ batchIds: ids, statuses }) => ({ ids, statuses }),
  stored: ({ ids: batchIds, statuses }) => ({ batchIds, statuses }),
}

export function openBatchListing(records: ListingRecords<BatchPage>, room?: number): BatchListing {
  const listing = openListing(batches, records, room)
  const entryOf = ({ batchId, status }: ListedBatch): { id: BatchId; status: ListedBatchStatus } => ({
    id: batchId,
    status,
  })
  return {
    append: (owner, added) => listing.append(owner, added.map(entryOf)),
    mark: (owner, marked) => listing.mark(owner, marked.map(entryOf)),
    remove: (owner, batchIds) => listing.remove(owner, batchIds),
    walk: (owner, query) => listing.walk(owner, query),
    lastHead: (owner) => listing.lastHead(owner),
    keepHead: (owner, head) => listing.keepHead(owner, head),
  }
}
