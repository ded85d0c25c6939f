import type { Voices } from '../../../actors/conversation/ports.ts'
import type { Log } from '../../../actors/ports.ts'
import { lazily } from '../lazily.ts'
import { openStore } from '../open-store.ts'
import { chooseEngine } from './choose-engine.ts'
import type { SpeechEngine } from './engine.ts'
import { createESpeak } from './espeak/espeak.ts'
import { createLightEngine } from './light.ts'
import { createNeuralEngine } from './neural/engine.ts'
import { openKokoro, stylesModel, weightsModel } from './neural/model.ts'
import { readOwnVoices } from './own-voices.ts'
import { aliases, roster } from './roster.ts'
import { createVoices } from './voices.ts'

export interface VoicesOptions {
  readonly engine: 'auto' | 'neural' | 'light'
  readonly cacheDir: string
  /** Empty when there is none. */
  readonly modelDir: string
  /** Voices of the operator's own; empty when there are none. */
  readonly voicesFile: string
  readonly log: Log
}

export interface OpenVoices extends Voices {
  /** Which engine speaks: chosen by measuring when it is first asked for, or when the first clause is spoken. */
  engineName(): Promise<SpeechEngine['name']>
  /** Other names of a voice. */
  aliasesOf(id: string): readonly string[]
}

/** The voices of this machine. Nothing is started, loaded or measured before it is needed. */
export function openVoices({ engine: wanted, voicesFile, log, ...places }: VoicesOptions): OpenVoices {
  const recipes = [...roster, ...readOwnVoices(voicesFile)]
  const espeak = createESpeak()
  const light = createLightEngine(espeak)
  const store = openStore(places)
  const isHere = (id: string): Promise<boolean> => store.locate(id).then(Boolean, () => false)
  const engine = lazily(() =>
    chooseEngine({
      wanted,
      light,
      isFetched: async () => (await isHere(weightsModel)) && (await isHere(stylesModel)),
      openNeural: async () => createNeuralEngine(espeak, await openKokoro(store)),
      voice: recipes.find(({ language }) => language === 'en')!,
      log,
    }),
  )
  async function close(): Promise<void> {
    await engine.close()
    await espeak.close()
  }
  return {
    ...createVoices({ engine: () => engine.get(), recipes, close }),
    engineName: async () => (await engine.get()).name,
    aliasesOf: (id) => Object.keys(aliases).filter((alias) => aliases[alias] === id),
  }
}
