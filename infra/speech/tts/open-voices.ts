import type { Voices } from '../../../actors/conversation/ports.ts'
import type { Log } from '../../../actors/ports.ts'
import { systemClock } from '../../timing/clock.ts'
import { openStore } from '../models/open-store.ts'
import { voiceModels } from '../models/voice-models.ts'
import { openChosenEngine } from './chosen-engine.ts'
import type { VoiceEngine } from './engine.ts'
import { createESpeak } from './espeak/espeak.ts'
import { createLightEngine } from './light.ts'
import { createNeuralEngine } from './neural/engine.ts'
import { openKokoro } from './neural/model.ts'
import { readOwnVoices } from './own-voices.ts'
import { aliases, roster } from './roster.ts'
import { createVoices } from './voices.ts'

interface VoicesOptions {
  readonly engine: 'auto' | 'neural' | 'light'
  readonly cacheDir: string
  /** Empty when there is none. */
  readonly modelDir: string
  /** Voices of the operator's own; empty when there are none. */
  readonly voicesFile: string
  /** For those who listen while it is spoken: the light engine speaks until the choice is made, and where the neural one falls behind. */
  readonly lightMeanwhile?: boolean
  /** For those who write a file and can wait: the neural engine speaks wherever it is fetched, without a trial. */
  readonly isInNoHurry?: boolean
  readonly log: Log
}

export interface OpenVoices extends Voices {
  /** Which engine speaks: chosen by measuring when it is first asked for, or when the first clause is spoken. */
  engineName(): Promise<VoiceEngine['name']>
  /** Other names of a voice. */
  aliasesOf(id: string): readonly string[]
}

/** The voices of this machine. Nothing is started, loaded or measured before it is needed. */
export function openVoices({ engine: wanted, voicesFile, log, ...places }: VoicesOptions): OpenVoices {
  const closing = new AbortController()
  const recipes = [...roster, ...readOwnVoices(voicesFile)]
  const espeak = createESpeak()
  const light = createLightEngine(espeak)
  const store = openStore(places)
  const elapsedMs = (): number => systemClock.elapsedMs()
  const engine = openChosenEngine({
    wanted,
    light,
    isFetched: () => Promise.all(voiceModels.map(({ id }) => store.locate(id))).then(Boolean, () => false),
    openNeural: async () => createNeuralEngine(espeak, await openKokoro(store)),
    isInNoHurry: places.isInNoHurry ?? false,
    voice: recipes.find(({ language }) => language === 'en')!,
    signal: closing.signal,
    lightMeanwhile: places.lightMeanwhile ?? false,
    elapsedMs,
    log,
  })
  // whoever wants the neural voice and no other waits for it
  const live = { substitute: wanted === 'neural' ? undefined : light, elapsedMs, log }
  async function close(): Promise<void> {
    closing.abort(new Error('the voices were closed'))
    await engine.close()
    await espeak.close()
  }
  return {
    ...createVoices({ engine: () => engine.speaking(), recipes, ...(places.lightMeanwhile && { live }), close }),
    engineName: async () => (await engine.chosen()).name,
    aliasesOf: (id) => Object.keys(aliases).filter((alias) => aliases[alias] === id),
  }
}
