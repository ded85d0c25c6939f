import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { fourier } from './fourier.ts'

export const melHopSamples = 160
const windowSamples = 400
const halfWindow = windowSamples / 2
const spectrumBins = halfWindow + 1
const floorPower = 1e-10
/** Everything quieter than this many decades below the loudest bin of the clip is cut off. */
const dynamicRange = 8

interface LogMel {
  /** [bins, frames], row-major. */
  readonly data: Float32Array
  readonly frames: number
}

interface LogMelOptions {
  readonly bins: 80 | 128
  /** Appends silence up to this length, which the clip must not exceed. Without it the frames follow the clip. */
  readonly padToSeconds?: number
}

/**
 * The log-mel spectrogram that Whisper was trained on, of 16 kHz mono samples: periodic Hann window, reflected edges,
 * Slaney's filters, log10, clamped and scaled by the clip's own maximum.
 */
export function logMel(samples: Float32Array, options: LogMelOptions): LogMel {
  const signal = padded(samples, options.padToSeconds)
  const frames = Math.floor((signal.length - windowSamples) / melHopSamples)
  const data = new Float32Array(options.bins * frames).fill(Math.log10(floorPower))
  const audible = Math.min(frames, audibleFrames(samples.length, signal.length - windowSamples))
  writeLogPowers({ signal, frames, audible, data }, filtersOf(options.bins))
  normalise(data)
  return { data, frames }
}

interface Target {
  readonly signal: Float32Array
  readonly frames: number
  readonly audible: number
  readonly data: Float32Array
}

/** Two real frames share one complex transform: the symmetry of a real signal's spectrum takes them apart again. */
function writeLogPowers({ signal, frames, audible, data }: Target, filters: readonly Filter[]): void {
  const { real, imaginary } = transformer
  for (let frame = 0; frame < audible; frame += 2) {
    const pair = frame + 1 < frames
    const start = frame * melHopSamples
    for (let i = 0; i < windowSamples; i++) {
      real[i] = signal[start + i]! * hann[i]!
      imaginary[i] = pair ? signal[start + melHopSamples + i]! * hann[i]! : 0
    }
    transformer.transform()
    splitPowers()
    for (let bin = 0; bin < filters.length; bin++) {
      const { first, weights } = filters[bin]!
      let even = 0
      let odd = 0
      for (let i = 0; i < weights.length; i++) {
        even += weights[i]! * evenPower[first + i]!
        odd += weights[i]! * oddPower[first + i]!
      }
      const at = bin * frames + frame
      data[at] = Math.log10(Math.max(even, floorPower))
      if (pair) data[at + 1] = Math.log10(Math.max(odd, floorPower))
    }
  }
}

function splitPowers(): void {
  const { real, imaginary } = transformer
  for (let k = 0; k < spectrumBins; k++) {
    const mirror = k === 0 ? 0 : windowSamples - k
    const evenRe = real[k]! + real[mirror]!
    const evenIm = imaginary[k]! - imaginary[mirror]!
    const oddRe = imaginary[k]! + imaginary[mirror]!
    const oddIm = real[mirror]! - real[k]!
    evenPower[k] = (evenRe * evenRe + evenIm * evenIm) / 4
    oddPower[k] = (oddRe * oddRe + oddIm * oddIm) / 4
  }
}

function normalise(data: Float32Array): void {
  let loudest = -Infinity
  for (let i = 0; i < data.length; i++) if (data[i]! > loudest) loudest = data[i]!
  const quietest = loudest - dynamicRange
  for (let i = 0; i < data.length; i++) data[i] = (Math.max(data[i]!, quietest) + 4) / 4
}

/** The clip, silence up to the wanted length, and half a window of reflection at both ends. */
function padded(samples: Float32Array, seconds?: number): Float32Array {
  const length = seconds === undefined ? samples.length : Math.round(seconds * recogniserRate)
  if (samples.length > length)
    throw new RangeError(`a clip of ${samples.length} samples does not fit into the ${length} of its padding`)
  const signal = new Float32Array(length + windowSamples)
  signal.set(samples, halfWindow)
  if (length === 0) return signal
  for (let i = 1; i <= halfWindow; i++) {
    signal[halfWindow - i] = samples[reflected(-i, length)] ?? 0
    signal[halfWindow + length - 1 + i] = samples[reflected(length - 1 + i, length)] ?? 0
  }
  return signal
}

function reflected(index: number, length: number): number {
  const period = Math.max(1, 2 * (length - 1))
  const within = ((index % period) + period) % period
  return within < length ? within : period - within
}

/** Frames that lie wholly in the appended silence hold nothing: a short clip in a long window costs what it is long. */
function audibleFrames(samples: number, length: number): number {
  const reflectsSpeech = samples > length - halfWindow - 1
  return reflectsSpeech ? Infinity : Math.ceil((halfWindow + samples) / melHopSamples)
}

interface Filter {
  readonly first: number
  readonly weights: Float64Array
}

const banks = new Map<number, readonly Filter[]>()

function filtersOf(bins: number): readonly Filter[] {
  const known = banks.get(bins)
  if (known) return known
  const edges = Array.from({ length: bins + 2 }, (_, i) => hertzOf((i * melOf(recogniserRate / 2)) / (bins + 1)))
  const filters = Array.from({ length: bins }, (_, bin) => triangle(edges[bin]!, edges[bin + 1]!, edges[bin + 2]!))
  banks.set(bins, filters)
  return filters
}

/** A triangle over the spectrum whose area is one, kept only where it is not zero. */
function triangle(low: number, peak: number, high: number): Filter {
  const hertzOfBin = recogniserRate / windowSamples
  const first = Math.max(0, Math.ceil(low / hertzOfBin))
  const last = Math.min(spectrumBins - 1, Math.floor(high / hertzOfBin))
  const weights = new Float64Array(Math.max(0, last - first + 1))
  for (let i = 0; i < weights.length; i++) {
    const hertz = (first + i) * hertzOfBin
    const height = Math.min((hertz - low) / (peak - low), (high - hertz) / (high - peak))
    weights[i] = (Math.max(0, height) * 2) / (high - low)
  }
  return { first, weights }
}

// Slaney's mel scale: linear up to 1 kHz, logarithmic above.
const linearHertz = 1000
const linearMel = 15
const logStep = Math.log(6.4) / 27

function melOf(hertz: number): number {
  return hertz < linearHertz ? (hertz * 3) / 200 : linearMel + Math.log(hertz / linearHertz) / logStep
}

function hertzOf(mel: number): number {
  return mel < linearMel ? (mel * 200) / 3 : linearHertz * Math.exp((mel - linearMel) * logStep)
}

// Scratch of the one transform at a time that a thread can run: `logMel` never awaits.
const transformer = fourier(windowSamples)
const evenPower = new Float64Array(spectrumBins)
const oddPower = new Float64Array(spectrumBins)
const hann = Float64Array.from(
  { length: windowSamples },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / windowSamples),
)
