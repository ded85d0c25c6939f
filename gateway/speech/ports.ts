import type { Pronunciations } from '../../actors/pronunciation/ports.ts'
import type { Voices } from '../../actors/conversation/ports.ts'
import type { PlaceShares } from '../places.ts'
import type { SpeechFormat } from '../../actors/conversation/ports.ts'

export interface SpeechPorts {
  readonly voices: Voices
  readonly pronunciations: Pick<Pronunciations, 'pronounceFor'>
  /** Which engine speaks, chosen when it is first asked for. */
  engineName(): Promise<'neural' | 'light'>
  /** Other names of a voice. */
  aliasesOf(id: string): readonly string[]
  encode(format: SpeechFormat, samples: AsyncIterable<Int16Array>): AsyncIterable<Uint8Array>
}

export interface SpeechLimits {
  readonly maxCharacters: number
  readonly places: PlaceShares
}
