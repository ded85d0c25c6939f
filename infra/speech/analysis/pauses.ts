import type { Seconds } from './prosody.ts'
import type { Tag } from './tag.ts'

const shortestPauseSeconds = 1
/** From here on nobody would call it anything else. */
const surePauseSeconds = 2
const leastConfidence = 0.7

/** Silences between two stretches of speech. What comes before the first and after the last is no pause. */
export function pauseTags(speech: readonly Seconds[]): Tag[] {
  const tags: Tag[] = []
  let heardUntil: number | undefined
  for (const { start, end } of [...speech].sort((a, b) => a.start - b.start)) {
    const length = heardUntil === undefined ? 0 : start - heardUntil
    if (heardUntil !== undefined && length >= shortestPauseSeconds) {
      const sureness = Math.min(1, (length - shortestPauseSeconds) / (surePauseSeconds - shortestPauseSeconds))
      tags.push({
        type: 'pause',
        start: heardUntil,
        end: start,
        confidence: leastConfidence + (1 - leastConfidence) * sureness,
      })
    }
    heardUntil = Math.max(heardUntil ?? end, end)
  }
  return tags
}
