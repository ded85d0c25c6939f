/** What a recording says, as callers get it: the fields are the wire's. Times are seconds from the start of the recording. */
export interface FileResult {
  readonly text: string
  /** The language of most of the speech, `und` when there is none. */
  readonly language: string
  readonly languages: readonly LanguageShare[]
  readonly duration_seconds: number
  readonly segments: readonly Segment[]
  /** Every recogniser that wrote a part of it, the one with most words first. */
  readonly model: string
  readonly script: Script
  /** What a reader should know: a file that was cut off, a passage that could not be understood. */
  readonly warnings: readonly string[]
}

export const scripts = ['native', 'latin', 'mixed'] as const
/** `mixed` is as it was spoken and written down; the others render the same words. */
export type Script = (typeof scripts)[number]

export interface LanguageShare {
  readonly code: string
  readonly share: number
}

export interface Segment {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly language: string
  readonly confidence: number
  readonly words: readonly SpokenWord[]
  readonly tags: readonly Tag[]
  readonly model: string
  /** Only where channels are kept apart: which one, from 0. */
  readonly channel?: number
  readonly speech_information?: SpeechInformation
}

export interface SpokenWord {
  readonly word: string
  readonly start: number
  readonly end: number
  readonly language: string
  readonly confidence: number
}

export const tagTypes = ['pause', 'laughing', 'shouting'] as const
export type TagType = (typeof tagTypes)[number]

export interface Tag {
  readonly type: TagType
  readonly start: number
  readonly end: number
  readonly confidence: number
}

/** Every guess carries how sure it is, 0 to 1. */
export interface SpeechInformation {
  readonly timestamps: { readonly start: number; readonly end: number }
  /** The same voice has the same id all through a file. */
  readonly speaker_id: string
  readonly speaker_confidence: number
  /** How lively, against the speaker's own average: `calm`, `neutral`, `excited` or `unknown`. */
  readonly tone: string
  readonly tone_confidence: number
  readonly accent: string
  readonly accent_confidence: number
  readonly loudness_db: number
  /** Null where nothing was voiced. */
  readonly pitch_hz: number | null
  readonly syllables_per_second: number
}
