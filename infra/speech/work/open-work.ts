import { openEars } from './open-recognition.ts'
import type { EarsOptions } from './open-recognition.ts'
import { composeWork } from './speech-work.ts'
import type { SpeechWork, WorkSurroundings } from './speech-work.ts'

interface SpeechWorkOptions extends EarsOptions, WorkSurroundings {
  /** `scripted` is for tests: recordings say what is cut and heard. */
  readonly recogniser: 'models' | 'scripted'
}

/** Everything that a worker does with sound, in whatever mode: what is not used is never opened. */
export async function openSpeechWork(options: SpeechWorkOptions): Promise<SpeechWork> {
  if (options.recogniser === 'models') return composeWork(openEars(options), options)
  // nothing of it is loaded where it is not asked for
  const { openScripted } = await import('../scripted/open-scripted.ts')
  return openScripted(options)
}
