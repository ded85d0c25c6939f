import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { pitchTracker } from './pitch.ts'

const hopSamples = recogniserRate / 100
/** Of this much the middle is taken: longer ago somebody may have spoken in another mood. */
const longestSeconds = 4
const voiced = { least: 0.6, lowest: 70, highest: 450 }
const fewestFrames = 20
/** The end of the voice is its last 150 ms. */
const lastFrames = 15
const fewestLastFrames = 4
/** Above this the tracker has taken a creaking voice for one an octave higher, more often than not. */
const mostSemitones = 5

/** By how many semitones the voice ends above or below its middle; nothing where there is too little voice to tell. */
export function lastPitch(samples: Float32Array): number | undefined {
  const end = samples.subarray(Math.max(0, samples.length - longestSeconds * recogniserRate))
  const pitchAt = pitchTracker(end, hopSamples)
  const frames: { readonly frame: number; readonly octaves: number }[] = []
  for (let frame = 0; frame * hopSamples < end.length; frame++) {
    const { hertz, voicing } = pitchAt(frame)
    if (voicing > voiced.least && hertz > voiced.lowest && hertz < voiced.highest)
      frames.push({ frame, octaves: Math.log2(hertz) })
  }
  const last = frames.at(-1)?.frame ?? 0
  const ending = frames.filter(({ frame }) => frame > last - lastFrames)
  if (frames.length < fewestFrames || ending.length < fewestLastFrames) return undefined
  const sorted = frames.map(({ octaves }) => octaves).sort((one, other) => one - other)
  const mean = ending.reduce((sum, { octaves }) => sum + octaves, 0) / ending.length
  const semitones = 12 * (mean - sorted[sorted.length >> 1]!)
  return semitones > mostSemitones ? undefined : semitones
}
