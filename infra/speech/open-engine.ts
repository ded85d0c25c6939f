import { availableParallelism } from 'node:os'

import { openAnalyst } from './analysis/analyst.ts'
import { createRouter } from './asr/router.ts'
import { openModels } from './asr/open-models.ts'
import type { Profile } from './asr/profiles.ts'
import { createDecoder, defaultDecoderLimits } from './audio/decode.ts'
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
  /** How many files its owner will have transcribed together; one unless told. */
  readonly filesAtOnce?: number
}

const vadModel = 'silero-vad'
/** Each has a decoder process and a few minutes of sound. */
const filesAtOnceMax = 16

/** As many as keep this machine busy also when each is a single chunk; more would only take memory. */
export function filesAtOnce(): number {
  return Math.min(availableParallelism() + 1, filesAtOnceMax)
}

/** The engine with everything it needs, sized to this machine; models are fetched when they are first needed. */
export async function openEngine(options: EngineOptions): Promise<SpeechEngine> {
  const store = openStore(options)
  const cores = availableParallelism()
  const fetch = (id: string): Promise<void> => fetchModel(store, id, options.startProgress)
  await fetch(vadModel)
  const located = await store.locate(vadModel)
  const vad = await openSilero({ modelPath: Object.values(located.files)[0]! })
  const router = createRouter(openModels({ store, profile: options.profile, cores, fetch }))
  const analyst = await openAnalyst(cores)
  const files = options.filesAtOnce ?? 1
  // a process that is being ended still counts as one for a moment
  const processes = Math.max(defaultDecoderLimits.processes, 2 * files)
  const decoder = createDecoder({ processes, idleProcesses: files })
  return createEngine({ decoder, vad, router, analyst, chunksInFlight: 2 * cores })
}
