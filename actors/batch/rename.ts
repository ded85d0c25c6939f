import { commit } from '../durable-actor.ts'
import type { Records } from '../ports.ts'
import { acceptedBatch } from './state.ts'
import type { BatchRecord, BatchState, OpenBatch } from './state.ts'

/** Calls a batch something else, at any time, or with an empty name nothing any more. */
export async function renameBatch(
  { batches }: { readonly batches: Records<BatchRecord> },
  { owner, batchId }: OpenBatch,
  name: string,
): Promise<BatchState | undefined> {
  const { state } = await commit(batches, batchId, (stored) => {
    const batch = acceptedBatch(stored)
    const isSame = batch?.owner !== owner || (batch.name ?? '') === name
    return { state: isSame ? stored : named(batch, name), effects: [] }
  })
  const batch = acceptedBatch(state)
  return batch?.owner === owner ? batch : undefined
}

function named(batch: BatchState, name: string): BatchState {
  const { name: _, ...rest } = batch
  return { ...rest, ...(name !== '' && { name }) }
}
