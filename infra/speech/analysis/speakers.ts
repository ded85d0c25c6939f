import { coefficients } from './cepstrum.ts'
import type { Sound } from './cepstrum.ts'
import { gaussianOf, logDeterminant, logDeterminantTogether, momentsOf, together } from './gaussian.ts'
import type { Gaussian, Moments } from './gaussian.ts'
import { frameAt, framesPerSecond } from './prosody.ts'
import type { Seconds } from './prosody.ts'

/**
 * Who speaks when, by the sound of the voice alone: segments whose spectra one normal distribution describes as well as two
 * belong together (the Bayesian information criterion, so that nobody has to say how many speakers there are). Speakers are
 * numbered in order of appearance, within one file. Short segments go to the voice that they fit best.
 */
export interface SpeakerGuess {
  readonly speaker: string
  readonly confidence: number
}

export function speakersOf(voices: readonly Gaussian[]): SpeakerGuess[] {
  const long = indexesWhere(voices, ({ count }) => count >= clusteredFrames)
  const clusters = clustered(
    evenly(long, maxSegmentsClustered).map((index) => ({
      members: [index],
      voice: measured(momentsOf(voices[index]!)),
    })),
  )
  if (clusters.length === 0) return voices.map(() => ({ speaker: nameOf(0), confidence: unheardConfidence }))
  const owners = voices.map((voice) => ownerOf(voice, clusters))
  for (const [at, cluster] of clusters.entries()) for (const member of cluster.members) owners[member]!.cluster = at
  const order = Array.from(new Set(owners.map(({ cluster }) => cluster)))
  return owners.map(({ cluster, confidence }) => ({ speaker: nameOf(order.indexOf(cluster)), confidence }))
}

/** At most so many, from the whole length: a speaker who joins in the last hour is found too. */
function evenly<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]!)
}

const clusteredFrames = 0.8 * framesPerSecond
const dimensions = 13
/** The one setting: how much two distributions must gain over one to be two people. Larger means fewer speakers. */
const penalty = 2.8
const maxSegmentsClustered = 400
const voiceWithinDb = 25
const unheardConfidence = 0.3

function nameOf(index: number): string {
  return `speaker_${index + 1}`
}

/** What is kept of a segment's voice: the spread of its spectra and its pitch where it is voiced. */
export function voiceOf({ prosody, cepstrum }: Sound, { start, end }: Seconds): Gaussian {
  const from = frameAt(prosody, start)
  const to = Math.min(cepstrum.frames, frameAt(prosody, end))
  const loudest = prosody.loudness.subarray(from, to).reduce((most, level) => Math.max(most, level), -100)
  const rows: Float32Array[] = []
  for (let frame = from; frame < to; frame += 1) {
    if (prosody.pitch[frame] === 0 || prosody.loudness[frame]! < loudest - voiceWithinDb) continue
    const row = new Float32Array(dimensions)
    row.set(cepstrum.data.subarray(frame * coefficients, frame * coefficients + dimensions - 1))
    row[dimensions - 1] = pitchWeight * Math.log2(prosody.pitch[frame]!)
    rows.push(row)
  }
  return gaussianOf(rows, dimensions)
}

const pitchWeight = 4

/** Each is compared with hundreds of others, so what it costs alone is found out once. */
interface MeasuredVoice {
  readonly moments: Moments
  readonly cost: number
}

function measured(moments: Moments): MeasuredVoice {
  return { moments, cost: moments.count * logDeterminant(moments) }
}

interface Cluster {
  readonly members: number[]
  readonly voice: MeasuredVoice
}

/** Joins the two nearest again and again while joining is cheaper than telling them apart. */
function clustered(start: readonly Cluster[]): Cluster[] {
  const clusters = [...start]
  const gains = clusters.map((one, i) => clusters.slice(0, i).map((other) => gainOfTwo(one.voice, other.voice)))
  for (;;) {
    const { gain, i, j } = nearestTwo(gains)
    if (gain >= 0) return clusters
    const [first, second] = [clusters[j]!, clusters[i]!]
    const joined: Cluster = {
      members: first.members.concat(second.members),
      voice: measured(together(first.voice.moments, second.voice.moments)),
    }
    clusters[j] = joined
    clusters.splice(i, 1)
    gains.splice(i, 1)
    for (const row of gains.slice(i)) row.splice(i, 1)
    for (const [k, other] of clusters.entries())
      if (k !== j) gains[Math.max(j, k)]![Math.min(j, k)] = gainOfTwo(joined.voice, other.voice)
  }
}

/** Row i holds what it would gain to keep i apart from each one before it. */
function nearestTwo(gains: readonly (readonly number[])[]): { gain: number; i: number; j: number } {
  let [gain, i, j] = [Number.POSITIVE_INFINITY, -1, -1]
  for (const [at, row] of gains.entries())
    for (let other = 0; other < row.length; other += 1) if (row[other]! < gain) [gain, i, j] = [row[other]!, at, other]
  return { gain, i, j }
}

/** Below zero: one voice explains both. */
function gainOfTwo(first: MeasuredVoice, second: MeasuredVoice): number {
  const count = first.moments.count + second.moments.count
  const cost = count * logDeterminantTogether(first.moments, second.moments)
  const fit = cost - first.cost - second.cost
  const parameters = dimensions + (dimensions * (dimensions + 1)) / 2
  return fit / 2 - (penalty * parameters * Math.log(count)) / 2
}

function ownerOf(gaussian: Gaussian, clusters: readonly Cluster[]): { cluster: number; confidence: number } {
  if (gaussian.count < dimensions) return { cluster: 0, confidence: unheardConfidence }
  const voice = measured(momentsOf(gaussian))
  const costs = clusters.map((cluster) => gainOfTwo(voice, cluster.voice) / gaussian.count)
  const sorted = [...costs].sort((a, b) => a - b)
  const margin = sorted.length > 1 ? sorted[1]! - sorted[0]! : 1
  return { cluster: costs.indexOf(sorted[0]!), confidence: Math.min(0.95, 0.5 + 0.3 * margin) }
}

function indexesWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number[] {
  return items.flatMap((item, index) => (test(item) ? [index] : []))
}
