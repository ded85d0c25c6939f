import type { BatchId, Owner } from '../ids.ts'

/** One call that a batch owes to the address its user gave, as it travels. */
export interface NoticeWork {
  readonly owner: Owner
  readonly batchId: BatchId
  /** 1 when the batch ends; one more each time that the user asks for it again. */
  readonly round: number
  /** Counted from 1 in each round. */
  readonly attempt: number
}
