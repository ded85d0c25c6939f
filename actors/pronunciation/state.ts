/** A word, and what is read aloud in its place. */
export interface Pronunciation {
  readonly word: string
  readonly spoken: string
}

export interface StoredPronunciations {
  readonly entries: readonly Pronunciation[]
}

/** All of them together are well within one record. */
export const pronunciationLimits = { entries: 500, wordCharacters: 64, spokenCharacters: 64 } as const

/** What is the same for two spellings of one word. Capitals alone are a word of their own: `US` is not `us`. */
export function spellingOf(word: string): string {
  const text = word.normalize('NFKC')
  const isInCapitals = text.length > 1 && text === text.toUpperCase() && text !== text.toLowerCase()
  return isInCapitals ? text : text.toLowerCase()
}
