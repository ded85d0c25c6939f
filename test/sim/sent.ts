import { keepSent } from '../../actors/batch/sent.ts'
import { headKey } from '../../actors/listing/keys.ts'
import type { RunWork } from '../../actors/run/ports.ts'
import type { Domain } from './domain-ports.ts'
import type { Platform } from './platform-parts.ts'

/** What came with work is kept, and counted where it has been written since. */
export function keepSentIn({ world, batches, batchHeads }: Platform, { file, batch }: Domain): (work: RunWork) => void {
  return (work) => {
    const { owner, batchId, sent = {} } = work
    if (sent.batch && sent.batch.value !== batches.get(batchId)) world.count('batch sent and old')
    if (sent.listHead && sent.listHead.value !== batchHeads.get(headKey(owner))) world.count('list sent and old')
    keepSent({ batchListing: batch.batchListing, ...file }, work)
  }
}
