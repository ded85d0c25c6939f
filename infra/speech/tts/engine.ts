import type { Pronounce } from '../../../actors/conversation/ports.ts'
import type { Owner } from '../../../actors/ids.ts'
import type { VoiceRecipe } from './roster.ts'
import type { SpokenText } from './spoken-text.ts'

/** Makes sound of one clause at a time, off the event loop. */
export interface VoiceEngine {
  readonly name: 'neural' | 'light'
  say(clause: SpokenText, options: EngineSpeakOptions): Promise<Said>
  close(): Promise<void>
}

export interface EngineSpeakOptions {
  readonly voice: VoiceRecipe
  readonly speed: number
  readonly owner?: Owner
  readonly pronounce?: Pronounce | undefined
  readonly signal: AbortSignal
}

export interface Said {
  /** At 24 kHz, as the engine made it: not trimmed, not levelled. */
  readonly samples: Float32Array
  /** Where each word of the clause begins, in milliseconds; undefined for one that has no audio. */
  readonly starts: readonly (number | undefined)[]
}
