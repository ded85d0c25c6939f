import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { RecordingPart } from '../../../actors/run/state.ts'
import { redactionKinds } from '../../../actors/transcript/state.ts'
import type { FileResult } from '../../../actors/transcript/state.ts'

/** In samples, in order of time. */
interface Bleep {
  readonly from: number
  readonly to: number
}

/** Words are longer than their letters tell: what is heard of one before and behind its times. */
const marginSeconds = 0.2
const toneHz = 1_000
const toneLevel = 0.1
const marks: ReadonlySet<string> = new Set(redactionKinds.map((kind) => `[${kind}]`))

/**
 * Where a recording says what was taken out of its transcript, or may say it: what nobody wrote down, and what was not to be transcribed, is
 * not given out either.
 */
export function bleepsOf(
  { segments, gaps = [] }: Pick<FileResult, 'segments' | 'gaps'>,
  part?: RecordingPart,
): Bleep[] {
  const marked = segments.flatMap(({ words }) => words.filter(({ word }) => marks.has(word)))
  const hidden = [...marked, ...gaps].map(({ start, end }) => ({
    from: Math.floor((start - marginSeconds) * recogniserRate),
    to: Math.ceil((end + marginSeconds) * recogniserRate),
  }))
  return [...hidden, ...outside(part)].sort((one, other) => one.from - other.from)
}

function outside(part: RecordingPart | undefined): Bleep[] {
  if (!part) return []
  const before = { from: 0, to: Math.ceil(part.start * recogniserRate) }
  return part.end === undefined ? [before] : [before, { from: Math.floor(part.end * recogniserRate), to: Infinity }]
}

/** A block of the recording, which begins at the sample `at`, with a tone in the place of what is not to be heard. */
export function bleeped(samples: Float32Array, at: number, bleeps: readonly Bleep[]): Float32Array {
  const heard = Float32Array.from(samples)
  for (const { from, to } of bleeps)
    for (let place = Math.max(from, at); place < Math.min(to, at + samples.length); place += 1)
      heard[place - at] = toneLevel * Math.sin((2 * Math.PI * toneHz * place) / recogniserRate)
  return heard
}
