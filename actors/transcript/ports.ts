import type { FileResult, Quality, NumeralChoice, Script, StoredTranscript, TextFormat } from './state.ts'

/** Transcripts as they are read. Pure. */
export interface Renderer {
  /** The same words, written otherwise. */
  rewrite(transcript: Omit<StoredTranscript, 'chunks'>, options: WritingOptions): FileResult
  render(result: FileResult, format: TextFormat, options?: { readonly speakers?: boolean }): string
}

export interface WritingOptions {
  /** Without it, as the submission said. */
  readonly script?: Script | undefined
  /** Without it, numbers as they were spoken. */
  readonly numerals?: NumeralChoice | undefined
  /** Whether what was heard besides words stays. */
  readonly tags: boolean
}

/** How well a transcript was heard, in a thread of its own: it takes long for long texts. */
export interface Judge {
  judge(texts: { readonly said: string; readonly heard: string }, signal?: AbortSignal): Promise<Quality>
}
