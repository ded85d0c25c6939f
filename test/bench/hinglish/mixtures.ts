import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { aRandom } from '../../support/samples.ts'
import type { Recording } from '../../support/recordings.ts'
import type { BenchSpeech } from '../speech.ts'

/** A recording in which Hindi and English take turns, and what is said when. */
export interface ClipMixture {
  readonly seed: number
  readonly samples: Float32Array
  readonly parts: readonly MixturePart[]
}

export interface MixturePart {
  readonly language: 'hi' | 'en'
  readonly clip: Recording
  /** Seconds of the mixture. */
  readonly start: number
  readonly end: number
}

const partsOfOne = 6
const longestPauseSeconds = 1.5
/** How often two clips follow each other without any pause. */
const shareWithoutPause = 0.3

/** The same seed gives the same mixture of the same clips. */
export function mixtureOf(speech: BenchSpeech, seed: number): ClipMixture {
  const random = aRandom(seed)
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  let isEnglish = random() < 0.5
  let at = 0
  const parts: MixturePart[] = []
  for (let count = 0; count < partsOfOne; count += 1) {
    const clip = one(isEnglish ? speech.english : speech.hindi)
    const pause = count === 0 || random() < shareWithoutPause ? 0 : random() * longestPauseSeconds
    const start = at + pause
    at = start + clip.samples.length / recogniserRate
    parts.push({ language: isEnglish ? 'en' : 'hi', clip, start, end: at })
    isEnglish = !isEnglish
  }
  const samples = new Float32Array(Math.ceil(at * recogniserRate) + 1)
  for (const { clip, start } of parts) samples.set(clip.samples, Math.round(start * recogniserRate))
  return { seed, samples, parts }
}
