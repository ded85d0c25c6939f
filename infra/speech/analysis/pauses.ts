import type { Seconds } from './prosody.ts'
import type { Tag } from '../../../actors/transcript/state.ts'

/** People take a breath, and a second between two sentences is how they are read out: a reader wants neither pointed out. */
const shortestPauseSeconds = 2
/** When somebody else goes on it was the end of a turn, unless nobody says anything for so long. */
const shortestBetweenSpeakersSeconds = 5
/** From here on nobody would call it anything else. */
const surePauseSeconds = 3
const leastConfidence = 0.7

interface SpokenSpan extends Seconds {
  readonly speaker: string
}

/** Silences between two stretches of speech. What comes before the first and after the last is no pause. */
export function pauseTags(speech: readonly Seconds[], spoken: readonly SpokenSpan[]): Tag[] {
  const inOrder = byStart(spoken)
  const tags: Tag[] = []
  let heardUntil: number | undefined
  for (const { start, end } of byStart(speech)) {
    const silence = { start: heardUntil ?? start, end: start }
    const length = silence.end - silence.start
    if (length >= shortestPauseSeconds && length >= shortestFor(silence, inOrder)) {
      const sureness = Math.min(1, (length - shortestPauseSeconds) / (surePauseSeconds - shortestPauseSeconds))
      tags.push({ type: 'pause', ...silence, confidence: leastConfidence + (1 - leastConfidence) * sureness })
    }
    heardUntil = Math.max(heardUntil ?? end, end)
  }
  return tags
}

function shortestFor(silence: Seconds, spoken: readonly SpokenSpan[]): number {
  const before = spoken.findLast(({ start }) => start < silence.start)
  const after = spoken.find(({ end }) => end > silence.end)
  return before && after && before.speaker !== after.speaker ? shortestBetweenSpeakersSeconds : shortestPauseSeconds
}

function byStart<Span extends Seconds>(spans: readonly Span[]): Span[] {
  return [...spans].sort((a, b) => a.start - b.start)
}
