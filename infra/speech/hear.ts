import { setMaxListeners } from 'node:events'

import type { Analyst } from './analysis/analyst.ts'
import type { HearOptions, Router } from './asr/router.ts'
import type { HeardChunk } from './assemble.ts'
import { sampleRate } from './audio/mel.ts'
import type { ChannelChunk } from './cut.ts'

export interface HearParts {
  readonly router: Router
  readonly analyst: Analyst
}

/** The words of one chunk, and what its sound says besides. */
export async function hearChunk(parts: HearParts, audio: ChannelChunk, options: HearOptions): Promise<HeardChunk> {
  const { chunk, channel, samples, speech } = audio
  // every clip that waits for a thread listens: many at once are no leak
  if (options.signal) setMaxListeners(0, options.signal)
  const { transcript, model } = await parts.router.hear(samples, options)
  const measures = await parts.analyst.measure(samples, chunk.start / sampleRate, transcript.words)
  return { chunk, channel, model, transcript, speech, measures }
}
