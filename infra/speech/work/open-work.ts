import { openRecognition } from './open-recognition.ts'
import type { RecognitionOptions } from './open-recognition.ts'
import { composeWork } from './speech-work.ts'
import type { SpeechWork, WorkPorts } from './speech-work.ts'

interface SpeechWorkOptions extends RecognitionOptions, WorkPorts {
  /** `scripted` is for tests: recordings say what is cut and heard. */
  readonly recogniser: 'models' | 'scripted'
}

/** Everything that a worker does with audio, in whatever mode: what is not used is never opened. */
export async function openSpeechWork(options: SpeechWorkOptions): Promise<SpeechWork> {
  if (options.recogniser === 'models') return composeWork(openRecognition(options), options)
  // nothing of it is loaded where it is not asked for
  const { openScripted } = await import('../scripted/open-scripted.ts')
  return openScripted(options)
}
