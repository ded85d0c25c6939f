import type { InquiryId, RunRef } from '../ids.ts'
import type { RunState } from '../run/state.ts'
import type { Inquiry, InquiryAnswer, InquiryCallback, InquiryKind } from './state.ts'

/** One thing that was said, in its place. */
export interface TranscriptLine {
  readonly start: number
  readonly end: number
  readonly speaker?: string
  readonly text: string
}

/** Answers from a transcript, which is data to it whatever it says. */
export interface InquiryModel {
  /** As results name it. */
  readonly name: string
  /**
   * Terminal with a sentence when no attempt would help, retryable when this one failed, away when nobody is there to be asked. Times are
   * those of lines.
   */
  answer(input: InquiryQuestion, signal: AbortSignal): Promise<InquiryAnswer>
}

export interface InquiryQuestion {
  readonly kind: InquiryKind
  readonly question: string
  readonly lines: readonly TranscriptLine[]
}

export interface InquiryRequest {
  readonly kind: InquiryKind
  readonly question?: string
  /** Also when there is an answer: what it was read from may have been edited. */
  readonly again: boolean
  /** Called when it is written; the newest holds while it is waited for. */
  readonly callback?: InquiryCallback
}

/** What the gateway asks of inquiries. */
export interface Inquiries {
  /** Durable when it resolves. Nothing when the run was deleted; refuses with the limit that is reached. */
  ask(run: RunState, request: InquiryRequest): Promise<Inquiry | undefined>
  /** The oldest first. */
  listOf(run: RunRef): Promise<readonly Inquiry[]>
  /** False when there is none. */
  remove(run: RunRef, inquiryId: InquiryId): Promise<boolean>
}
