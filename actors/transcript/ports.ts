import type { Owner } from '../ids.ts'
import type { FileResult, Quality, NumeralChoice, PaperFormat, Script, StoredTranscript, TextFormat } from './state.ts'
import type { Receipt } from '../receipt/state.ts'
import type { Segment, WordStyle } from './state.ts'

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
  /** Without it, every word that was said. */
  readonly style?: WordStyle | undefined
  /** Whether what was heard besides words stays. */
  readonly tags: boolean
}

/** Subtitles whose cues are lines that somebody wrote. Pure. */
export interface LineRenderer {
  render(lines: readonly Pick<Segment, 'start' | 'end' | 'text'>[], format: 'srt' | 'vtt'): string
}

/** Vouches for receipts with the key of this service. Resolves with a detached JWS. */
export interface ReceiptSigner {
  sign(receipt: Receipt): Promise<string>
}

/** How well a transcript was heard, in a thread of its own: it takes long for long texts. */
export interface Judge {
  judge(texts: { readonly said: string; readonly heard: string }, asked: JudgeOptions): Promise<Quality>
}

interface JudgeOptions {
  /** Who had least of the processor lately is next. */
  readonly owner: Owner
  readonly signal: AbortSignal
}

/** Transcripts on paper, made in a thread of its own. */
export interface PaperMaker {
  make(request: PaperRequest): Promise<Uint8Array>
}

export interface PaperRequest {
  readonly format: PaperFormat
  readonly title: string
  readonly result: FileResult
  readonly notes: readonly { readonly at: number; readonly text: string }[]
  readonly speakers: boolean
}
