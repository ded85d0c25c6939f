import type { Log } from '../../../actors/ports.ts'
import { voiceModels } from '../models/voice-models.ts'
import type { VoiceEngine } from './engine.ts'
import type { VoiceRecipe } from './roster.ts'
import { spokenText } from './spoken-text.ts'
import { spokenRate } from '../../../actors/conversation/ports.ts'

export interface VoiceEngineChoice {
  readonly wanted: 'auto' | 'neural' | 'light'
  readonly light: VoiceEngine
  /** Whether the neural voice is here to be opened. */
  isFetched(): Promise<boolean>
  openNeural(): Promise<VoiceEngine>
  /** Whether nobody listens while it speaks: then the better voice is taken, however slow, and no time goes into a trial. */
  readonly isInNoHurry: boolean
  readonly voice: VoiceRecipe
  /** Aborted when nobody waits for the choice any more. */
  readonly signal: AbortSignal
  readonly log: Log
}

/** Speech that takes longer to make than this share of its length would stutter when anything else runs. */
const realTimeFactorMax = 0.8
const fetchCommand = `vaak models fetch ${voiceModels.map(({ id }) => id).join(' ')}`
const trial = 'This sentence is spoken to see how fast this machine is.'

/** Decides by measuring this machine, and says so in the log. */
export async function chooseEngine(choice: VoiceEngineChoice): Promise<VoiceEngine> {
  const { wanted, light, log } = choice
  if (wanted === 'light')
    return told(light, log, { why: 'TTS_ENGINE=light', realTimeFactor: await factorOf(choice, light) })
  if (wanted === 'auto' && !(await choice.isFetched()))
    return told(light, log, { why: 'the neural voice is not fetched', fetch: fetchCommand })
  const neural = await choice.openNeural()
  if (choice.isInNoHurry) return told(neural, log, { why: 'it is fetched, and there is time' })
  const realTimeFactor = await measured(choice, neural)
  if (wanted === 'neural') return told(neural, log, { why: 'TTS_ENGINE=neural', realTimeFactor })
  if (realTimeFactor <= realTimeFactorMax) return told(neural, log, { why: 'it is fast enough here', realTimeFactor })
  await neural.close()
  return told(light, log, { why: 'the neural voice is too slow here', realTimeFactor, realTimeFactorMax })
}

function told(engine: VoiceEngine, log: Log, facts: Record<string, unknown>): VoiceEngine {
  log.info('voice engine chosen', { engine: engine.name, ...facts })
  return engine
}

/** Twice: the first run allocates and is no measure. */
async function measured(choice: VoiceEngineChoice, neural: VoiceEngine): Promise<number> {
  try {
    await factorOf(choice, neural)
    return await factorOf(choice, neural)
  } catch (error) {
    await neural.close()
    throw error
  }
}

async function factorOf({ voice, signal }: VoiceEngineChoice, engine: VoiceEngine): Promise<number> {
  const options = { voice, speed: 1, signal }
  const fromMs = performance.now()
  const { samples } = await engine.say(spokenText(trial, 'en'), options)
  const seconds = (performance.now() - fromMs) / 1_000
  return Number(((seconds * spokenRate) / Math.max(1, samples.length)).toFixed(3))
}
