import { runFolder } from '../ids.ts'
import type { InquiryRef, RunRef } from '../ids.ts'

/** What a chat model was asked about a transcript, and what it answered. Ends in `/`. */
export function inquiriesFolder(input: Omit<RunRef, 'index'>): string {
  return `${runFolder(input)}inquiries/`
}

/** What was asked is there from the beginning, the outcome when there is one. */
export function inquiryPartKey(input: InquiryRef, part: 'asked' | 'outcome'): string {
  return `${inquiriesFolder(input)}${input.inquiryId}/${part}`
}

/** Where it is noted that an inquiry is not settled; those of one user together. */
export function openInquiryKey(input: InquiryRef): string {
  return `${input.owner}.${input.fileId}_${input.batchId}_${input.inquiryId}`
}
