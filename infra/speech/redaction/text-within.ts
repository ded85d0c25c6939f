import type { FileResult } from '../../../actors/transcript/state.ts'

interface Stretch {
  readonly start: number
  readonly end: number
  /** Only where channels are kept apart. */
  readonly channel?: number
}

/** What a transcript says in a stretch of the recording. A word belongs to where its middle is. */
export function textWithin({ segments }: Pick<FileResult, 'segments'>, { start, end, channel }: Stretch): string {
  return segments
    .filter((segment) => segment.channel === channel && segment.end > start && segment.start < end)
    .flatMap(({ words }) => words.filter((word) => isWithin((word.start + word.end) / 2, start, end)))
    .map(({ word, punctuated_word: text = word }) => text)
    .join(' ')
}

function isWithin(middle: number, start: number, end: number): boolean {
  return middle >= start && middle < end
}
