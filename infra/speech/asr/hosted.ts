import { z } from 'zod'

import { openWorkerPool } from '../threads/pool.ts'
import type { LanguageLikelihoods } from './choose-route.ts'
import type { Hosted, HostedRequest } from './hosted-worker.ts'
import type { Recogniser, Transcript } from './recogniser.ts'
import { transcriptSchema } from './transcript-schema.ts'
import type { LanguageDetector } from './whisper/identify.ts'

/** Models that hold the thread they compute on live in threads of their own, one clip at a time. */
export interface Hosting {
  readonly hosted: Hosted
  /** Threads, each with a copy of the model. */
  readonly workers: number
}

const entry = new URL('./hosted-worker.js', import.meta.url)
const likelihoodsSchema: z.ZodType<LanguageLikelihoods> = z.record(z.string(), z.number())

export async function openHostedRecogniser(
  of: Hosting & { readonly id: string; readonly languages: readonly string[]; readonly windowSeconds: number },
): Promise<Recogniser> {
  const pool = await openWorkerPool<HostedRequest, Transcript>({
    entry,
    workerData: of.hosted,
    size: of.workers,
    decode: (answer) => transcriptSchema.parse(answer),
  })
  return {
    id: of.id,
    languages: of.languages,
    windowSeconds: of.windowSeconds,
    transcribe: (clips, { language, hotwords = [], signal }) =>
      Promise.all(
        clips.map((samples) => pool.run({ samples, hotwords, ...(language !== undefined && { language }) }, signal)),
      ),
    close: () => pool.close(),
  }
}

export async function openHostedDetector(of: Hosting): Promise<LanguageDetector> {
  const pool = await openWorkerPool<HostedRequest, LanguageLikelihoods>({
    entry,
    workerData: of.hosted,
    size: of.workers,
    decode: (answer) => likelihoodsSchema.parse(answer),
  })
  return { identify: (samples) => pool.run({ samples, hotwords: [] }), close: () => pool.close() }
}
