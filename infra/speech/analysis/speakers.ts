import { coefficients } from './cepstrum.ts'
import type { Sound } from './cepstrum.ts'
import { gaussianOf, logDeterminant, together } from './gaussian.ts'
import type { Gaussian } from './gaussian.ts'
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
  const clusters = clustered(long.map((index) => ({ members: [index], voice: voices[index]! })))
  if (clusters.length === 0) return voices.map(() => ({ speaker: nameOf(0), confidence: unheardConfidence }))
  const owners = voices.map((voice) => ownerOf(voice, clusters))
  for (const [at, cluster] of clusters.entries()) for (const member of cluster.members) owners[member]!.cluster = at
  const order = Array.from(new Set(owners.map(({ cluster }) => cluster)))
  return owners.map(({ cluster, confidence }) => ({ speaker: nameOf(order.indexOf(cluster)), confidence }))
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

interface Cluster {
  readonly members: number[]
  readonly voice: Gaussian
}

/** Joins the two nearest again and again while joining is cheaper than telling them apart. */
function clustered(start: readonly Cluster[]): Cluster[] {
  const clusters = start.slice(0, maxSegmentsClustered)
  const dead = new Set<number>()
  const gains = clusters.map((one, i) =>
    clusters.map((other, j) => (j < i ? gainOfTwo(one.voice, other.voice) : Number.POSITIVE_INFINITY)),
  )
  for (;;) {
    let best = { gain: 0, i: -1, j: -1 }
    gains.forEach((row, i) =>
      row.forEach((gain, j) => (best = !dead.has(i) && !dead.has(j) && gain < best.gain ? { gain, i, j } : best)),
    )
    if (best.i < 0) break
    const { i, j } = best
    clusters[j] = {
      members: [...clusters[j]!.members, ...clusters[i]!.members],
      voice: together(clusters[j]!.voice, clusters[i]!.voice),
    }
    dead.add(i)
    clusters.forEach((other, k) => {
      if (k === j || dead.has(k)) return
      gains[Math.max(j, k)]![Math.min(j, k)] = gainOfTwo(clusters[j]!.voice, other.voice)
    })
  }
  return clusters.filter((_, index) => !dead.has(index))
}

/** Below zero: one voice explains both. */
function gainOfTwo(first: Gaussian, second: Gaussian): number {
  const both = together(first, second)
  const fit =
    both.count * logDeterminant(both) - first.count * logDeterminant(first) - second.count * logDeterminant(second)
  const parameters = dimensions + (dimensions * (dimensions + 1)) / 2
  return fit / 2 - (penalty * parameters * Math.log(both.count)) / 2
}

function ownerOf(voice: Gaussian, clusters: readonly Cluster[]): { cluster: number; confidence: number } {
  if (voice.count < dimensions) return { cluster: 0, confidence: unheardConfidence }
  const costs = clusters.map((cluster) => gainOfTwo(voice, cluster.voice) / voice.count)
  const sorted = [...costs].sort((a, b) => a - b)
  const margin = sorted.length > 1 ? sorted[1]! - sorted[0]! : 1
  return { cluster: costs.indexOf(sorted[0]!), confidence: Math.min(0.95, 0.5 + 0.3 * margin) }
}

function indexesWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number[] {
  return items.flatMap((item, index) => (test(item) ? [index] : []))
}
