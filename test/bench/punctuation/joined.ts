import type { Word } from '../../../infra/speech/asr/recogniser.ts'
import { createRandom } from '../../sim/random.ts'

export interface HeardClip {
  /** What was said: clips that say the same belong to the same half. */
  readonly said: string
  readonly words: readonly JoinedWord[]
}

interface JoinedWord extends Word {
  /** What should follow it, where that is known. */
  readonly mark?: string
}

/** A word of a clip, and whether the clip ends with it. */
export interface PlacedWord extends JoinedWord {
  readonly isLast: boolean
}

/** Silence between two sentences of one speaker: from a breath to a thought. */
const shortestGapSeconds = 0.2
const longestGapSeconds = 1
const chunkSeconds = 28

/** Clips one after the other as if one had said them all, in chunks as files are cut. */
export function joinedInChunks(clips: readonly HeardClip[], order: number): PlacedWord[][] {
  const random = createRandom(order, 'order of clips')
  let at = 0
  const shuffled = clips.map((clip) => ({ clip, place: random.next() })).sort((one, other) => one.place - other.place)
  const words = shuffled.flatMap(({ clip }) => {
    const from = at - (clip.words[0]?.start ?? 0)
    const placed = clip.words.map((word, index) => ({
      ...word,
      start: word.start + from,
      end: word.end + from,
      isLast: index === clip.words.length - 1,
    }))
    at = (placed.at(-1)?.end ?? at) + shortestGapSeconds + (longestGapSeconds - shortestGapSeconds) * random.next()
    return placed
  })
  return inChunks(words)
}

/** Cut after the clip that reaches the length of a chunk, as files are cut in silence. */
function inChunks(words: readonly PlacedWord[]): PlacedWord[][] {
  const chunks: PlacedWord[][] = [[]]
  for (const word of words) {
    const chunk = chunks.at(-1)!
    chunk.push(word)
    if (word.isLast && word.end - chunk[0]!.start >= chunkSeconds) chunks.push([])
  }
  return chunks.filter((chunk) => chunk.length > 0)
}

/** Every second sentence to tune on, the others to report on. */
export function halvesOf<One extends { readonly said: string }>(clips: readonly One[]): readonly [One[], One[]] {
  const sentences = [...new Set(clips.map(({ said }) => said))]
  const half = (which: number): One[] => clips.filter(({ said }) => sentences.indexOf(said) % 2 === which)
  return [half(0), half(1)]
}
