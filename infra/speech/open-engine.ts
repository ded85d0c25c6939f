import { availableParallelism } from 'node:os'

import { openAnalyst } from './analysis/analyst.ts'
import { createRouter } from './asr/router.ts'
import { openModels } from './asr/open-models.ts'
import type { Profile } from './asr/profiles.ts'
import { createDecoder } from './audio/decode.ts'
import { createEngine } from './engine.ts'
import type { SpeechEngine } from './engine.ts'
import { fetchModel, openStore } from './open-store.ts'
import { openVad } from './open-vad.ts'
import type { StartProgress } from '../progress.ts'

export interface EngineOptions {
  readonly cacheDir: string
  /** Filled in advance, for machines without a network. */
  readonly modelDir: string
  readonly profile: Profile
  readonly startProgress: StartProgress
}

/** The engine with everything it needs, sized to this machine; models are fetched when they are first needed. */
export async function openEngine(options: EngineOptions): Promise<SpeechEngine> {
  const store = openStore(options)
  const cores = availableParallelism()
  const fetch = (id: string): Promise<void> => fetchModel(store, id, options.startProgress)
  const vad = await openVad(store, fetch)
  const router = createRouter(openModels({ store, cores, fetch }).of(options.profile))
  const analyst = await openAnalyst(cores)
  return createEngine({ decoder: createDecoder(), vad, router, analyst, chunksInFlight: 2 * cores })
}
