import { availableParallelism } from 'node:os'

import type { StartProgress } from '../../telemetry/progress.ts'
import { openAnalyst } from '../analysis/analyst.ts'
import { locateWhisper, openModels } from '../asr/open-models.ts'
import { modelsFor } from '../asr/profiles.ts'
import type { Profile } from '../../../actors/run/state.ts'
import { createRouter } from '../asr/router.ts'
import { createDecoder, defaultDecoderLimits } from '../audio/decode.ts'
import { fetchModel, openStore } from '../models/open-store.ts'
import type { ModelSources } from '../models/open-store.ts'
import { createPunctuator } from '../punctuation/punctuator.ts'
import { openVad } from '../vad/open-vad.ts'
import { createEngine } from './engine.ts'
import type { SpeechEngine } from './engine.ts'

interface EngineOptions extends ModelSources {
  readonly profile: Profile
  /** Hears everything instead of the models of the profile; the profile decides when left out or empty. */
  readonly whisperModel?: string
  readonly startProgress: StartProgress
  /** How many files its owner will have transcribed together; one unless told. */
  readonly filesAtOnce?: number
}

/** Each has a decoder process and a few minutes of audio. */
const filesAtOnceMax = 16

/** As many as keep this machine busy also when each is a single chunk; more would only take memory. */
export function filesAtOnce(): number {
  return Math.min(availableParallelism() + 1, filesAtOnceMax)
}

/** The engine with everything it needs, sized to this machine; models are fetched when they are first needed. */
export async function openEngine(options: EngineOptions): Promise<SpeechEngine> {
  const { profile, whisperModel = '' } = options
  const store = openStore(options)
  const cores = availableParallelism()
  const fetch = (id: string): Promise<void> => fetchModel(store, id, options.startProgress)
  // a wrong name is told at once, not when the first chunk needs the model
  if (whisperModel !== '') await locateWhisper({ store, fetch }, whisperModel)
  const models = openModels({ store, cores, fetch }).of(modelsFor(profile, whisperModel))
  const punctuator = createPunctuator({ store, fetch })
  const [vad, analyst] = await Promise.all([openVad(store, fetch), openAnalyst(cores)])
  const files = options.filesAtOnce ?? 1
  // a process that is being ended still counts as one for a moment
  const processes = Math.max(defaultDecoderLimits.processes, 2 * files)
  const decoder = createDecoder({ processes, idleProcesses: files })
  return createEngine({
    decoder,
    vad,
    router: createRouter(models),
    punctuator,
    analyst,
    chunksInFlight: 2 * cores,
    prepare({ language }) {
      const opening = [language === undefined ? models.first() : models.recogniser(language), punctuator.prepare()]
      // whoever hears with it is told why it could not be opened
      for (const one of opening) one.catch(() => undefined)
    },
  })
}
