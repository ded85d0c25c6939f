import { editDistance } from '../text/edit-distance.ts'
import type { Word } from './recogniser.ts'
import type { Stretch } from './stretches.ts'

/** Edits a letter, above which two hearings are not of the same speech: one of them made something up. */
const mostEdits = 0.6

/** Whether the second hearing of a stretch can be of the same speech as the first. */
export function isSameSpeech(first: readonly Word[], again: readonly Word[]): boolean {
  const [one, other] = [lettersOf(first), lettersOf(again)]
  return editDistance(one, other) <= mostEdits * Math.max(one.length, other.length)
}

function lettersOf(words: readonly Word[]): string {
  return words
    .map(({ text }) => text.toLowerCase())
    .join('')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}

/** The words with those of the stretch replaced; `again` has times within the stretch. All stay in order of time. */
export function splice(words: readonly Word[], { first, last, start, end }: Stretch, again: readonly Word[]): Word[] {
  const earliest = words[first - 1]?.end ?? 0
  const latest = words[last + 1]?.start ?? Infinity
  const within = (seconds: number): number => Math.min(latest, Math.max(earliest, Math.min(end, start + seconds)))
  const placed = again.map((word) => ({ ...word, start: within(word.start), end: within(word.end) }))
  return [...words.slice(0, first), ...placed, ...words.slice(last + 1)]
}
