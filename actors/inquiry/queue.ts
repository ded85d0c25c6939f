import { aheadOfRetries } from '../attempt/retry.ts'
import { runKey } from '../ids.ts'
import type { Outbox } from '../ports.ts'
import type { InquiryWork } from './protocol.ts'

interface Enqueueing {
  /** Tells apart what is asked again from what the broker may still know. */
  readonly which: string | number
  readonly delayMs?: number
  readonly ahead?: number
}

/** The same attempt is stored once, whoever asks for it. */
export async function enqueueInquiry(
  queue: Outbox<InquiryWork>,
  { owner, batchId, fileId, index, inquiryId, attempt, call }: InquiryWork,
  { which, delayMs = 0, ahead = 0 }: Enqueueing,
): Promise<void> {
  const work: InquiryWork = { owner, batchId, fileId, index, inquiryId, attempt, ...(call !== undefined && { call }) }
  const isRetry = (call ?? attempt) > 1
  const [kind, at] = call === undefined ? ['inquiry', attempt] : ['inquiry-call', call]
  const id = [kind, runKey(work), inquiryId, at, which].join(':')
  await queue.enqueue(work, { id, delayMs, isRetry, ahead: isRetry ? aheadOfRetries : ahead })
}
