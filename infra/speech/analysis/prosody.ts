import { heardRate } from '../../../actors/conversation/ports.ts'
import { lent } from './lent.ts'
import { pitchTracker } from './pitch.ts'

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
const hop = heardRate / framesPerSecond
const silenceDb = -100
const minVoicedFrames = 8

export function prosodyOf(samples: Float32Array): Prosody {
  const frames = Math.floor(samples.length / hop)
  const loudness = new Float32Array(frames)
  const tilt = new Float32Array(frames)
  const pitch = new Float32Array(frames)
  const voicing = new Float32Array(frames)
  const { low, high } = bands(samples)
  const pitchAt = pitchTracker(samples, hop)
  for (let frame = 0; frame < frames; frame += 1) {
    const [from, to] = [Math.max(0, frame * hop - hop), Math.min(samples.length, frame * hop + 2 * hop)]
    loudness[frame] = decibels(power(samples, from, to))
    tilt[frame] = decibels(power(high, from, to)) - decibels(power(low, from, to))
    if (loudness[frame]! < quietestVoiceDb) continue
    const found = pitchAt(frame)
    voicing[frame] = found.voicing
    pitch[frame] = found.voicing >= voicedFrom ? found.hertz : 0
  }
  return { frames, pitch: steadied(pitch), voicing, loudness, tilt }
}

export function summariseProsody(prosody: Prosody, { start, end }: Seconds): ProsodySummary {
  const [from, to] = [frameAt(prosody, start), frameAt(prosody, end)]
  const voiced = indexes(from, to).filter((frame) => prosody.pitch[frame]! > 0)
  const pitches = voiced.map((frame) => prosody.pitch[frame]!).sort((a, b) => a - b)
  const heard = voiced.length >= minVoicedFrames ? voiced : indexes(from, to)
  return {
    loudnessDb: decibels(mean(heard.map((frame) => 10 ** (prosody.loudness[frame]! / 10)))),
    pitchHz: pitches.length >= minVoicedFrames ? percentileOf(pitches, 0.5) : null,
    pitchRangeSemitones:
      pitches.length >= minVoicedFrames ? semitones(percentileOf(pitches, 0.9), percentileOf(pitches, 0.1)) : 0,
    tiltDb: mean(heard.map((frame) => prosody.tilt[frame]!)),
    voicedShare: to > from ? voiced.length / (to - from) : 0,
    syllablesPerSecond: to > from ? (nuclei(prosody, from, to) * framesPerSecond) / (to - from) : 0,
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
  return pitch.map((hertz, at) => {
    if (hertz === 0) return 0
    const around = pitch.slice(Math.max(0, at - steadyFrames), at + steadyFrames + 1).sort()
    const voiced = around.subarray(around.findIndex((other) => other > 0))
    return voiced.length < 3 || Math.abs(semitones(hertz, percentileOf(voiced, 0.5))) > farthestSemitones ? 0 : hertz
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
  return values.map((_, at) => mean(Array.from(values.subarray(Math.max(0, at - 2), at + 3))))
}

const lowBand = lent((length) => new Float32Array(length))
const highBand = lent((length) => new Float32Array(length))

/** One pole each side of 1 kHz is all that a tilt needs. */
function bands(samples: Float32Array): { low: Float32Array; high: Float32Array } {
  const low = lowBand(samples.length)
  const high = highBand(samples.length)
  const share = 1 - Math.exp((-2 * Math.PI * 1_000) / heardRate)
  let held = 0
  for (let at = 0; at < samples.length; at += 1) {
    held += share * (samples[at]! - held)
    low[at] = held
    high[at] = samples[at]! - held
  }
  return { low, high }
}

function power(samples: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at += 1) sum += samples[at]! * samples[at]!
  return to > from ? sum / (to - from) : 0
}

export function decibels(ratio: number): number {
  return ratio <= 0 ? silenceDb : Math.max(silenceDb, 10 * Math.log10(ratio))
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}
