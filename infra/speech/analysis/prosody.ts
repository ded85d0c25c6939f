import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { lent } from './lent.ts'
import { pitchTracker } from './pitch.ts'
import { SortedWindow } from './sorted-window.ts'

/** How something was said: pitch, loudness, tilt of the spectrum and voicing, a hundred times a second. */
export interface Prosody {
  readonly frames: number
  /** Hertz, 0 where there is no voice. */
  readonly pitch: Float32Array
  /** 0 is noise or silence, 1 is perfectly periodic. */
  readonly voicing: Float32Array
  /** Decibels below full scale. */
  readonly loudness: Float32Array
  /** Decibels of what lies above 1 kHz against what lies below; a raised voice moves energy upwards. */
  readonly tilt: Float32Array
}

export interface ProsodySummary {
  readonly loudnessDb: number
  /** The median; null when too little is voiced. */
  readonly pitchHz: number | null
  /** From the 10th to the 90th percentile of the pitch. */
  readonly pitchRangeSemitones: number
  readonly tiltDb: number
  readonly voicedShare: number
  /** Peaks of loudness that are voiced: about one a syllable. */
  readonly syllablesPerSecond: number
}

export interface Seconds {
  readonly start: number
  readonly end: number
}

export const framesPerSecond = 100
const hop = recogniserRate / framesPerSecond
const silenceDb = -100
const minVoicedFrames = 8

export function prosodyOf(samples: Float32Array): Prosody {
  const frames = Math.floor(samples.length / hop)
  const loudness = new Float32Array(frames)
  const tilt = new Float32Array(frames)
  const pitch = new Float32Array(frames)
  const voicing = new Float32Array(frames)
  const energy = hopEnergies(samples)
  const pitchAt = pitchTracker(samples, hop)
  for (let frame = 0; frame < frames; frame += 1) {
    const length = Math.min(samples.length, (frame + 2) * hop) - Math.max(0, (frame - 1) * hop)
    loudness[frame] = decibels(around(energy.all, frame) / length)
    tilt[frame] = decibels(around(energy.high, frame) / length) - decibels(around(energy.low, frame) / length)
    if (loudness[frame]! < quietestVoiceDb) continue
    const found = pitchAt(frame)
    voicing[frame] = found.voicing
    pitch[frame] = found.voicing >= voicedFrom ? found.hertz : 0
  }
  return { frames, pitch: steadied(pitch), voicing, loudness, tilt }
}

export function summariseProsody(prosody: Prosody, span: Seconds): ProsodySummary {
  const [from, to] = [frameAt(prosody, span.start), frameAt(prosody, span.end)]
  const { pitches, ...voice } = voiceIn(prosody, span)
  const isVoiced = pitches.length >= minVoicedFrames
  return {
    ...voice,
    pitchRangeSemitones: isVoiced ? semitones(percentileOf(pitches, 0.9), percentileOf(pitches, 0.1)) : 0,
    syllablesPerSecond: to > from ? (nuclei(prosody, from, to) * framesPerSecond) / (to - from) : 0,
  }
}

type VoiceSummary = Pick<ProsodySummary, 'loudnessDb' | 'pitchHz' | 'tiltDb' | 'voicedShare'>

/** What of a summary a moment has already, and its pitches in rising order. */
export function voiceIn(prosody: Prosody, { start, end }: Seconds): VoiceSummary & { readonly pitches: Float32Array } {
  const [from, to] = [frameAt(prosody, start), frameAt(prosody, end)]
  const pitches = prosody.pitch
    .subarray(from, to)
    .filter((hertz) => hertz > 0)
    .sort()
  const isVoiced = pitches.length >= minVoicedFrames
  let [count, power, tilt] = [0, 0, 0]
  for (let frame = from; frame < to; frame += 1) {
    if (isVoiced && prosody.pitch[frame] === 0) continue
    count += 1
    power += 10 ** (prosody.loudness[frame]! / 10)
    tilt += prosody.tilt[frame]!
  }
  return {
    pitches,
    loudnessDb: decibels(count === 0 ? 0 : power / count),
    pitchHz: isVoiced ? percentileOf(pitches, 0.5) : null,
    tiltDb: count === 0 ? 0 : tilt / count,
    voicedShare: to > from ? pitches.length / (to - from) : 0,
  }
}

