import { semitones } from './prosody.ts'
import type { ProsodySummary } from './prosody.ts'

/**
 * How lively a segment is against the same speaker's other segments. This is arousal, not feeling: joy and anger both come
 * out as `excited`. Nothing is said of a speaker with little else to compare with, nor of what lies between two tones.
 */
export interface Tone {
  readonly tone: 'calm' | 'neutral' | 'excited'
  readonly confidence: number
}

const fewestSegments = 3
const farFromUsual = 1
const borderConfidence = 0.4
const leastConfidence = 0.5
const mostConfidence = 0.85

/** One tone for each segment of one speaker, where there is one. */
export function tonesOf(segments: readonly ProsodySummary[]): (Tone | undefined)[] {
  const voiced = segments.filter(({ pitchHz }) => pitchHz !== null)
  if (voiced.length < fewestSegments) return segments.map(() => undefined)
  const usual = {
    loudnessDb: median(voiced.map(({ loudnessDb }) => loudnessDb)),
    pitchHz: median(voiced.map(({ pitchHz }) => pitchHz ?? 0)),
    pitchRangeSemitones: median(voiced.map(({ pitchRangeSemitones }) => pitchRangeSemitones)),
    syllablesPerSecond: median(voiced.map(({ syllablesPerSecond }) => syllablesPerSecond)),
  }
  return segments.map((segment) => toneOf(segment, usual))
}

type Usual = Pick<ProsodySummary, 'loudnessDb' | 'pitchRangeSemitones' | 'syllablesPerSecond'> & { pitchHz: number }

function toneOf(segment: ProsodySummary, usual: Usual): Tone | undefined {
  if (segment.pitchHz === null) return undefined
  const arousal =
    0.35 * bounded((segment.loudnessDb - usual.loudnessDb) / 3) +
    0.35 * bounded(semitones(segment.pitchHz, usual.pitchHz) / 2) +
    0.15 * bounded((segment.pitchRangeSemitones - usual.pitchRangeSemitones) / 4) +
    0.15 * bounded((segment.syllablesPerSecond - usual.syllablesPerSecond) / 1.2)
  const distance = Math.abs(Math.abs(arousal) - farFromUsual)
  const confidence = Math.min(mostConfidence, borderConfidence + 0.4 * distance)
  if (confidence < leastConfidence) return undefined
  if (Math.abs(arousal) < farFromUsual) return { tone: 'neutral', confidence }
  return { tone: arousal > 0 ? 'excited' : 'calm', confidence }
}

/** One measure gone astray must not decide alone. */
function bounded(value: number): number {
  return Math.max(-3, Math.min(3, value))
}

function median(values: number[]): number {
  values.sort((a, b) => a - b)
  return values[Math.floor(values.length / 2)] ?? 0
}
