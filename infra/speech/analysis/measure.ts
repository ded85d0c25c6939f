import { cepstralFramesOf } from './cepstrum.ts'
import type { Gaussian } from './gaussian.ts'
import { laughingTags } from './laughing.ts'
import { summariseProsody } from './prosody.ts'
import type { ProsodySummary, Seconds } from './prosody.ts'
import { voicedWindowsOf } from './shouting.ts'
import type { VoicedWindow } from './shouting.ts'
import { voiceOf } from './speakers.ts'
import type { AnalysedWord } from './tag.ts'
import type { Tag } from '../../../actors/transcript/state.ts'

/** What is kept of a chunk's audio once its samples are gone: plain JSON, a few kilobytes. Times are those of the file. */
export interface ChunkMeasures {
  readonly segments: readonly SegmentMeasures[]
  readonly laughing: readonly Tag[]
}

interface SegmentMeasures extends Seconds {
  readonly summary: ProsodySummary
  readonly voice: Gaussian
  readonly windows: readonly VoicedWindow[]
}

interface MeasuredChunk {
  /** 16 kHz mono. */
  readonly samples: Float32Array
  readonly startSeconds: number
}

/** `segments` and `words` have times in the chunk, as the recogniser gives them. */
export function measureChunk(
  chunk: MeasuredChunk,
  segments: readonly Seconds[],
  words: readonly AnalysedWord[],
): ChunkMeasures {
  const audio = cepstralFramesOf(chunk.samples)
  const moved = <Span extends Seconds>(span: Span): Span => ({
    ...span,
    start: span.start + chunk.startSeconds,
    end: span.end + chunk.startSeconds,
  })
  return {
    segments: segments.map((segment) => ({
      ...moved({ start: segment.start, end: segment.end }),
      summary: summariseProsody(audio.prosody, segment),
      voice: voiceOf(audio, segment),
      windows: voicedWindowsOf(audio.prosody, segment).map(moved),
    })),
    laughing: laughingTags(audio, words).map(moved),
  }
}
