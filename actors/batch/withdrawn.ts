import type { BatchState, OpenBatch, WithdrawnBatch } from './state.ts'
import { untouched } from './untouched.ts'

/** Of a submission that never came to its end. */
export function abandonedBatch(entry: OpenBatch, atMs: number): WithdrawnBatch {
  return emptyBatch(entry, atMs)
}

/** Of a batch that is being deleted. It stays the same however often that is begun. */
export function purgedBatch(batch: BatchState): WithdrawnBatch {
  return { ...emptyBatch(batch, batch.finishedAtMs ?? batch.acceptedAtMs), issued: batch.issued, isPurging: true }
}

/** Of one that is deleted before its submission has come to its end. */
export function unsubmittedBatch(entry: OpenBatch): WithdrawnBatch {
  return { ...emptyBatch(entry, 0), isPurging: true }
}

/** As a batch of no files was always stored, so that whoever takes it for a batch finds one that has ended. */
function emptyBatch({ owner, batchId }: OpenBatch, atMs: number): BatchState & WithdrawnBatch {
  return {
    batchId,
    owner,
    acceptedAtMs: atMs,
    settings: { script: 'mixed', channels: 'mix' },
    total: 0,
    estimatedSeconds: 0,
    ...untouched,
    finishedAtMs: atMs,
  }
}
