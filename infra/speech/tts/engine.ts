import type { VoiceRecipe } from './roster.ts'
import type { SpokenText } from './spoken-text.ts'

/** Makes sound of one clause at a time, off the event loop. */
export interface SpeechEngine {
  readonly name: 'neural' | 'light'
  say(clause: SpokenText, manner: EngineManner): Promise<Said>
  close(): Promise<void>
}

export interface EngineManner {
  readonly voice: VoiceRecipe
  readonly speed: number
  readonly signal: AbortSignal
}

export interface Said {
  /** At 24 kHz, as the engine made it: not trimmed, not levelled. */
  readonly samples: Float32Array
  /** Where each word of the clause begins, in milliseconds; undefined for one that has no sound. */
  readonly starts: readonly (number | undefined)[]
}
