import type { Span } from '../vad/segments.ts'
import type { ForeseenStretch } from './foreseen.ts'
import { transcribeInPieces } from './in-pieces.ts'
import type { ListenedVocabulary, Recogniser, Transcript } from './recogniser.ts'
import type { LanguageDetector } from './whisper/identify.ts'

/** What was heard, and by which recogniser most of it. */
export interface Routed {
  readonly transcript: Transcript
  readonly model: string
}

export interface RecogniseOptions {
  /** Left out: found out word by word. */
  readonly language?: string
  readonly hotwords?: readonly string[]
  readonly vocabulary?: ListenedVocabulary
  readonly signal?: AbortSignal
}

export interface ClipOptions extends RecogniseOptions {
  /** Where in the clip there is speech, in samples, if somebody looked: a long clip is cut in between. */
  readonly speech?: readonly Span[]
  /** Whether there is more of it to come: what makes no sense yet is left out then, and nobody else is asked about it. */
  readonly isUnfinished?: () => boolean
  /** Heard by whoever hears its language best while the first hears the clip; if it is not there, for nothing. */
  readonly foreseen?: ForeseenStretch | undefined
  /** Aborts when there is no time left: what nobody has heard again by then stays as the first heard it. */
  readonly late?: AbortSignal | undefined
  /** How long somebody can wait for the first to have heard it: who has a better and a quicker one asks accordingly. */
  readonly withinMs?: number
  /** Called with what the first heard, before anybody hears a part of it again. */
  readonly heardFirst?: ((transcript: Transcript) => void) | undefined
}

/** Each is opened when it is first needed, then kept. */
export interface RouterModels {
  /** Writes down Hindi and English in one pass: hears whatever nobody named a language for. */
  first(): Promise<Recogniser>
  /** Languages of which somebody else hears longer stretches better than the first. */
  readonly again: readonly string[]
  /** Whoever hears a language best. */
  recogniser(language: string): Promise<Recogniser>
  /** For a second opinion on what the first could not make sense of. */
  fallback(): Promise<Recogniser>
  detector(): Promise<LanguageDetector>
  close(): Promise<void>
}

/** What is to be heard, and how. */
export interface Task extends ClipOptions {
  readonly clip: Float32Array
}

export async function askRecogniser(recogniser: Recogniser, { clip, language, ...options }: Task): Promise<Routed> {
  const known = language !== undefined && recogniser.languages.includes(language)
  const transcript = await transcribeInPieces(recogniser, clip, {
    ...(known && { language }),
    ...(options.hotwords && { hotwords: options.hotwords }),
    ...(options.vocabulary && { vocabulary: options.vocabulary }),
    ...(options.signal && { signal: options.signal }),
    ...(options.speech && { speech: options.speech }),
  })
  return { transcript, model: recogniser.id }
}
