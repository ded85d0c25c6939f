import type { Voices } from '../../../actors/conversation/ports.ts'
import type { Log } from '../../../actors/ports.ts'
import type { SpeechEngine } from './engine.ts'
import { createESpeak } from './espeak/espeak.ts'
import { createLightEngine } from './light.ts'
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
  /** Which engine speaks; chosen when it is first asked for, or when the first clause is spoken. */
  engineName(): Promise<SpeechEngine['name']>
  /** Other names of a voice. */
  aliasesOf(id: string): readonly string[]
}

/** The voices of this machine. Nothing is started or measured before it is needed. */
export function openVoices(options: VoicesOptions): OpenVoices {
  const light = createLightEngine(createESpeak())
  options.log.debug('voices are open', { engine: light.name })
  const engine = async (): Promise<SpeechEngine> => light
  return {
    ...createVoices({ engine, recipes: roster, close: () => light.close() }),
    engineName: async () => (await engine()).name,
    aliasesOf: (id) => Object.keys(aliases).filter((alias) => aliases[alias] === id),
  }
}
