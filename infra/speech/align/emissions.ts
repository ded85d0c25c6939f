import { z } from 'zod'

/** What a CTC model hears in a piece of a recording, frame by frame: how likely each of its symbols is. Plain JSON: it is stored. */
export interface Emissions {
  /** What the columns mean; the blank comes first. */
  readonly symbols: readonly string[]
  /** Seconds of the recording. */
  readonly start: number
  readonly secondsAFrame: number
  /** Rows of log-probabilities, a byte each, in base64. */
  readonly rows: string
}

export const emissionsSchema: z.ZodType<Emissions> = z.object({
  symbols: z.array(z.string()),
  start: z.number(),
  secondsAFrame: z.number(),
  rows: z.string(),
})

/** Of a nat: what is finer is noise. The least that fits into a byte is e to the power of -16. */
const steps = 16
const most = 255

export function packRows(logProbs: Float32Array): string {
  return Buffer.from(Uint8Array.from(logProbs, (value) => Math.min(Math.round(-value * steps), most))).toString(
    'base64',
  )
}

/** Pieces one after the other, silence between them left out. */
export interface Timeline {
  readonly symbols: readonly string[]
  readonly frames: number
  /** Log-probabilities, a row a frame. */
  readonly rows: Float32Array
  /** When each frame begins, in seconds of the recording. */
  readonly starts: Float64Array
  readonly secondsAFrame: number
}

/** All of one model: those of different ones would not mean the same. */
export function timelineOf(pieces: readonly Emissions[]): Timeline {
  const ordered = pieces.toSorted((one, other) => one.start - other.start)
  const { symbols = [], secondsAFrame = 0 } = ordered[0] ?? {}
  if (ordered.some((piece) => piece.symbols.join() !== symbols.join()))
    throw new Error('parts of this recording were heard by models with different letters')
  const bytes = ordered.map(({ rows }) => Buffer.from(rows, 'base64'))
  const starts = ordered.flatMap((piece, at) =>
    Array.from({ length: bytes[at]!.length / symbols.length }, (_, frame) => piece.start + frame * piece.secondsAFrame),
  )
  return {
    symbols,
    frames: starts.length,
    rows: Float32Array.from(Buffer.concat(bytes), (value) => -value / steps),
    starts: Float64Array.from(starts),
    secondsAFrame,
  }
}
