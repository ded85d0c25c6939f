import type { Records } from '../ports.ts'
import { acceptedBatch, openKey } from './state.ts'
import type { BatchRecord, OpenBatch } from './state.ts'

interface ReopenPorts {
  readonly batches: Pick<Records<BatchRecord>, 'keys' | 'readMany'>
  readonly open: Pick<Records<OpenBatch>, 'create'>
}

const readAtOnce = 512

/**
 * Every batch that is not finished gets the entry by which the sweeper finds it, where a backup has none: it was accepted while that was
 * taken. Resolves with how many got one.
 */
export async function reopenBatches({ batches, open }: ReopenPorts): Promise<number> {
  const keys = await batches.keys()
  let reopened = 0
  for (let from = 0; from < keys.length; from += readAtOnce) {
    const found = await batches.readMany(keys.slice(from, from + readAtOnce))
    for (const record of found.values()) {
      const batch = acceptedBatch(record)
      if (!batch || batch.finishedAtMs !== undefined) continue
      const { owner, batchId } = batch
      if ((await open.create(openKey(batch), { owner, batchId })) !== 'exists') reopened += 1
    }
  }
  return reopened
}
