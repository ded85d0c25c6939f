import type { SpokenClause } from '../../../actors/conversation/ports.ts'

/** What of one answer was spoken, and how much of it was played before somebody spoke or cut it short. */
export interface SpokenOutput {
  readonly clauses: readonly PlacedClause[]
  /** Audio that was sent. */
  readonly sentMs: number
  /** Absent when it was played to its end. */
  readonly playedMs?: number
}

interface PlacedClause {
  readonly text: string
  readonly startMs: number
  readonly words: SpokenClause['words']
}

export const silentSamples: SpokenOutput = { clauses: [], sentMs: 0 }

export function withClause(spoken: SpokenOutput, clause: SpokenClause, startMs: number): SpokenOutput {
  const placed = { text: clause.text, startMs, words: clause.words }
  return { ...spoken, clauses: [...spoken.clauses, placed] }
}

/** A word counts as played when it was played to its end: half a word is no word. */
export function playedText({ clauses, playedMs }: SpokenOutput): string {
  if (playedMs === undefined) return clauses.map((clause) => clause.text).join('')
  return clauses
    .map((clause) => playedOf(clause, playedMs - clause.startMs))
    .join('')
    .trimEnd()
}

function playedOf({ text, words }: PlacedClause, playedMs: number): string {
  let end = 0
  for (const word of words) {
    if (word.endMs > playedMs) return text.slice(0, end)
    const found = text.indexOf(word.text, end)
    end = found < 0 ? end : found + word.text.length
  }
  return words.length === 0 && playedMs <= 0 ? '' : text
}
