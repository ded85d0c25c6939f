import { recogniserRate } from '../../../actors/conversation/ports.ts'
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
  /** Without the padding around it: tells how long the pauses are. Else what lies between the spans counts as one. */
  readonly speech?: readonly Span[]
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
  const window = Math.floor(options.windowSeconds * recogniserRate)
  const overlap = Math.floor(Math.min(options.overlapSeconds * recogniserRate, window / 4))
  const pieces = spans.flatMap((span) => cutMonologue(span, energy, { window, overlap }))
  return pack(pieces, { window, maxSilence: options.maxSilenceSeconds * recogniserRate, speech: options.speech ?? [] })
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

interface Packing {
  readonly window: number
  readonly maxSilence: number
  readonly speech: readonly Span[]
}

/** A pause of this length separates sentences: to cut there costs nothing. */
const easyPauseSeconds = 1
/** What a cut costs where there is no pause, in chunks: one more is heard rather than a sentence in two halves. */
const hardCutCost = 1.5

/**
 * Neighbours go into one chunk while they fit, so that a recogniser with a fixed window is not run for every "yes". Of
 * the ways to do so the one whose cuts lie in the longest pauses.
 */
function pack(pieces: readonly Chunk[], { window, maxSilence, speech }: Packing): Chunk[] {
  const ways: { readonly cost: number; readonly from: number }[] = [{ cost: 0, from: 0 }]
  for (let to = 1; to <= pieces.length; to++) {
    const cutCost = to < pieces.length ? costOfCut(pieces[to - 1]!, pieces[to]!, speech) : 0
    let best = { cost: Infinity, from: to - 1 }
    for (let from = to - 1; from >= 0; from--) {
      const isOne = from === to - 1 || pieces[from + 1]!.start - pieces[from]!.end <= maxSilence
      if (!isOne || (from < to - 1 && pieces[to - 1]!.end - pieces[from]!.start > window)) break
      const cost = ways[from]!.cost + 1 + cutCost
      if (cost < best.cost) best = { cost, from }
    }
    ways.push(best)
  }
  const chunks: Chunk[] = []
  for (let to = pieces.length; to > 0; to = ways[to]!.from) {
    const { start, ownStart } = pieces[ways[to]!.from]!
    const { end, ownEnd } = pieces[to - 1]!
    chunks.unshift({ start, end, ownStart, ownEnd })
  }
  return chunks
}

function costOfCut(before: Chunk, after: Chunk, speech: readonly Span[]): number {
  const cut = (before.ownEnd + after.ownStart) / 2
  const next = speech.findIndex(({ end }) => end > cut)
  const [from, to] = [speech[next - 1]?.end ?? before.ownEnd, speech[next]?.start ?? after.ownStart]
  const pauseSeconds = from <= cut && cut <= to ? (to - from) / recogniserRate : 0
  return hardCutCost * Math.max(0, 1 - pauseSeconds / easyPauseSeconds)
}
