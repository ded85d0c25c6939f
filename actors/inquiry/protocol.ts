import type { InquiryRef } from '../ids.ts'

/** One attempt at an inquiry, as it travels. */
export interface InquiryWork extends InquiryRef {
  /** Counted from 1. */
  readonly attempt: number
  /** Only where what came of it is told to its user: which attempt at that, counted from 1. */
  readonly call?: number
}
