import { z } from 'zod'

import { openWorkerPool } from '../../threads/pool.ts'
import type { LanguageDetectorOptions, LanguageDetector, LanguageLikelihoods } from './identify.ts'

const likelihoodsSchema: z.ZodType<LanguageLikelihoods> = z.record(z.string(), z.number())

/**
 * A detector on a thread of its own, so that the event loop stays free. On one: it is asked about a few clips of a recording, for a fraction of what it took
 * to hear them, and each copy of its model takes a hundred megabytes.
 */
export async function openThreadedDetector(options: LanguageDetectorOptions): Promise<LanguageDetector> {
  const pool = await openWorkerPool<Float32Array, LanguageLikelihoods>({
    entry: new URL('./detector-worker.js', import.meta.url),
    workerData: options,
    size: 1,
    holdsModel: true,
    load: (clip) => {
      const samples = clip.slice()
      return { request: samples, moved: [samples.buffer] }
    },
    decode: (answer) => likelihoodsSchema.parse(answer),
  })
  return { identify: (samples) => pool.run(samples), close: () => pool.close() }
}
