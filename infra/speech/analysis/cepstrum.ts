import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { fourier } from '../audio/fourier.ts'
import { framesPerSecond, prosodyOf } from './prosody.ts'
import type { Prosody } from './prosody.ts'

/** The shape of the audio a hundred times a second: cepstral coefficients 1 to 16 of a mel spectrum, without the level. */
export interface Cepstrum {
  readonly frames: number
  /** The coefficients of a frame, worked out when somebody first asks: most frames have no voice, and nobody does. */
  at(frame: number): Float32Array
}

/** One recording, or one chunk of it, from both sides. */
export interface CepstralFrames {
  readonly prosody: Prosody
  readonly cepstrum: Cepstrum
}

export function cepstralFramesOf(samples: Float32Array): CepstralFrames {
  return { prosody: prosodyOf(samples), cepstrum: cepstrumOf(samples) }
}

const coefficients = 16

const hop = recogniserRate / framesPerSecond
const windowSamples = 400
const spectrumSize = 512
const bandCount = 26
const lowestHertz = 80
const highestHertz = 7_600
const floorEnergy = 1e-9
const preEmphasis = 0.97

function cepstrumOf(samples: Float32Array): Cepstrum {
  const frames = Math.max(0, Math.floor((samples.length - windowSamples) / hop) + 1)
  const data = new Float32Array(frames * coefficients)
  const known = new Uint8Array(Math.ceil(frames / 2))
  const writePair = (first: number): void => {
    // the second of an odd number lies behind the end, and is not kept
    spectraAt(samples, first * hop, (first + 1) * hop)
    for (let next = first; next < Math.min(first + 2, frames); next += 1)
      writeCoefficients(next === first ? powers : secondPowers, data, next * coefficients)
  }
  return {
    frames,
    at(frame) {
      const pair = frame >> 1
      if (known[pair] === 0) writePair(2 * pair)
      known[pair] = 1
      return data.subarray(frame * coefficients, (frame + 1) * coefficients)
    },
  }
}

const energies = new Float64Array(bandCount)

function writeCoefficients(spectrum: Float64Array, data: Float32Array, to: number): void {
  for (let band = 0; band < bandCount; band += 1) {
    const { first, weights } = filters[band]!
    let energy = floorEnergy
    for (let index = 0; index < weights.length; index += 1) energy += weights[index]! * spectrum[first + index]!
    energies[band] = Math.log(energy)
  }
  for (let index = 0; index < coefficients; index += 1) {
    const row = cosines[index]!
    let sum = 0
    for (let band = 0; band < bandCount; band += 1) sum += row[band]! * energies[band]!
    data[to + index] = sum
  }
}

const transformer = fourier(spectrumSize)
const { real, imaginary } = transformer
const powers = new Float64Array(spectrumSize / 2)
const secondPowers = new Float64Array(spectrumSize / 2)
const hamming = Float64Array.from(
  { length: windowSamples },
  (_, at) => 0.54 - 0.46 * Math.cos((2 * Math.PI * at) / (windowSamples - 1)),
)

/** Two real signals go through one complex transform, as its real and its imaginary part, and come out by symmetry. */
function spectraAt(samples: Float32Array, start: number, secondStart: number): void {
  writeWindow(samples, start, real)
  writeWindow(samples, secondStart, imaginary)
  transformer.transform()
  for (let at = 1; at < spectrumSize / 2; at += 1) {
    const mirrored = spectrumSize - at
    const evenReal = real[at]! + real[mirrored]!
    const oddReal = real[at]! - real[mirrored]!
    const evenImaginary = imaginary[at]! + imaginary[mirrored]!
    const oddImaginary = imaginary[at]! - imaginary[mirrored]!
    powers[at] = (evenReal * evenReal + oddImaginary * oddImaginary) / 4
    secondPowers[at] = (evenImaginary * evenImaginary + oddReal * oddReal) / 4
  }
}

function writeWindow(samples: Float32Array, start: number, to: Float64Array): void {
  let before = start > 0 ? samples[start - 1]! : 0
  const end = Math.min(windowSamples, samples.length - start)
  for (let at = 0; at < end; at += 1) {
    const here = samples[start + at]!
    to[at] = (here - preEmphasis * before) * hamming[at]!
    before = here
  }
  to.fill(0, Math.max(0, end))
}

interface Filter {
  readonly first: number
  readonly weights: Float64Array
}

const filters = bank()
const cosines = Array.from({ length: coefficients }, (_, index) =>
  Float64Array.from(
    { length: bandCount },
    (__, band) => Math.sqrt(2 / bandCount) * Math.cos((Math.PI * (index + 1) * (band + 0.5)) / bandCount),
  ),
)

function bank(): Filter[] {
  const edges = Array.from({ length: bandCount + 2 }, (_, at) => {
    const mel = melOf(lowestHertz) + (at * (melOf(highestHertz) - melOf(lowestHertz))) / (bandCount + 1)
    return (700 * (10 ** (mel / 2_595) - 1) * spectrumSize) / recogniserRate
  })
  return Array.from({ length: bandCount }, (_, band) => {
    const [low, peak, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!]
    const first = Math.ceil(low)
    const weights = Float64Array.from({ length: Math.floor(high) - first + 1 }, (__, index) =>
      Math.max(0, Math.min((first + index - low) / (peak - low), (high - first - index) / (high - peak))),
    )
    return { first, weights }
  })
}

function melOf(hertz: number): number {
  return 2_595 * Math.log10(1 + hertz / 700)
}
