/** Turns clips of speech into words. Clips are 16 kHz mono and no longer than the window; results keep their order. */
export interface Recogniser {
  readonly id: string
  readonly languages: readonly string[]
  readonly windowSeconds: number
  /**
   * How much of a pause it wants to hear around speech: longer ones divide what is longer than the window. Left out where
   * each run costs the same.
   */
  readonly quietSeconds?: number
  transcribe(
    clips: readonly Float32Array[],
    options: {
      language?: string
      hotwords?: readonly string[]
      vocabulary?: ListenedVocabulary
      signal?: AbortSignal
    },
  ): Promise<readonly Transcript[]>
  /** How likely each phrase is all that was said, where it can tell: see `scoresOfPhrases`. */
  scorePhrases?(
    clip: Float32Array,
    phrases: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]>
  /** What it hears letter by letter, for a text to be laid over it; only where it hears so. */
  emissions?(clips: readonly Float32Array[], signal?: AbortSignal): Promise<readonly ClipEmissions[]>
  close(): Promise<void>
}

/** Thousands of words that are listened for, each more or less. */
export interface ListenedVocabulary {
  /** By which who has made something of it knows it again. */
  readonly key: string
  readonly words: readonly ListenedWord[]
}

export interface ListenedWord {
  readonly text: string
  /** 1 is as strongly as a hotword. */
  readonly weight: number
}

/** How likely each symbol is in each frame. */
export interface ClipEmissions {
  /** The blank comes first. */
  readonly symbols: readonly string[]
  /** A row a frame. */
  readonly logProbs: Float32Array
  readonly secondsAFrame: number
}

export interface Transcript {
  readonly text: string
  readonly language: string
  /** 0..1 */
  readonly confidence: number
  /** Mean per token. */
  readonly logProb: number
  /** 0..1 */
  readonly noSpeech: number
  readonly words: readonly Word[]
  /** What a guard noticed: 'looped', 'capped', … */
  readonly flags: readonly string[]
}

/** Times are seconds in the clip. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly confidence: number
  /** Where the recogniser tells languages apart word by word. */
  readonly language?: string
  /** Who heard it, where a transcript is the work of several. */
  readonly model?: string
  /** With its capitals and marks, once it was punctuated: `text` is the bare word then. */
  readonly written?: string
  /** What was recognised, where its user's vocabulary spells it otherwise. */
  readonly heard?: string
}
