import { recogniserRate } from '../../../actors/conversation/ports.ts'

/** The voice activity network judges 32 ms at a time. */
export const vadFrameSamples = 512

/** A stretch of a recording in samples at 16 kHz, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface SegmentOptions {
  /** Speech begins at a frame at least this likely… */
  readonly onset: number
  /** …and ends after frames less likely than this, for `minSilenceSeconds`. */
  readonly offset: number
  readonly minSpeechSeconds: number
  readonly minSilenceSeconds: number
  /** Added at both ends of a span, up to the middle of the silence to its neighbour. */
  readonly paddingSeconds: number
}

export const defaultSegmentOptions: SegmentOptions = {
  onset: 0.5,
  offset: 0.35,
  minSpeechSeconds: 0.2,
  minSilenceSeconds: 0.3,
  paddingSeconds: 0.5,
}

/**
 * For a stretch in which nobody surely speaks: a very quiet recording reaches this where noise and tones do not. Whether it
 * was speech is for a recogniser to say.
 */
export const unsureSegmentOptions: SegmentOptions = { ...defaultSegmentOptions, onset: 0.2, offset: 0.12 }

/** Where there is speech: ordered, disjoint spans within the recording. */
export function speechSpans(
  probabilities: Float32Array,
  totalSamples: number,
  options: SegmentOptions = defaultSegmentOptions,
): Span[] {
  const minSpeech = options.minSpeechSeconds * recogniserRate
  const spans = rawSpans(probabilities, options)
    .map(({ start, end }) => ({ start, end: Math.min(end, totalSamples) }))
    .filter(({ start, end }) => end - start >= minSpeech)
  return padded(spans, totalSamples, Math.round(options.paddingSeconds * recogniserRate))
}

function rawSpans(probabilities: Float32Array, options: SegmentOptions): Span[] {
  const minSilenceFrames = Math.max(1, Math.round((options.minSilenceSeconds * recogniserRate) / vadFrameSamples))
  const spans: Span[] = []
  let start = -1
  let lastSpeech = -1
  const close = () => {
    if (start >= 0) spans.push({ start: start * vadFrameSamples, end: (lastSpeech + 1) * vadFrameSamples })
    start = -1
  }
  for (let frame = 0; frame < probabilities.length; frame++) {
    const likelihood = probabilities[frame]!
    if (start < 0 && likelihood >= options.onset) start = frame
    if (start >= 0 && likelihood >= options.offset) lastSpeech = frame
    if (start >= 0 && frame - lastSpeech >= minSilenceFrames) close()
  }
  close()
  return spans
}

function padded(spans: readonly Span[], totalSamples: number, padding: number): Span[] {
  return spans.map(({ start, end }, i) => {
    const before = spans[i - 1]?.end
    const after = spans[i + 1]?.start
    const earliest = before === undefined ? 0 : Math.ceil((before + start) / 2)
    const latest = after === undefined ? totalSamples : Math.ceil((end + after) / 2)
    return { start: Math.max(earliest, start - padding), end: Math.min(latest, end + padding) }
  })
}
