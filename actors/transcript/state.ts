import type { AudioDigest, Receipt } from '../receipt/state.ts'

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
  /** Speech that is not in the words, in order of time, each with the reason; left out when there is none. */
  readonly gaps?: readonly Gap[]
}

export interface Gap {
  readonly start: number
  readonly end: number
  /** Only where a chunk failed: trying again may help. */
  readonly chunk_index?: number
  /** What went wrong with the chunk, or `not understood`, `noise`, `other language`. */
  readonly reason: string
}

/** What the parent stores before the first chunk is enqueued. */
export interface StoredPlan {
  /** That were decoded. */
  readonly seconds: number
  /** Where in the recording they begin; absent: where it does. */
  readonly startSeconds?: number | undefined
  readonly channels: number
  readonly warnings: readonly string[]
  /** The recording as it was cut. Plans that an older version made do not say, and have no waveform. */
  readonly audio?: AudioDigest | undefined
  readonly waveform?: Waveform | undefined
  readonly sameAs?: TakenFrom | undefined
  /** In the order of their numbers; seconds of the recording. */
  readonly chunks: readonly { readonly start: number; readonly end: number; readonly channel: number }[]
}

/** The transcription of the same bytes that its chunks are from. */
interface TakenFrom {
  readonly file_id: string
  readonly batch_id: string
}

/** How loud a recording is from beginning to end, for people to look at. */
export interface Waveform {
  readonly seconds_per_point: number
  /** Of each point the loudest, 0 to 1,000. */
  readonly levels: readonly number[]
}

/** What a chunk's worker stores, once; the first one wins (I4). */
export interface StoredChunk {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly language: string
  readonly confidence: number
  readonly model: string
  readonly attempts: number
  readonly startedAtMs: number
  readonly tookMs: number
  /** Only where it was transcribed again for words that are sought. */
  readonly earlier?: EarlierWords | undefined
  /** Everything that putting the file together needs; understood by the speech adapters alone. */
  readonly heard: unknown
}

/** The transcription that the words of a chunk are from, but for those that were sought and found since. */
export interface EarlierWords {
  readonly startedAtMs: number
  readonly attempts: number
  /** Whether what was transcribed again had any of them. */
  readonly isChanged: boolean
}

/** What a finished file has to say: one object in storage. `result` has everything; readers leave out what was not asked for. */
export interface StoredTranscript {
  readonly result: FileResult
  /** The words of each segment as they were heard, whatever script the result is in: others are made from these. */
  readonly spoken?: readonly (readonly string[])[]
  /** The same words with their capitals and marks. */
  readonly punctuated?: readonly (readonly string[])[]
  readonly chunks: readonly StoredChunkSummary[]
  readonly waveform?: Waveform
  readonly sameAs?: TakenFrom
  /** Transcripts of an older version have none. */
  readonly receipt?: Receipt
}

/** What putting a file together gives: what is read and, where its user wants it kept, the same with all that was taken out. */
export interface AssembledTranscript extends StoredTranscript {
  readonly unredacted?: UnredactedTranscript
}

export type UnredactedTranscript = Omit<StoredTranscript, 'chunks' | 'waveform' | 'sameAs'>

/** By the number of the chunk. Failed ones are not here: the file's record has their errors. */
export type StoredChunkSummary = Omit<StoredChunk, 'heard'> & { readonly chunk: number }

/** What may be heard; more choice makes more mistakes. */
export const languageCodes = ['hi', 'en', 'ta', 'te', 'bn', 'mr', 'gu', 'kn', 'ml', 'pa', 'ur'] as const

/** Which of them a client means that names one its own way: `hi-IN`, `EN`. */
export function languageMeant(tag: string | undefined): (typeof languageCodes)[number] | undefined {
  return languageCodes.find((code) => code === tag?.slice(0, 2).toLowerCase())
}

export const scripts = ['native', 'latin', 'mixed'] as const
/** `mixed` is as it was spoken and written down; the others render the same words. */
export type Script = (typeof scripts)[number]
/** Whoever asks for none gets each language as it is written. */
export const defaultScript: Script = 'mixed'

/** What may be taken out of a transcript; a mark with its name, such as `[phone]`, is left. */
export const redactionKinds = ['phone', 'card', 'aadhaar', 'pan', 'email', 'account', 'name'] as const
export type RedactionKind = (typeof redactionKinds)[number]

/** Whether numbers are written as figures, and in which digits: `true` is 1, 2, 3, `devanagari` is १, २, ३. */
export const numeralChoices = ['false', 'true', 'devanagari'] as const
export type NumeralChoice = (typeof numeralChoices)[number]

/** `clean` is without fillers and false starts. */
export const wordStyles = ['verbatim', 'clean'] as const
export type WordStyle = (typeof wordStyles)[number]

/** Forms in which a transcript is read by people; the others are JSON. */
export const textFormats = ['text', 'srt', 'vtt'] as const
export type TextFormat = (typeof textFormats)[number]

/** Forms on paper: for one file at a time. */
export const paperFormats = ['docx', 'pdf'] as const
export type PaperFormat = (typeof paperFormats)[number]

interface LanguageShare {
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
  /** The same with its capitals and the marks after it; left out where nobody punctuated. */
  readonly punctuated_word?: string
  readonly start: number
  readonly end: number
  readonly language: string
  readonly confidence: number
  /** What was recognised, where a vocabulary spells it otherwise. */
  readonly heard?: string
  /** Of a text that was laid over a recording: it was not found there, and its times are what its neighbours leave. */
  readonly interpolated?: true
}

/** Of a text that is laid over a recording, and of that: it takes seconds of a core, and the text is in the record of its batch. */
export const alignLimits = { seconds: 1800, characters: 30_000 } as const

export const tagTypes = ['pause', 'laughing', 'shouting'] as const
export type TagType = (typeof tagTypes)[number]

/** Something that the audio says besides words. Times are seconds in the recording. */
export interface Tag {
  readonly type: TagType
  readonly start: number
  readonly end: number
  /** 0..1: how sure the measure is, not how strong the thing was. */
  readonly confidence: number
}

/** Every guess carries how sure it is, 0 to 1; a guess that would say nothing is left out. */
export interface SpeechInformation {
  readonly timestamps: { readonly start: number; readonly end: number }
  /** The same voice has the same id all through a file. */
  readonly speaker_id: string
  /** As somebody named it. */
  readonly speaker_name?: string
  readonly speaker_confidence: number
  /** How lively, against the speaker's own average: `calm`, `neutral` or `excited`. */
  readonly tone?: string
  readonly tone_confidence?: number
  /** `indian`, of English by somebody who speaks an Indian language too. */
  readonly accent?: string
  readonly accent_confidence?: number
  readonly loudness_db: number
  /** Null where nothing was voiced. */
  readonly pitch_hz: number | null
  readonly syllables_per_second: number
}

/** What is done to both texts before they are compared, for people. */
export const normalisationRule =
  'Both texts are normalised first: Unicode NFC, lower case, hyphens as spaces, other punctuation and symbols removed, English titles spelt out, white space folded.'
export const eitherScriptRule =
  'A word in Devanagari on one side and in Latin letters on the other is right when it is the same loanword or sounds the same; characters are compared with both texts in Latin letters.'

/** How far what was heard is from what was said. Shares of what was said: 0 is perfect, and there may be more than 1. */
export interface Quality {
  readonly words: number
  readonly characters: number
  readonly word_error_rate: number
  readonly character_error_rate: number
  /** The same, where a word counts in whichever script it is written. */
  readonly either_script: { readonly word_error_rate: number; readonly character_error_rate: number }
}
