import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { LocatedModel } from '../../../infra/speech/models/model.ts'
import type { BenchListener } from './listener.ts'

interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  readonly pipeline: (task: string, model: string, options: object) => Promise<Pipeline>
}

interface Pipeline {
  (samples: Float32Array, options: object): Promise<{ text: string }>
  dispose(): Promise<unknown>
}

/** @huggingface/transformers, on our weights. */
export async function openTransformers(
  { from, model, language }: { readonly from: string; readonly model: LocatedModel; readonly language: string },
  threads: number,
): Promise<BenchListener> {
  const entry = join(resolve(from), 'node_modules', '@huggingface', 'transformers', 'dist', 'transformers.node.mjs')
  const { env, pipeline } = (await import(pathToFileURL(entry).href)) as Transformers // as: installed elsewhere
  const folder = dirname(model.files['config.json']!)
  env.allowRemoteModels = false
  env.localModelPath = dirname(folder)
  const recognise = await pipeline('automatic-speech-recognition', basename(folder), {
    dtype: 'q8',
    device: 'cpu',
    session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
  })
  return {
    async hear(clip) {
      const { text } = await recognise(clip, { language, task: 'transcribe' })
      return text
    },
    async close() {
      await recognise.dispose()
    },
  }
}
