import { sampleRate } from '../audio/mel.ts'
import { quietestSample } from './energy.ts'
import type { Span } from './segments.ts'

/**
 * A piece of the recording for one run of a recogniser. It is heard from `start` to `end` and answers for the words
 * from `ownStart` to `ownEnd`; what it hears beyond that is there so that no word is cut at the edge (see join.ts).
 */
export interface Chunk extends Span {
  readonly ownStart: number
  readonly ownEnd: number
}

export interface PlanOptions {
  /** The longest chunk: what the recogniser takes at once. */
  readonly windowSeconds: number
  /** How much two chunks share where a monologue had to be cut. */
  readonly overlapSeconds: number
  /** A longer silence is never part of a chunk. */
  readonly maxSilenceSeconds: number
}

export const defaultPlanOptions: PlanOptions = { windowSeconds: 28, overlapSeconds: 2, maxSilenceSeconds: 4 }

/** The earliest place for a cut, as a share of the window: the chunks of a monologue are at least that long. */
const earliestCut = 0.6
/** What is left after a cut, as a share of the window: a chunk of half a second is seldom understood. */
const shortestRest = 0.25

/** Chunks that together hear all speech, in order, none longer than the window; silence alone yields none. */
export function planChunks(
  spans: readonly Span[],
  energy: Float32Array,
  options: PlanOptions = defaultPlanOptions,
): Chunk[] {
  const window = Math.floor(options.windowSeconds * sampleRate)
  const overlap = Math.floor(Math.min(options.overlapSeconds * sampleRate, window / 4))
  const pieces = spans.flatMap((span) => cutMonologue(span, energy, { window, overlap }))
  return pack(pieces, window, options.maxSilenceSeconds * sampleRate)
}

function cutMonologue(span: Span, energy: Float32Array, limits: { window: number; overlap: number }): Chunk[] {
  const { window, overlap } = limits
  const half = Math.floor(overlap / 2)
  const chunks: Chunk[] = []
  let { start } = span
  let ownStart = start
  while (span.end - start > window) {
    const latest = Math.min(start + window - half, span.end - Math.ceil(window * shortestRest))
    const cut = quietestSample(energy, start + Math.ceil(window * earliestCut), latest)
    chunks.push({ start, end: cut + half, ownStart, ownEnd: cut })
    start = cut - half
    ownStart = cut
  }
  return [...chunks, { start, end: span.end, ownStart, ownEnd: span.end }]
}

/** Neighbours go into one chunk while they fit, so that a recogniser with a fixed window is not run for every "yes". */
function pack(pieces: readonly Chunk[], window: number, maxSilence: number): Chunk[] {
  const chunks: Chunk[] = []
  for (const piece of pieces) {
    const last = chunks.at(-1)
    const fits = last && piece.end - last.start <= window && piece.start - last.end <= maxSilence
    if (fits) chunks[chunks.length - 1] = { ...last, end: piece.end, ownEnd: piece.ownEnd }
    else chunks.push(piece)
  }
  return chunks
}
