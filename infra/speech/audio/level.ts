import { recogniserRate } from '../../../actors/conversation/ports.ts'

const hopSamples = recogniserRate / 10
/** The level at a moment is that of the louder part of the two seconds around it: pauses do not count as quiet speech. */
const reachHops = 10
const louderHops = 8
const wantedLevel = 0.08
/** Root mean square below which nothing is raised further: what is there is not speech. */
const quietestLevel = 0.004

/**
 * Brings everyone to the same loudness. A recogniser that hears a loud and a quiet speaker in one clip takes the quiet
 * one for background and leaves out what they say.
 */
export function evenLevel(samples: Float32Array): Float32Array {
  const gains = gainsOf(powersOf(samples))
  const level = new Float32Array(samples.length)
  // from the middle of a hop to the middle of the next, and half a hop at both ends
  for (let hop = -1; hop < gains.length; hop++) {
    const [gain, next] = [gains[Math.max(0, hop)]!, gains[Math.min(gains.length - 1, hop + 1)]!]
    const middle = (hop + 0.5) * hopSamples
    const end = Math.min(samples.length, middle + hopSamples)
    for (let i = Math.max(0, middle); i < end; i++)
      level[i] = samples[i]! * (gain + ((i - middle) / hopSamples) * (next - gain))
  }
  return level
}

function powersOf(samples: Float32Array): Float64Array {
  const powers = new Float64Array(Math.ceil(samples.length / hopSamples))
  for (let hop = 0; hop < powers.length; hop++) {
    const end = Math.min(samples.length, (hop + 1) * hopSamples)
    let sum = 0
    for (let i = hop * hopSamples; i < end; i++) sum += samples[i]! * samples[i]!
    powers[hop] = sum / (end - hop * hopSamples)
  }
  return powers
}

function gainsOf(powers: Float64Array): Float64Array {
  return powers.map((_, hop) => {
    const around = powers.slice(Math.max(0, hop - reachHops), hop + reachHops + 1).sort()
    const louder = around.subarray(-louderHops)
    const power = louder.reduce((sum, each) => sum + each, 0) / louder.length
    return wantedLevel / Math.max(Math.sqrt(power), quietestLevel)
  })
}
