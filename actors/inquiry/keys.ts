import { runFolder } from '../ids.ts'
import type { BatchId, InquiryRef, Owner, RunRef } from '../ids.ts'

/** What a chat model was asked about a transcript, and what it answered. Ends in `/`. */
export function inquiriesFolder(input: Omit<RunRef, 'index'>): string {
  return `${runFolder(input)}inquiries/`
}

/** What was asked is there from the beginning, the outcome when there is one. */
export function inquiryPartKey(input: InquiryRef, part: 'asked' | 'outcome'): string {
  return `${inquiriesFolder(input)}${input.inquiryId}/${part}`
}

/** That those which a submission asked for have begun. */
export function inquiriesBegunKey(input: RunRef): string {
  return `${inquiriesFolder(input)}begun`
}

/** The questions that a batch was submitted with. */
export function batchQuestionsKey(input: { readonly owner: Owner; readonly batchId: BatchId }): string {
  return `questions/${input.owner}/${input.batchId}`
}

/** Where it is noted that an inquiry is not settled; those of one user together. */
export function openInquiryKey(input: InquiryRef): string {
  return `${input.owner}.${input.fileId}_${input.batchId}_${input.inquiryId}`
}
