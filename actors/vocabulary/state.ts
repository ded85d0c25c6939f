import type { VocabularyId } from '../ids.ts'

/** What a vocabulary may have: what is listened for is held in memory by every worker that listens for it. */
export const vocabularyLimits = {
  perUser: 20,
  /** Older ones are not kept. */
  versionsKept: 5,
  nameCharacters: 200,
  entries: 5_000,
  /** Of what is written, and of each way in which it may be heard. */
  characters: 64,
  spoken: 5,
  /** Of all entries together. */
  allCharacters: 200_000,
  weight: 2,
} as const

/** A word or name of the house: how it is written, and how it may be heard. */
export interface VocabularyEntry {
  readonly text: string
  /** How strongly it is listened for: 1 unless told; with 0 it is only written so where it is heard. */
  readonly weight?: number
  /** What may be heard in its place: all of these are written as `text`. */
  readonly spoken?: readonly string[]
}

/** Which words a batch was submitted with, as they were then. */
export interface UsedVocabulary {
  readonly id: VocabularyId
  readonly version: number
  /** Of its entries, in hex. */
  readonly sha256: string
}

/** What a batch keeps of a vocabulary. */
export interface BatchVocabulary extends UsedVocabulary {
  readonly entries: readonly VocabularyEntry[]
  /** Where parts are transcribed again: nothing but these of its words, by their `text`, is taken from that. */
  readonly sought?: readonly string[]
}

/** One version, as it is stored: it never changes. */
export interface StoredVocabulary extends Omit<BatchVocabulary, 'sought'> {
  readonly name: string
  readonly atMs: number
}

/** Of an entry. */
export function charactersIn({ text, spoken = [] }: VocabularyEntry): number {
  return spoken.reduce((sum, one) => sum + one.length, text.length)
}
