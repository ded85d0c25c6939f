import type { Voices } from '../../../actors/conversation/ports.ts'
import { createESpeak } from './espeak/espeak.ts'
import { createLightEngine } from './light.ts'
import { roster } from './roster.ts'
import { createVoices } from './voices.ts'

/** The voices of this machine. Nothing is started before the first clause is spoken. */
export function openVoices(): Voices {
  const light = createLightEngine(createESpeak())
  return createVoices({ engine: async () => light, recipes: roster, close: () => light.close() })
}
