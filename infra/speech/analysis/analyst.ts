import type { Word } from '../asr/recogniser.ts'
import { openWorkerPool } from '../threads/pool.ts'
import { sentencesOf } from '../transcript/sentences.ts'
import type { ChunkMeasures } from './measure.ts'
import type { MeasureRequest } from './worker.ts'

/** Measures the audio of a chunk, sentence by sentence, on threads of its own. */
export interface Analyst {
  measure(samples: Float32Array, startSeconds: number, words: readonly Word[]): Promise<ChunkMeasures>
  close(): Promise<void>
}

/** Measuring a chunk takes half as long as recognising it with the fastest model. */
const lanesACore = 0.5

export async function openAnalyst(cores: number): Promise<Analyst> {
  const pool = await openWorkerPool<MeasureRequest, ChunkMeasures>({
    entry: new URL('./worker.js', import.meta.url),
    workerData: undefined,
    size: Math.ceil(cores * lanesACore),
    load: (request) => {
      const samples = request.samples.slice()
      return { request: { ...request, samples }, moved: [samples.buffer] }
    },
    decode: (answer) => answer as ChunkMeasures, // as: our own thread made it, and it is only numbers
  })
  return {
    measure: (samples, startSeconds, words) => {
      const segments = sentencesOf(words).map((sentence) => ({ start: sentence[0]!.start, end: sentence.at(-1)!.end }))
      return pool.run({ samples, startSeconds, segments, words: [...words] })
    },
    close: () => pool.close(),
  }
}
