import { createHash } from 'node:crypto'

import { commit } from '../durable-actor.ts'
import { isInquiryId } from '../ids.ts'
import type { InquiryId, InquiryRef, RunRef } from '../ids.ts'
import type { Clock, Outbox, Records } from '../ports.ts'
import { openInquiryKey } from './keys.ts'
import { putAsked, readAsked, readOutcome, removeOutcome } from './objects.ts'
import type { InquiryObjectPorts } from './objects.ts'
import type { InquiryRequest } from './ports.ts'
import type { InquiryWork } from './protocol.ts'
import { enqueueInquiry } from './queue.ts'
import type { AskedInquiry, Inquiry, OpenInquiry } from './state.ts'

export interface InquiryPorts extends InquiryObjectPorts {
  /** One entry for each that is not settled: where its message was lost it is found. */
  readonly openInquiries: Records<OpenInquiry>
  readonly inquiryQueue: Outbox<InquiryWork>
  readonly clock: Pick<Clock, 'nowMs'>
}

interface Entering extends Pick<InquiryRequest, 'kind' | 'question' | 'callback'> {
  readonly ahead: number
  readonly isSubmitted?: true
}

const hashDigits = 16

/** The entry comes first: whatever a crash keeps from happening after it is found through it (I7). Nothing when the run was deleted. */
export async function enterInquiry(
  ports: InquiryPorts,
  inquiry: InquiryRef,
  { kind, question, callback, ahead, isSubmitted }: Entering,
): Promise<Inquiry | undefined> {
  const { blobs, openInquiries: open } = ports
  const askedAtMs = ports.clock.nowMs()
  const entry: OpenInquiry = { ...inquiry, askedAtMs, ...(isSubmitted && { isSubmitted }) }
  // also over that of an earlier asking, which may be about to be told: who settles that leaves what was written since
  await commit(open, openInquiryKey(inquiry), () => ({ state: entry, effects: [] }))
  // what a submission asks for is asked once: an outcome that is there is of this asking, and who enters it is late
  if (!isSubmitted) await removeOutcome(blobs, inquiry)
  const asked: AskedInquiry = {
    kind,
    ...(question !== undefined && { question }),
    askedAtMs,
    ...(callback && { callback }),
  }
  if (!(await putAsked(ports, inquiry, asked))) {
    await open.erase(openInquiryKey(inquiry))
    return undefined
  }
  await enqueueInquiry(ports.inquiryQueue, { ...inquiry, attempt: 1 }, { which: askedAtMs, ahead })
  return { ...asked, inquiryId: inquiry.inquiryId }
}

export async function readInquiry(
  { blobs }: Pick<InquiryPorts, 'blobs'>,
  inquiry: InquiryRef,
): Promise<Inquiry | undefined> {
  const asked = await readAsked(blobs, inquiry)
  if (!asked) return undefined
  const outcome = await readOutcome(blobs, inquiry)
  return { ...asked, inquiryId: inquiry.inquiryId, ...(outcome && { outcome }) }
}

/** The same whenever the same is asked. */
export function inquiryRefOf(
  { owner, batchId, fileId, index }: RunRef,
  request: Pick<InquiryRequest, 'kind' | 'question'>,
): InquiryRef {
  return { owner, batchId, fileId, index, inquiryId: inquiryIdOf(request) }
}

function inquiryIdOf({ kind, question = '' }: Pick<InquiryRequest, 'kind' | 'question'>): InquiryId {
  const hash = createHash('sha256').update(question).digest('hex').slice(0, hashDigits)
  const id = kind === 'question' ? `question-${hash}` : kind
  if (!isInquiryId(id)) throw new Error('an inquiry has no id')
  return id
}
