import { join } from 'node:path'

import type { StartProgress } from '../progress.ts'
import { openModelStore } from './models/store.ts'
import type { ModelStore } from './models/store.ts'

export function openStore(of: { readonly cacheDir: string; readonly modelDir: string }): ModelStore {
  return openModelStore({
    cacheDir: join(of.cacheDir, 'models'),
    ...(of.modelDir !== '' && { modelDir: of.modelDir }),
  })
}

/** Shows a person what is being waited for; costs nothing when the model is here. */
export async function fetchModel(store: ModelStore, id: string, startProgress: StartProgress): Promise<void> {
  let progress: ReturnType<StartProgress> | undefined
  try {
    await store.fetch(id, ({ receivedBytes, totalBytes }) => {
      progress ??= startProgress(`fetching model ${id}`)
      progress.update(receivedBytes / totalBytes)
    })
    progress?.done()
  } catch (error) {
    progress?.fail()
    throw error
  }
}
