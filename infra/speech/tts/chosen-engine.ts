import { lazily } from '../threads/lazily.ts'
import { chooseEngine } from './choose-engine.ts'
import type { VoiceEngineChoice } from './choose-engine.ts'
import type { VoiceEngine } from './engine.ts'

/** The engine that speaks, chosen when the first clause needs one. */
interface ChosenEngine {
  /** For whoever can wait until it is chosen. */
  chosen(): Promise<VoiceEngine>
  /** For the next clause. */
  speaking(): Promise<VoiceEngine>
  close(): Promise<void>
}

interface ChosenParts extends VoiceEngineChoice {
  /** The light engine speaks while the choice is made. */
  readonly lightMeanwhile: boolean
  readonly elapsedMs: () => number
}

/** A neural voice that is not here may be fetched while we run: it is looked for again as often as this. */
const lookAgainMs = 5_000

export function openChosenEngine({ lightMeanwhile, elapsedMs, ...choice }: ChosenParts): ChosenEngine {
  const { wanted, light, log } = choice
  let [isAbsent, lookedMs] = [false, 0]
  const isFetched = async (): Promise<boolean> => {
    lookedMs = elapsedMs()
    isAbsent = !(await choice.isFetched())
    return !isAbsent
  }
  const open = () => lazily(() => chooseEngine({ ...choice, isFetched }))
  let engine = open()
  let made: VoiceEngine | undefined
  const chosen = async (): Promise<VoiceEngine> => (made = await engine.get())

  async function lookAgain(): Promise<void> {
    if (!isAbsent || elapsedMs() - lookedMs < lookAgainMs || !(await isFetched())) return
    engine = open()
    made = undefined
  }

  return {
    async chosen() {
      await lookAgain()
      return chosen()
    },
    async speaking() {
      const looking = lookAgain()
      if (!lightMeanwhile) await looking
      if (made || wanted !== 'auto' || !lightMeanwhile) return chosen()
      chosen().catch((error: unknown) => log.warn('the neural voice could not be tried', { error }))
      return light
    },
    close: () => engine.close(),
  }
}
