import { z } from 'zod'

import { openWorkerPool } from '../../threads/pool.ts'
import type { LanguageDetectorOptions, LanguageDetector, LanguageLikelihoods } from './identify.ts'

const likelihoodsSchema: z.ZodType<LanguageLikelihoods> = z.record(z.string(), z.number())

/** A detector on threads of its own, so that the event loop stays free. */
export async function openThreadedDetector(options: LanguageDetectorOptions, lanes: number): Promise<LanguageDetector> {
  const pool = await openWorkerPool<Float32Array, LanguageLikelihoods>({
    entry: new URL('./detector-worker.js', import.meta.url),
    workerData: options,
    size: lanes,
    holdsModel: true,
    load: (clip) => {
      const samples = clip.slice()
      return { request: samples, moved: [samples.buffer] }
    },
    decode: (answer) => likelihoodsSchema.parse(answer),
  })
  return { identify: (samples) => pool.run(samples), close: () => pool.close() }
}
