import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Segment } from '../../../actors/transcript/state.ts'
import type { Seconds } from '../analysis/prosody.ts'
import type { TranscribedChunk } from './transcribed-chunk.ts'
import { timeText } from './time-text.ts'

/** A sentence in which half of the words are likely wrong; one or two words say nothing about a sentence. */
const doubtfulBelow = 0.5
const fewestWords = 3

/** Passages that a reader should not trust, in order of time, each told once. */
export function doubts(chunks: readonly TranscribedChunk[], segments: readonly Segment[]): string[] {
  const heard = chunks
    .filter(({ transcript }) => transcript.flags.includes('doubtful'))
    .map(({ chunk }) => ({ start: chunk.start / recogniserRate, end: chunk.end / recogniserRate }))
  const sentences = segments
    .filter(({ words, confidence }) => words.length >= fewestWords && confidence < doubtfulBelow)
    .filter((segment) => !heard.some((chunk) => chunk.start <= segment.start && segment.end <= chunk.end))
  return [...heard, ...sentences]
    .sort((one, other) => one.start - other.start)
    .map(({ start, end }: Seconds) => `From ${timeText(start)} to ${timeText(end)} the words are doubtful.`)
}
