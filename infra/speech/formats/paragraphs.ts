import type { Segment } from '../../../actors/transcript/state.ts'

/** A pause after which a reader expects a new paragraph. */
const paragraphPauseSeconds = 2
/** After this long the next pause between sentences will do. */
const longSeconds = 60
const smallPauseSeconds = 0.5

/** Segments that read as one: one voice, without a long pause. */
export function paragraphsOf(segments: readonly Segment[]): Segment[][] {
  const paragraphs: Segment[][] = []
  for (const segment of segments) {
    const paragraph = paragraphs.at(-1)
    if (!paragraph || isBreak(paragraph, segment)) paragraphs.push([segment])
    else paragraph.push(segment)
  }
  return paragraphs
}

function isBreak(paragraph: readonly Segment[], next: Segment): boolean {
  const [first, last] = [paragraph[0]!, paragraph.at(-1)!]
  if (voiceOf(last) !== voiceOf(next)) return true
  const pause = next.start - last.end
  if (pause >= paragraphPauseSeconds) return true
  return last.end - first.start >= longSeconds && pause >= smallPauseSeconds
}

function voiceOf({ channel, speech_information: information }: Segment): string {
  return `${channel ?? ''}/${information?.speaker_id ?? ''}`
}
