import { availableParallelism } from 'node:os'

import { openAnalyst } from './analysis/analyst.ts'
import { createRouter } from './asr/router.ts'
import { openModels } from './asr/open-models.ts'
import type { Profile } from './asr/profiles.ts'
import { createDecoder } from './audio/decode.ts'
import { createEngine } from './engine.ts'
import type { SpeechEngine } from './engine.ts'
import { fetchModel, openStore } from './open-store.ts'
import { openSilero } from './vad/silero.ts'
import type { StartProgress } from '../progress.ts'

export interface EngineOptions {
  readonly cacheDir: string
  /** Filled in advance, for machines without a network. */
  readonly modelDir: string
  readonly profile: Profile
  readonly startProgress: StartProgress
}

const vadModel = 'silero-vad'
/** Measuring a chunk takes half as long as recognising it with the fastest model. */
const analystsACore = 0.5

/** The engine with everything it needs, sized to this machine; models are fetched when they are first needed. */
export async function openEngine(options: EngineOptions): Promise<SpeechEngine> {
  const store = openStore(options)
  const cores = availableParallelism()
  const fetch = (id: string): Promise<void> => fetchModel(store, id, options.startProgress)
  await fetch(vadModel)
  const { files } = await store.locate(vadModel)
  const vad = await openSilero({ modelPath: Object.values(files)[0]! })
  const router = createRouter(openModels({ store, profile: options.profile, cores, fetch }))
  const analyst = await openAnalyst(Math.ceil(cores * analystsACore))
  return createEngine({ decoder: createDecoder(), vad, router, analyst, chunksInFlight: 2 * cores })
}
