import { spokenRate } from '../../../../actors/conversation/ports.ts'
import type { SpokenClause } from '../../../../actors/conversation/ports.ts'

/** Where a word is heard, in seconds from the beginning of everything that is spoken. */
export interface SpokenWordTime {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Puts clauses one after the other, as they are heard. */
export interface SpokenTimeline {
  /** The words of the clause that follows those before it. */
  place(clause: SpokenClause): readonly SpokenWordTime[]
  /** How long all of it lasts, pauses included. */
  seconds(): number
}

export function openTimeline(): SpokenTimeline {
  let samples = 0
  return {
    place(clause) {
      const fromMs = (samples * 1_000) / spokenRate
      samples += clause.samples.length
      return clause.words.map(({ text, startMs, endMs }) => ({
        text,
        start: toSeconds(fromMs + startMs),
        end: toSeconds(fromMs + endMs),
      }))
    },
    seconds: () => toSeconds((samples * 1_000) / spokenRate),
  }
}

/** To the millisecond: nobody hears less. */
function toSeconds(ms: number): number {
  return Math.round(ms) / 1_000
}
