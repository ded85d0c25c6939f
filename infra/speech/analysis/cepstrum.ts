import { heardRate } from '../../../actors/conversation/ports.ts'
import { fourier } from '../audio/fourier.ts'
import { framesPerSecond, prosodyOf } from './prosody.ts'
import type { Prosody } from './prosody.ts'

/** The shape of the audio a hundred times a second: cepstral coefficients 1 to 16 of a mel spectrum, without the level. */
export interface Cepstrum {
  readonly frames: number
  /** [frame][coefficient], row after row. */
  readonly data: Float32Array
}

/** One recording, or one chunk of it, from both sides. */
export interface CepstralFrames {
  readonly prosody: Prosody
  readonly cepstrum: Cepstrum
}

export function cepstralFramesOf(samples: Float32Array): CepstralFrames {
  return { prosody: prosodyOf(samples), cepstrum: cepstrumOf(samples) }
}

export const coefficients = 16

const hop = heardRate / framesPerSecond
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
  const energies = new Float64Array(bandCount)
  for (let frame = 0; frame < frames; frame += 1) {
    spectrumAt(samples, frame * hop)
    filters.forEach(({ first, weights }, band) => {
      let energy = floorEnergy
      weights.forEach((weight, index) => {
        energy += weight * (real[first + index]! ** 2 + imaginary[first + index]! ** 2)
      })
      energies[band] = Math.log(energy)
    })
    cosines.forEach((row, index) => {
      data[frame * coefficients + index] = row.reduce((sum, cosine, band) => sum + cosine * energies[band]!, 0)
    })
  }
  return { frames, data }
}

const transformer = fourier(spectrumSize)
const { real, imaginary } = transformer
const hamming = Float64Array.from(
  { length: windowSamples },
  (_, at) => 0.54 - 0.46 * Math.cos((2 * Math.PI * at) / (windowSamples - 1)),
)

function spectrumAt(samples: Float32Array, start: number): void {
  real.fill(0)
  imaginary.fill(0)
  for (let at = 0; at < windowSamples; at += 1) {
    const before = samples[start + at - 1] ?? 0
    real[at] = (samples[start + at]! - preEmphasis * before) * hamming[at]!
  }
  transformer.transform()
}

interface Filter {
  readonly first: number
  readonly weights: readonly number[]
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
    return (700 * (10 ** (mel / 2_595) - 1) * spectrumSize) / heardRate
  })
  return Array.from({ length: bandCount }, (_, band) => {
    const [low, peak, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!]
    const first = Math.ceil(low)
    const weights = Array.from({ length: Math.floor(high) - first + 1 }, (__, index) =>
      Math.max(0, Math.min((first + index - low) / (peak - low), (high - first - index) / (high - peak))),
    )
    return { first, weights }
  })
}

function melOf(hertz: number): number {
  return 2_595 * Math.log10(1 + hertz / 700)
}
