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

export interface InquirySweepPorts extends InquiryObjectPorts {
  readonly openInquiries: Records<OpenInquiry>
  readonly inquiryQueue: WorkQueue<InquiryWork>
  readonly clock: Clock
}

interface InquirySweeper {
  /** Resolves with how many had no message and have one again. */
  sweep(): Promise<number>
}

/** What is open and has no message is asked for again; what nobody waits for any more leaves. Harmless when two do it at once (I7). */
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
  if (!(await isWaitedFor(ports, inquiry))) {
    await ports.openInquiries.erase(openInquiryKey(inquiry), stored.revision)
    return false
  }
  const outstanding = await ports.inquiryQueue.outstanding(inquiry)
  if (outstanding.some(({ inquiryId }) => inquiryId === inquiry.inquiryId)) return false
  const which = `again-${Math.floor(ports.clock.nowMs() / staleMs)}`
  await enqueueInquiry(ports.inquiryQueue, { ...inquiry, attempt: 1 }, { which })
  return true
}

async function isWaitedFor({ runs, blobs }: InquirySweepPorts, inquiry: OpenInquiry): Promise<boolean> {
  if (!hasWords((await runs.read(runKey(inquiry)))?.value)) return false
  return (await readAsked(blobs, inquiry)) !== undefined && (await readOutcome(blobs, inquiry)) === undefined
}
