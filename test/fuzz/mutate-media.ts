import type { Random } from '../sim/random.ts'
import { someBytes } from './odd-values.ts'

/** A recording that a real program wrote, and where in it the audio begins. */
export interface MediaSample {
  readonly name: string
  readonly bytes: Buffer
  readonly audioAt: number
  /** Of sound that is not compressed any bytes are sound: nobody can tell noise from it. */
  readonly isPlain: boolean
}

export interface Mutant {
  readonly name: string
  readonly bytes: Buffer
  readonly mutation: Mutation
  /** Nothing of it is what it says it is: whoever hears something in it makes it up. */
  readonly isGarbage: boolean
}

export type Mutation =
  | 'bits flipped'
  | 'cut off'
  | 'a length that lies'
  | 'a part taken out'
  | 'a part put in'
  | 'the head of one and the rest of another'
  | 'noise for sound'
  | 'a head and noise'

interface Making {
  readonly random: Random
  readonly samples: readonly MediaSample[]
}

const extensions = [
  'wav',
  'mp3',
  'm4a',
  'mp4',
  'ogg',
  'opus',
  'webm',
  'flac',
  'aac',
  'amr',
  '3gp',
  'wma',
  'aiff',
  'au',
  'txt',
]
const extremes = [0, 1, 2, 7, 0x7f, 0xff, 0xffff, 0x01000000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff]
const longestHead = 2_000

const mutations: Readonly<Record<Mutation, (sample: MediaSample, making: Making) => Buffer>> = {
  'bits flipped': ({ bytes }, { random }) => {
    const changed = Buffer.from(bytes)
    const region = random.chance(0.5) ? Math.min(bytes.length, 600) : bytes.length
    for (let left = random.between(1, 64); left > 0; left -= 1) changed[random.below(region)]! ^= 1 << random.below(8)
    return changed
  },
  'cut off': ({ bytes }, { random }) => bytes.subarray(0, random.below(bytes.length)),
  'a length that lies': ({ bytes, audioAt }, { random }) => {
    const changed = Buffer.from(bytes)
    for (let left = random.between(1, 4); left > 0; left -= 1) {
      const at = random.below(Math.max(4, Math.min(audioAt + 8, bytes.length - 4)))
      if (random.chance(0.5)) changed.writeUInt32BE(random.pick(extremes), at)
      else changed.writeUInt32LE(random.pick(extremes), at)
    }
    return changed
  },
  'a part taken out': ({ bytes }, { random }) => {
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(1_000))])
  },
  'a part put in': ({ bytes }, { random }) => {
    const at = random.below(bytes.length)
    const part = random.chance(0.5)
      ? someBytes(random, random.below(1_000))
      : bytes.subarray(at, at + random.below(1_000))
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])
  },
  'the head of one and the rest of another': ({ bytes, audioAt }, { random, samples }) => {
    const other = random.pick(samples)
    return Buffer.concat([bytes.subarray(0, audioAt), other.bytes.subarray(random.below(other.bytes.length))])
  },
  'noise for sound': ({ bytes, audioAt }, { random }) =>
    Buffer.concat([bytes.subarray(0, audioAt), someBytes(random, bytes.length - audioAt)]),
  'a head and noise': ({ bytes, audioAt }, { random }) =>
    Buffer.concat([bytes.subarray(0, random.between(4, Math.min(audioAt, longestHead))), someBytes(random, 4_000)]),
}

export function aMutant(making: Making): Mutant {
  const { random, samples } = making
  const sample = random.pick(samples)
  const mutation = random.pick(Object.keys(mutations) as Mutation[]) // as: its keys are all there are
  const isNoise = mutation === 'noise for sound' || mutation === 'a head and noise'
  return {
    name: random.chance(0.3) ? `${sample.name}.${random.pick(extensions)}` : sample.name,
    bytes: mutations[mutation](sample, making),
    mutation,
    isGarbage: isNoise && !sample.isPlain,
  }
}
