import { outcomeOf } from '../attempt/attempted.ts'
import { nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { acceptedBatch } from '../batch/state.ts'
import type { BatchRecord, BatchState } from '../batch/state.ts'
import { unreachable } from '../decision.ts'
import type { InquiryRef } from '../ids.ts'
import type { Delivered, Log, Outbox, Records } from '../ports.ts'
import type { WebhookCaller } from '../webhook/ports.ts'
import { openInquiryKey } from './keys.ts'
import { readAsked, readOutcome } from './objects.ts'
import type { InquiryObjectPorts } from './objects.ts'
import type { InquiryWork } from './protocol.ts'
import { enqueueInquiry } from './queue.ts'
import type { AskedInquiry, InquiryCallback, InquiryOutcome, OpenInquiry } from './state.ts'

/** What came of an inquiry is told to the address that it was asked with, or else its batch was submitted with, as the end of the batch is. */

interface OwedInquiryCallPorts extends InquiryObjectPorts {
  readonly batches: Pick<Records<BatchRecord>, 'read'>
  readonly openInquiries: Records<OpenInquiry>
  readonly inquiryQueue: Outbox<InquiryWork>
}

export interface InquiryCallPorts extends OwedInquiryCallPorts {
  readonly caller: WebhookCaller
  readonly log: Log
}

/**
 * An outcome is stored: its user is called if they wanted that, and otherwise nobody waits for it any more. Its entry stays until the call
 * is over: whatever a crash keeps from happening is found through it (I7). Without an entry all of that is done.
 */
export async function oweInquiryCall(
  ports: OwedInquiryCallPorts,
  inquiry: InquiryRef,
  which: string | number,
): Promise<void> {
  const { openInquiries: open, inquiryQueue } = ports
  const key = openInquiryKey(inquiry)
  const entry = await open.read(key)
  if (!entry) return
  if (!(await wantedCall(ports, inquiry))) return open.erase(key, entry.revision)
  // who comes between has made it another one, or told it
  if (!entry.value.isAnswered) await open.replace(key, { ...entry.value, isAnswered: true }, entry.revision)
  await enqueueInquiry(inquiryQueue, { ...inquiry, attempt: 1, call: 1 }, { which })
}

/** One delivery of a call. One that is asked anew meanwhile is told when that is there. */
export async function callAboutInquiry(
  ports: InquiryCallPorts,
  retry: RetryPolicy,
  { work, signal }: Delivered<InquiryWork>,
): Promise<void> {
  const key = openInquiryKey(work)
  const entry = await ports.openInquiries.read(key)
  if (!entry) return
  const isOver = (): Promise<void> => ports.openInquiries.erase(key, entry.revision)
  const wanted = await wantedCall(ports, work)
  if (!wanted) return isOver()
  const outcome = await readOutcome(ports.blobs, work)
  if (!outcome) return
  const told = { ...wanted, work, outcome }
  const called = await outcomeOf(signal, async () => ({ kind: 'done', value: await call(ports, told, signal) }))
  switch (called.kind) {
    case 'done':
      return isOver()
    case 'failed': {
      const { batchId, inquiryId, call: attempt = 1 } = work
      const next = nextAttempt(retry, attempt, called.failure)
      const { code } = called.failure
      ports.log.info('a call about an inquiry was not taken', { batchId, inquiryId, attempt, code, retry: next.retry })
      if (!next.retry) return isOver()
      const { delayMs } = next
      return enqueueInquiry(ports.inquiryQueue, { ...work, call: attempt + 1 }, { which: outcome.atMs, delayMs })
    }
    case 'left':
      throw called.cause
    default:
      return unreachable(called)
  }
}

interface WantedCall {
  readonly asked: AskedInquiry
  readonly batch: BatchState
  readonly callback: InquiryCallback
}

/** Nothing where nobody gave an address, or nothing is left of what was asked. */
async function wantedCall(
  { batches, blobs }: OwedInquiryCallPorts,
  inquiry: InquiryRef,
): Promise<WantedCall | undefined> {
  const batch = acceptedBatch((await batches.read(inquiry.batchId))?.value)
  const asked = await readAsked(blobs, inquiry)
  if (!asked || !batch) return undefined
  const { callbackUrl: url, callbackHeaders: headers } = batch
  const callback = asked.callback ?? (url !== undefined && { url, ...(headers && { headers }) })
  return callback ? { asked, batch, callback } : undefined
}

interface ToldInquiry extends WantedCall {
  readonly work: InquiryWork
  readonly outcome: InquiryOutcome
}

/** Nothing of what was written: whoever is called asks for that with a token. */
function call({ caller }: InquiryCallPorts, told: ToldInquiry, signal: AbortSignal): Promise<{ status: number }> {
  const { work, batch, callback, asked, outcome } = told
  const { owner, batchId, fileId, inquiryId } = work
  const id = `inquiry_${fileId}_${batchId}_${inquiryId}_${outcome.atMs}`
  const data = {
    batch_id: batchId,
    file_id: fileId,
    inquiry_id: inquiryId,
    type: asked.kind,
    status: outcome.status,
    ...(batch.metadata && { metadata: batch.metadata }),
  }
  const body = { id, type: 'inquiry.finished', created_at: new Date(outcome.atMs).toISOString(), data }
  return caller.call({ ...callback, owner, id, body: JSON.stringify(body), signal })
}
