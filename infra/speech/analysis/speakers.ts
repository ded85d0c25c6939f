import type { CepstralFrames } from './cepstrum.ts'
import { clustersOf } from './clusters.ts'
import { gaussianOf, logDeterminant, logDeterminantTogether, momentsOf, together } from './gaussian.ts'
import type { Gaussian, Moments } from './gaussian.ts'
import { frameAt, framesPerSecond } from './prosody.ts'
import type { Seconds } from './prosody.ts'

/**
 * Who speaks when, by the audio of the voice alone: segments whose spectra one normal distribution describes about as well as
 * two belong together, so that nobody has to say how many speakers there are. Who knows it may: `wanted`. Speakers are numbered
 * in order of appearance, within one file. Short segments go to the voice that they fit best.
 */
export interface SpeakerGuess {
  readonly speaker: string
  readonly confidence: number
}

export function speakersOf(voices: readonly Gaussian[], wanted?: number): SpeakerGuess[] {
  if (wanted === 1) return voices.map(() => ({ speaker: nameOf(0), confidence: knownConfidence }))
  const clusters = clusteredVoices(voices, wanted)
  if (clusters.length === 0) return voices.map(() => ({ speaker: nameOf(0), confidence: unheardConfidence }))
  const clusterOf = new Map(clusters.flatMap(({ members }, at) => members.map((member) => [member, at])))
  const owners = voices.map((voice, at) => ownerOf(voice, clusters, clusterOf.get(at)))
  const order = Array.from(new Set(owners.map(({ cluster }) => cluster)))
  return owners.map(({ cluster, confidence }) => ({ speaker: nameOf(order.indexOf(cluster)), confidence }))
}

interface Cluster {
  readonly members: readonly number[]
  readonly voice: MeasuredVoice
}

function clusteredVoices(voices: readonly Gaussian[], wanted: number | undefined): Cluster[] {
  const long = indexesWhere(voices, ({ count }) => count >= clusteredFrames)
  const chosen = evenly(long, maxSegmentsClustered)
  const measures = chosen.map((index) => measured(momentsOf(voices[index]!)))
  const weights = measures.map(({ moments }) => moments.count)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return clustersOf({
    weights,
    distance: (one, other) => distanceOf(measures[one]!, measures[other]!),
    leastWeight: Math.max(leastSpeakerFrames, leastSpeakerShare * total),
    ...(wanted !== undefined && { wanted }),
  }).map((places) => ({
    members: places.map((place) => chosen[place]!),
    voice: measured(places.map((place) => measures[place]!.moments).reduce(together)),
  }))
}

/** At most so many, from the whole length: a speaker who joins in the last hour is found too. */
function evenly<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]!)
}

const clusteredFrames = 0.8 * framesPerSecond
const dimensions = 13
const maxSegmentsClustered = 400
const voiceWithinDb = 25
/** Whoever says less is taken for somebody else: a cough or a noise must not become a person. */
const leastSpeakerFrames = 1.5 * framesPerSecond
const leastSpeakerShare = 0.005
const unheardConfidence = 0.3
/** Nobody had to be told apart. */
const knownConfidence = 1

function nameOf(index: number): string {
  return `speaker_${index + 1}`
}

/** What is kept of a segment's voice: the spread of its spectra and its pitch where it is voiced. */
export function voiceOf({ prosody, cepstrum }: CepstralFrames, { start, end }: Seconds): Gaussian {
  const from = frameAt(prosody, start)
  const to = Math.min(cepstrum.frames, frameAt(prosody, end))
  const loudest = prosody.loudness.subarray(from, to).reduce((most, level) => Math.max(most, level), -100)
  const rows: Float32Array[] = []
  for (let frame = from; frame < to; frame += 1) {
    if (prosody.pitch[frame] === 0 || prosody.loudness[frame]! < loudest - voiceWithinDb) continue
    const row = new Float32Array(dimensions)
    row.set(cepstrum.at(frame).subarray(0, dimensions - 1))
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

const parameters = dimensions + (dimensions * (dimensions + 1)) / 2
/** What two samples of the same voice differ by, each parameter for itself, however long they are… */
const chanceApart = 2.25
/** …and what they differ by in each frame, because the words are others. Larger means fewer speakers. */
const wordsApart = 3.75

/** What two distributions gain over one, against what two sentences of one person gain: from 1 on they are two people. */
function distanceOf(first: MeasuredVoice, second: MeasuredVoice): number {
  const [one, other] = [first.moments.count, second.moments.count]
  const cost = (one + other) * logDeterminantTogether(first.moments, second.moments)
  const gain = (cost - first.cost - second.cost) / 2
  return gain / (chanceApart * parameters + (wordsApart * one * other) / (one + other))
}

interface Owner {
  readonly cluster: number
  readonly confidence: number
}

/** The cluster that a voice was put into, or the one that it fits best. */
function ownerOf(gaussian: Gaussian, clusters: readonly Cluster[], known: number | undefined): Owner {
  if (gaussian.count < dimensions) return { cluster: 0, confidence: unheardConfidence }
  const voice = measured(momentsOf(gaussian))
  const distances = clusters.map((cluster) => distanceOf(voice, cluster.voice))
  const cluster = known ?? distances.indexOf(Math.min(...distances))
  const others = distances.filter((_, at) => at !== cluster)
  const margin = others.length > 0 ? Math.min(...others) - distances[cluster]! : 1
  return { cluster, confidence: Math.max(unheardConfidence, Math.min(0.95, 0.5 + 0.3 * margin)) }
}

function indexesWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number[] {
  return items.flatMap((item, index) => (test(item) ? [index] : []))
}
