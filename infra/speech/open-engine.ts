import { availableParallelism } from 'node:os'

import { terminal } from '../../actors/failure.ts'
import type { StartProgress } from '../progress.ts'
import { openAnalyst } from './analysis/analyst.ts'
import { createRouter } from './asr/router.ts'
import { isWhisper } from './asr/files.ts'
import { openModels } from './asr/open-models.ts'
import { modelsOf, onlyModel } from './asr/profiles.ts'
import type { Profile } from './asr/profiles.ts'
import { createDecoder, defaultDecoderLimits } from './audio/decode.ts'
import { createEngine } from './engine.ts'
import type { SpeechEngine } from './engine.ts'
import type { ModelStore } from './models/store.ts'
import { fetchModel, openStore } from './open-store.ts'
import type { StoreOptions } from './open-store.ts'
import { openSilero } from './vad/silero.ts'

export interface EngineOptions extends StoreOptions {
  readonly profile: Profile
  /** Hears everything instead of the models of the profile; the profile decides when left out or empty. */
  readonly whisperModel?: string
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
  const { whisperModel = '' } = options
  if (whisperModel !== '') await refuseOtherKinds(store, whisperModel, fetch)
  await fetch(vadModel)
  const located = await store.locate(vadModel)
  const vad = await openSilero({ modelPath: Object.values(located.files)[0]! })
  const models = whisperModel === '' ? modelsOf[options.profile] : onlyModel(whisperModel)
  const router = createRouter(openModels({ store, models, cores, fetch }))
  const analyst = await openAnalyst(cores)
  const files = options.filesAtOnce ?? 1
  // a process that is being ended still counts as one for a moment
  const processes = Math.max(defaultDecoderLimits.processes, 2 * files)
  const decoder = createDecoder({ processes, idleProcesses: files })
  return createEngine({ decoder, vad, router, analyst, chunksInFlight: 2 * cores })
}

/** A wrong name is told at once, not when the first chunk needs the model. */
async function refuseOtherKinds(store: ModelStore, id: string, fetch: (id: string) => Promise<void>): Promise<void> {
  await fetch(id)
  if (isWhisper(await store.locate(id))) return
  throw terminal('invalid_request', `model ${id} is no Whisper model; "vaak models list" shows those that there are`)
}
