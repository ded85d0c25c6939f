import type { Segment } from '../../../actors/transcript/state.ts'

/** A word or a tag, as a reader sees it in the running text. */
export interface TextPiece {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The running text of a segment. */
export function segmentText(segment: Pick<Segment, 'words' | 'tags'>): string {
  return piecesOf(segment)
    .map(({ text }) => text)
    .join(' ')
}

/** The words of a segment with its tags between them, each where it begins. A tag is a moment: it takes no time from words. */
export function piecesOf({ words, tags }: Pick<Segment, 'words' | 'tags'>): TextPiece[] {
  return [
    ...words.map(({ word, punctuated_word: text = word, start, end }) => ({ text, start, end })),
    ...tags.map(({ type, start }) => ({ text: `[${type}]`, start, end: start })),
  ].sort((one, other) => one.start - other.start)
}