export function frameAt(prosody: Prosody, seconds: number): number {
  return Math.max(0, Math.min(prosody.frames, Math.round(seconds * framesPerSecond)))
}

export function semitones(hertz: number, reference: number): number {
  return 12 * Math.log2(hertz / reference)
}

/** Of numbers in rising order. */
export function percentileOf(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const voicedFrom = 0.7
const quietestVoiceDb = -65
const steadyFrames = 40
const farthestSemitones = 8

/** An octave off for a few frames is the method's mistake, not the speaker's: what leaves its half second is no pitch. */
function steadied(pitch: Float32Array): Float32Array {
  const voiced = new SortedWindow(2 * steadyFrames + 1)
  for (let at = 0; at < Math.min(steadyFrames, pitch.length); at += 1) if (pitch[at]! > 0) voiced.add(pitch[at]!)
  return pitch.map((hertz, at) => {
    const [next, last] = [pitch[at + steadyFrames] ?? 0, pitch[at - steadyFrames - 1] ?? 0]
    if (next > 0) voiced.add(next)
    if (last > 0) voiced.remove(last)
    if (hertz === 0 || voiced.size < 3) return 0
    return Math.abs(semitones(hertz, voiced.median())) > farthestSemitones ? 0 : hertz
  })
}

const nucleusRiseDb = 2
const nucleusGapFrames = 9

function nuclei(prosody: Prosody, from: number, to: number): number {
  const smooth = smoothed(prosody.loudness.subarray(from, to))
  let count = 0
  let lowest = Number.POSITIVE_INFINITY
  let last = -nucleusGapFrames
  for (let at = 1; at + 1 < smooth.length; at += 1) {
    const here = smooth[at]!
    lowest = Math.min(lowest, here)
    const isPeak = here >= smooth[at - 1]! && here > smooth[at + 1]! && prosody.pitch[from + at]! > 0
    if (!isPeak || here - lowest < nucleusRiseDb || at - last < nucleusGapFrames) continue
    count += 1
    last = at
    lowest = here
  }
  return count
}

function smoothed(values: Float32Array): Float32Array {
  return values.map((_, at) => {
    const [from, to] = [Math.max(0, at - 2), Math.min(values.length, at + 3)]
    let sum = 0
    for (let near = from; near < to; near += 1) sum += values[near]!
    return sum / (to - from)
  })
}

interface HopEnergies {
  readonly all: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array
}

const allEnergies = lent((length) => new Float64Array(length))
const lowEnergies = lent((length) => new Float64Array(length))
const highEnergies = lent((length) => new Float64Array(length))

/** The sum of squares of each hop, and of what lies below and above 1 kHz in it: one pole is all that a tilt needs. */
function hopEnergies(samples: Float32Array): HopEnergies {
  const hops = Math.ceil(samples.length / hop)
  const [all, low, high] = [allEnergies(hops), lowEnergies(hops), highEnergies(hops)]
  const share = 1 - Math.exp((-2 * Math.PI * 1_000) / recogniserRate)
  let held = 0
  for (let index = 0; index < hops; index += 1) {
    const end = Math.min(samples.length, (index + 1) * hop)
    let [whole, below, above] = [0, 0, 0]
    for (let at = index * hop; at < end; at += 1) {
      const here = samples[at]!
      held += share * (here - held)
      const rest = here - held
      whole += here * here
      below += held * held
      above += rest * rest
    }
    all[index] = whole
    low[index] = below
    high[index] = above
  }
  return { all, low, high }
}

/** Of a hop and its neighbours. */
function around(energies: Float64Array, index: number): number {
  return (energies[index - 1] ?? 0) + energies[index]! + (energies[index + 1] ?? 0)
}

export function decibels(ratio: number): number {
  return ratio <= 0 ? silenceDb : Math.max(silenceDb, 10 * Math.log10(ratio))
}
