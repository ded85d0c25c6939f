import { spokenRate } from '../../actors/conversation/ports.ts'
import type { SpokenClause } from '../../actors/conversation/ports.ts'
import { createOutputEncoder } from '../session/output/audio-out.ts'
import type { WireAudioFormat } from '../session/settings/settings.ts'

/** A piece of audio with the words that begin in it; times are in seconds of all that was sent. */
interface SpokenFrame {
  readonly audio: string
  readonly start: number
  readonly end: number
  readonly words: readonly { readonly text: string; readonly start: number; readonly end: number }[]
}

interface Frames {
  /** In order. A frame counts as sent when it is made: what is dropped before has no place in time. */
  of(clause: SpokenClause): Generator<() => SpokenFrame>
  /** The last few milliseconds, where another rate needs them; empty otherwise. */
  rest(): string
  /** Nothing of what was made before comes after it. */
  drop(): void
  /** Of all that was sent. */
  seconds(): number
}

const frameMs = 200
const frameSamples = (frameMs * spokenRate) / 1_000

export function openFrames(format: WireAudioFormat): Frames {
  let encoder = createOutputEncoder(format)
  let sent = 0
  return {
    *of({ samples, words }) {
      const from = sent
      const placed = words.map(({ text, startMs, endMs }) => ({
        text,
        start: placeOf(from, startMs),
        end: placeOf(from, endMs),
      }))
      const total = Math.max(1, Math.ceil(samples.length / frameSamples))
      for (let at = 0; at < total; at += 1)
        yield () => {
          const part = samples.subarray(at * frameSamples, (at + 1) * frameSamples)
          const start = toSeconds(sent)
          sent += part.length
          const end = toSeconds(sent)
          const [isFirst, isLast] = [at === 0, at === total - 1]
          const begun = placed.filter((word) => (isFirst || word.start >= start) && (isLast || word.start < end))
          return { audio: encoder.encode(part).toString('base64'), start, end, words: begun }
        }
    },
    rest: () => encoder.flush().toString('base64'),
    drop() {
      encoder = createOutputEncoder(format)
    },
    seconds: () => toSeconds(sent),
  }
}

function placeOf(fromSample: number, ms: number): number {
  return Math.round((fromSample * 1_000) / spokenRate + ms) / 1_000
}

/** To the millisecond. */
function toSeconds(samples: number): number {
  return Math.round((samples * 1_000) / spokenRate) / 1_000
}
