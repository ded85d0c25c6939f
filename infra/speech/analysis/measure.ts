import { soundOf } from './cepstrum.ts'
import type { Gaussian } from './gaussian.ts'
import { laughingTags } from './laughing.ts'
import { summarise } from './prosody.ts'
import type { ProsodySummary, Seconds } from './prosody.ts'
import { voicedWindowsOf } from './shouting.ts'
import type { VoicedWindow } from './shouting.ts'
import { voiceOf } from './speakers.ts'
import type { HeardWord, Tag } from './tag.ts'

/** What is kept of a chunk's sound once its samples are gone: plain JSON, a few kilobytes. Times are those of the file. */
export interface ChunkMeasures {
  readonly segments: readonly SegmentMeasures[]
  readonly laughing: readonly Tag[]
}

interface SegmentMeasures extends Seconds {
  readonly summary: ProsodySummary
  readonly voice: Gaussian
  readonly windows: readonly VoicedWindow[]
}

export interface Chunk {
  /** 16 kHz mono. */
  readonly samples: Float32Array
  readonly startSeconds: number
}

/** `segments` and `words` have times in the chunk, as the recogniser gives them. */
export function measureChunk(chunk: Chunk, segments: readonly Seconds[], words: readonly HeardWord[]): ChunkMeasures {
  const sound = soundOf(chunk.samples)
  const moved = <Span extends Seconds>(span: Span): Span => ({
    ...span,
    start: span.start + chunk.startSeconds,
    end: span.end + chunk.startSeconds,
  })
  return {
    segments: segments.map((segment) => ({
      ...moved({ start: segment.start, end: segment.end }),
      summary: summarise(sound.prosody, segment),
      voice: voiceOf(sound, segment),
      windows: voicedWindowsOf(sound.prosody, segment).map(moved),
    })),
    laughing: laughingTags(sound, words).map(moved),
  }
}
