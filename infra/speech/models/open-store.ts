import { join } from 'node:path'

import type { StartProgress } from '../../telemetry/progress.ts'
import { openModelStore } from './store.ts'
import type { ModelStore } from './store.ts'

export interface ModelSources {
  readonly cacheDir: string
  /** Filled in advance, for machines without a network; empty when there is none. */
  readonly modelDir: string
  /** The address of a mirror of the hub; the hub itself when left out or empty. */
  readonly hub?: string
}

export function openStore({ cacheDir, modelDir, hub = '' }: ModelSources): ModelStore {
  return openModelStore({
    cacheDir: join(cacheDir, 'models'),
    ...(modelDir !== '' && { modelDir }),
    ...(hub !== '' && { hub }),
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
