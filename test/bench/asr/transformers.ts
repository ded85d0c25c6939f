import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { LocatedModel } from '../../../infra/speech/models/model.ts'
import type { Contestant } from './race.ts'

interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  readonly pipeline: (task: string, model: string, options: object) => Promise<Pipeline>
}

interface Pipeline {
  (samples: Float32Array, options: object): Promise<{ text: string }>
  dispose(): Promise<unknown>
}

/** @huggingface/transformers as npm installed it in `rivals`, on our weights. */
export async function openTransformers(
  rivals: string,
  model: LocatedModel,
  options: { readonly language: string; readonly threads: number },
): Promise<Contestant> {
  const { language, threads } = options
  const entry = join(resolve(rivals), 'node_modules', '@huggingface', 'transformers', 'dist', 'transformers.node.mjs')
  const { env, pipeline } = (await import(pathToFileURL(entry).href)) as Transformers
  const folder = dirname(model.files['config.json']!)
  env.allowRemoteModels = false
  env.localModelPath = dirname(folder)
  const recognise = await pipeline('automatic-speech-recognition', basename(folder), {
    dtype: 'q8',
    device: 'cpu',
    session_options: { intraOpNumThreads: threads },
  })
  return {
    name: `transformers, ${threads} threads`,
    guard: 'none',
    atOnce: 1,
    async hear([clip]) {
      const { text } = await recognise(clip!, { language, task: 'transcribe' })
      return [text]
    },
    async close() {
      await recognise.dispose()
    },
  }
}
