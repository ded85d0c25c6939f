import type { BatchRecord } from '../batch/state.ts'
import { runKey } from '../ids.ts'
import { openInquiryKey } from './keys.ts'
import type { Clock, Records, WorkQueue } from '../ports.ts'
import { hasWords } from '../run/state.ts'
import { createSights } from '../sights.ts'
import type { Sights } from '../sights.ts'
import { readAsked, readOutcome } from './objects.ts'
import type { InquiryObjectPorts } from './objects.ts'
import type { InquiryWork } from './protocol.ts'
import { enqueueInquiry } from './queue.ts'
import type { OpenInquiry } from './state.ts'
import { oweInquiryCall } from './tell.ts'

export interface InquirySweepPorts extends InquiryObjectPorts {
  readonly batches: Pick<Records<BatchRecord>, 'read'>
  readonly openInquiries: Records<OpenInquiry>
  readonly inquiryQueue: WorkQueue<InquiryWork>
  readonly clock: Clock
}

interface InquirySweeper {
  /** Resolves with how many had no message and have one again. */
  sweep(): Promise<number>
}

/** What is open, or is to be told, and has no message is asked for again; what nobody waits for any more leaves. Harmless when two do it at once (I7). */
export function createInquirySweeper(ports: InquirySweepPorts, staleMs: number): InquirySweeper {
  const sights = createSights(ports.clock)
  return {
    async sweep() {
      const keys = await ports.openInquiries.keys()
      sights.keepOnly(new Set(keys))
      let woken = 0
      for (const key of keys) if (await lookAfter(ports, { key, staleMs, sights })) woken += 1
      return woken
    },
  }
}

async function lookAfter(
  ports: InquirySweepPorts,
  { key, staleMs, sights }: { readonly key: string; readonly staleMs: number; readonly sights: Sights },
): Promise<boolean> {
  const stored = await ports.openInquiries.read(key)
  if (!stored || sights.ageMs(key, stored.revision) <= staleMs) return false
  sights.forget(key)
  const inquiry = stored.value
  const standing = await standingOf(ports, inquiry)
  if (standing === 'unwanted') {
    await ports.openInquiries.erase(openInquiryKey(inquiry), stored.revision)
    return false
  }
  const outstanding = await ports.inquiryQueue.outstanding(inquiry)
  if (outstanding.some(({ inquiryId }) => inquiryId === inquiry.inquiryId)) return false
  const which = `again-${Math.floor(ports.clock.nowMs() / staleMs)}`
  const { owner, batchId, fileId, index, inquiryId } = inquiry
  const ref = { owner, batchId, fileId, index, inquiryId }
  if (standing === 'answered') await oweInquiryCall(ports, ref, which)
  else await enqueueInquiry(ports.inquiryQueue, { ...ref, attempt: 1 }, { which })
  return true
}

async function standingOf(
  { runs, blobs }: InquirySweepPorts,
  inquiry: OpenInquiry,
): Promise<'unwanted' | 'asked' | 'answered'> {
  if (!hasWords((await runs.read(runKey(inquiry)))?.value) || !(await readAsked(blobs, inquiry))) return 'unwanted'
  return (await readOutcome(blobs, inquiry)) ? 'answered' : 'asked'
}
