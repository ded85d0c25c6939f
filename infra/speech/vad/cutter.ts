import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { energyOf } from './energy.ts'
import { raisedIfFaint } from './faint.ts'
import { defaultPlanOptions, planChunks } from './plan.ts'
import type { Chunk, PlanOptions } from './plan.ts'
import { defaultSegmentOptions, speechSpans, unsureSegmentOptions } from './segments.ts'
import type { SegmentOptions, Span } from './segments.ts'
import { speechProbabilities } from './silero.ts'
import type { VoiceActivity } from './silero.ts'

/** A chunk with its audio. Samples count from the start of the recording. */
export interface AudioChunk {
  readonly chunk: Chunk
  readonly samples: Float32Array
  /** Where in it there is speech, without the padding around it. */
  readonly speech: readonly Span[]
  /** Voice activity only suspects speech: words count where the recogniser is sure of them. */
  readonly unsure?: true
}

interface CutterOptions {
  readonly vad: VoiceActivity
  readonly segments?: SegmentOptions
  /** What is taken for speech in a stretch that has none otherwise. */
  readonly unsureSegments?: SegmentOptions
  readonly plan?: PlanOptions
  /** How much audio is looked at together: more makes no better chunks, and less costs more repetition. */
  readonly stretchSeconds?: number
  /** What the header of the recording says, which may be wrong. */
  readonly lastsSeconds?: number
  readonly signal?: AbortSignal
}

/** Turns a recording of any length into chunks while it arrives; it never holds more than a stretch of it. */
export interface Cutter {
  /** What comes before is in a chunk that is out, or silence; counted from the start of the recording. */
  readonly decidedSamples: number
  push(samples: Float32Array): Promise<AudioChunk[]>
  /** No more will come. */
  end(): Promise<AudioChunk[]>
  /** No chunk that is still to come begins before this sample of the recording. */
  readonly frontier: number
}

const defaultStretchSeconds = 240
/** So much of what a header says is believed: memory for more is taken when it arrives. */
const believedSeconds = 60
/** Heard again before the place where a stretch takes over, so that the network knows what came before. */
const warmUpSamples = 2 * recogniserRate

export function createCutter(options: CutterOptions): Cutter {
  const plan = options.plan ?? defaultPlanOptions
  const sureSegments = options.segments ?? defaultSegmentOptions
  const unsureSegments = options.unsureSegments ?? unsureSegmentOptions
  const stretch = (options.stretchSeconds ?? defaultStretchSeconds) * recogniserRate
  if (stretch < 2 * plan.windowSeconds * recogniserRate) throw new RangeError('a stretch must hold two windows')
  const first = Math.min(stretch, Math.ceil(Math.min(options.lastsSeconds ?? 0, believedSeconds) * recogniserRate))
  let decidedSamples = 0
  let held: Held = { samples: new Float32Array(0), length: 0, offset: 0, from: 0, ownFrom: 0 }

  async function cut(isEnd: boolean): Promise<AudioChunk[]> {
    const audio = held.samples.subarray(0, held.length)
    const energy = energyOf(audio)
    const probabilities = await speechProbabilities(options.vad, raisedIfFaint(audio, energy), options.signal)
    const spansBy = (segments: SegmentOptions): Span[] =>
      speechSpans(probabilities, audio.length, segments)
        .map(({ start, end }) => ({ start: Math.max(start, held.from), end }))
        .filter(({ start, end }) => end > start)
    const isSure = spansBy(sureSegments).length > 0
    const segments = isSure ? sureSegments : unsureSegments
    const spans = spansBy(segments)
    // a recogniser wants to hear what is around a word; a pause is what lies between words
    const bareSpans = spansBy({ ...segments, paddingSeconds: 0 })
    const planned = planChunks(spans, energy, { ...plan, speech: bareSpans })
    const open = isEnd ? undefined : unfinished(planned, audio.length - plan.maxSilenceSeconds * recogniserRate)
    const ready = open ? planned.slice(0, -1) : planned
    const chunks = ready.map((chunk, index): AudioChunk => ({
      ...audioOf(held, index === 0 ? owning(chunk, held.ownFrom) : chunk, bareSpans),
      ...(!isSure && { unsure: true }),
    }))
    const kept = carryOver(held, open, planned.at(-1)?.end ?? 0)
    decidedSamples = isEnd ? held.offset + held.length : kept.offset + kept.ownFrom
    held = kept
    return chunks
  }

  return {
    get decidedSamples() {
      return decidedSamples
    },
    async push(samples) {
      const chunks: AudioChunk[] = []
      for (let at = 0; at < samples.length;) {
        const piece = samples.subarray(at, at + stretch - held.length)
        held.samples = withRoom(held.samples, Math.max(first, held.length + piece.length), stretch)
        held.samples.set(piece, held.length)
        held.length += piece.length
        at += piece.length
        if (held.length === stretch) chunks.push(...(await cut(false)))
      }
      return chunks
    },
    end: () => cut(true),
    get frontier() {
      return held.offset + held.from
    },
  }
}

interface Held {
  samples: Float32Array
  length: number
  /** Of the first held sample, in the recording. */
  readonly offset: number
  /** Speech before this belongs to chunks that are out already; in held samples. */
  readonly from: number
  /** Where the first chunk of this stretch begins to answer for words; in held samples. */
  readonly ownFrom: number
}

/** Most recordings are far shorter than a stretch: memory grows with what arrives, and is copied a few times at most. */
function withRoom(samples: Float32Array, length: number, most: number): Float32Array {
  if (samples.length >= length) return samples
  const roomy = new Float32Array(Math.min(most, Math.max(2 * samples.length, length)))
  roomy.set(samples)
  return roomy
}

/** The last chunk, when what has not arrived yet may belong to it. */
function unfinished(planned: readonly Chunk[], quietFrom: number): Chunk | undefined {
  const last = planned.at(-1)
  return last && last.end > quietFrom ? last : undefined
}

function carryOver(held: Held, open: Chunk | undefined, spokenUntil: number): Held {
  // a word that has just begun is not yet known to be speech
  const from = open?.start ?? Math.max(spokenUntil, held.length - recogniserRate)
  const keptFrom = Math.max(0, from - warmUpSamples)
  held.samples.copyWithin(0, keptFrom, held.length)
  return {
    samples: held.samples,
    length: held.length - keptFrom,
    offset: held.offset + keptFrom,
    from: from - keptFrom,
    ownFrom: Math.max(open?.ownStart ?? from, from) - keptFrom,
  }
}

/** A monologue that was cut at the end of the last stretch goes on: up to the cut the chunk before answers. */
function owning(chunk: Chunk, ownFrom: number): Chunk {
  return chunk.start < ownFrom ? { ...chunk, ownStart: Math.min(ownFrom, chunk.ownEnd) } : chunk
}

function audioOf(held: Held, chunk: Chunk, spans: readonly Span[]): AudioChunk {
  const shift = ({ start, end }: Span): Span => ({ start: start + held.offset, end: end + held.offset })
  return {
    chunk: { ...shift(chunk), ownStart: chunk.ownStart + held.offset, ownEnd: chunk.ownEnd + held.offset },
    samples: held.samples.slice(chunk.start, chunk.end),
    speech: spans
      .filter(({ start, end }) => start < chunk.ownEnd && end > chunk.ownStart)
      .map(({ start, end }) => shift({ start: Math.max(start, chunk.ownStart), end: Math.min(end, chunk.ownEnd) })),
  }
}
