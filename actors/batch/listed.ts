import type { ListedBatch } from '../listing/ports.ts'
import { statusOf } from './state.ts'
import type { BatchState } from './state.ts'

export function listedAs(batch: BatchState): ListedBatch {
  const status = statusOf(batch)
  return { batchId: batch.batchId, status: status === 'queued' || status === 'processing' ? 'open' : status }
}
