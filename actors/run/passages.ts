import type { PassageWord, StoredPassages } from '../search/state.ts'
import type { FileResult, Segment } from '../transcript/state.ts'

/** Words that are looked for together are mostly in one breath; what is found is read at one glance. */
const wordsPerPassage = 40

export function passagesOf(filename: string, { segments }: Pick<FileResult, 'segments'>): StoredPassages {
  return { filename, passages: segments.flatMap((segment) => inParts(wordsOf(segment))) }
}

function wordsOf({ words }: Segment): PassageWord[] {
  return words.map(({ word, punctuated_word: written, start, end }) => [written ?? word, start, end])
}

function inParts(words: readonly PassageWord[]): PassageWord[][] {
  const parts = Math.ceil(words.length / wordsPerPassage)
  const length = Math.ceil(words.length / Math.max(1, parts))
  return Array.from({ length: parts }, (_, at) => words.slice(at * length, (at + 1) * length))
}
