import type { InquiryRef } from '../ids.ts'

/** One attempt at an inquiry, as it travels. */
export interface InquiryWork extends InquiryRef {
  /** Counted from 1. */
  readonly attempt: number
}
