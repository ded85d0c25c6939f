/** What is searched of a file: its words by passages, apart from everything else that is known of them. */
export interface StoredPassages {
  readonly filename: string
  readonly passages: readonly (readonly PassageWord[])[]
}

/** As it is written in the text, and when it begins and ends, in seconds. */
export type PassageWord = readonly [text: string, start: number, end: number]
