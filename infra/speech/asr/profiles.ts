import type { Profile } from '../../../actors/run/state.ts'

/** Which model hears what; infra/docs/measurements.md has the figures. */
export interface ProfileModels {
  /** Hears everything, Hindi and English in one pass. */
  readonly first: string
  /** Hears longer stretches of Hindi again; left out where nobody does it better than the first. */
  readonly hindi?: string
  /** Hears longer stretches of English again. */
  readonly english: string
  /** For every other language, and for a second opinion. */
  readonly other: string
}

/** Tells other languages apart where the first is in doubt. */
export const detectorModel = 'whisper-tiny'
export const languageModel = 'vaak-hinglish-lm'

const modelsOf: Readonly<Record<Profile, ProfileModels>> = {
  fast: { first: 'vaak-hinglish-base', english: 'moonshine-tiny-en', other: 'whisper-tiny' },
  balanced: { first: 'vaak-hinglish-small', english: 'moonshine-base-en', other: 'whisper-base' },
  accurate: { first: 'vaak-hinglish-small', english: 'whisper-small', other: 'whisper-small' },
}

/** The Whisper model, if one is named, hears every language; the first of the profile only tells it which is where. */
export function modelsFor(profile: Profile, whisperModel = ''): ProfileModels {
  const { first } = modelsOf[profile]
  if (whisperModel === '') return modelsOf[profile]
  return { first, hindi: whisperModel, english: whisperModel, other: whisperModel }
}

/** What a model of the profile is there for, for people. */
export function usesOf({ first, hindi, english, other }: ProfileModels): ReadonlyMap<string, string> {
  const uses = new Map<string, string[]>()
  const add = (id: string, use: string): void => void uses.set(id, [...(uses.get(id) ?? []), use])
  add(first, hindi === undefined ? 'Hindi and English, heard first' : 'tells Hindi from English')
  add(languageModel, 'its words')
  if (hindi !== undefined) add(hindi, 'Hindi')
  add(english, 'longer English')
  add(other, 'other languages')
  add(detectorModel, 'tells other languages apart')
  add('vaak-punctuation', 'punctuation')
  add('silero-vad', 'finds speech')
  return new Map([...uses].map(([id, all]) => [id, all.join('; ')]))
}
