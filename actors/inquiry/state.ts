import type { InquiryId, InquiryRef } from '../ids.ts'
import type { SecretHeaders } from '../secret-headers.ts'

/** What a chat model is asked about a transcript, and what came of it. Times are seconds from the start of the recording. */

export const inquiryKinds = ['summary', 'chapters', 'translation', 'question'] as const
export type InquiryKind = (typeof inquiryKinds)[number]

export const inquiryLimits = {
  questionsPerFile: 20,
  questionCharacters: 1_000,
  /** Asked with a submission, of each of its files. */
  submittedQuestions: 5,
  /** Of all files of a batch together, where they are asked with its submission. */
  perBatch: 2_000,
  chapters: 50,
  titleCharacters: 200,
  textCharacters: 8_000,
  /** Passages that an answer names as its sources. */
  sources: 20,
} as const

/** What is stored when it is asked. */
export interface AskedInquiry {
  readonly kind: InquiryKind
  /** Of a question alone. */
  readonly question?: string
  readonly askedAtMs: number
  /** Who is told of this one, and not who is told of its batch. Shown to nobody. */
  readonly callback?: InquiryCallback
}

export interface InquiryCallback {
  readonly url: string
  readonly headers?: SecretHeaders
}

export type InquiryAnswer =
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'chapters'; readonly chapters: readonly Chapter[] }
  /** Into English, line by line. */
  | { readonly kind: 'translation'; readonly lines: readonly TranslatedLine[] }
  /** `isAnswered`: whether the transcript says anything about it. */
  | {
      readonly kind: 'question'
      readonly isAnswered: boolean
      readonly text: string
      readonly sources: readonly Passage[]
    }

export interface Passage {
  readonly start: number
  readonly end: number
}

export interface TranslatedLine extends Passage {
  readonly text: string
}

export interface Chapter extends Passage {
  readonly title: string
}

/** Stored once: the first one counts, until it is asked again. */
export type InquiryOutcome =
  | {
      readonly status: 'completed'
      readonly answer: InquiryAnswer
      readonly model: string
      /** Of the edits that were read; 0 is what was transcribed. */
      readonly version: number
      readonly atMs: number
    }
  | { readonly status: 'failed'; readonly message: string; readonly atMs: number }

export interface Inquiry extends AskedInquiry {
  readonly inquiryId: InquiryId
  /** Absent while it is waited for. */
  readonly outcome?: InquiryOutcome
}

/** The record of one that is not settled: nothing that a user wrote is in it. */
export type OpenInquiry = InquiryRef & {
  readonly askedAtMs: number
  /** Its batch was submitted with it: it is bounded there, and keeps nobody from asking more. */
  readonly isSubmitted?: true
  /** It is there, and its user is still to be called. */
  readonly isAnswered?: true
}
