/** Which model hears which language. A profile trades speed for accuracy; the README has the figures. */
export const profiles = ['fast', 'balanced', 'accurate'] as const
export type Profile = (typeof profiles)[number]

export interface ProfileModels {
  /** The first of these that is at hand. */
  readonly hindi: readonly string[]
  readonly english: string
  /** For every other language, and for a second opinion. */
  readonly other: string
}

export const detectorModel = 'whisper-tiny'

const modelsOf: Readonly<Record<Profile, ProfileModels>> = {
  fast: { hindi: ['vaak-hindi-base'], english: 'moonshine-tiny-en', other: 'whisper-tiny' },
  balanced: { hindi: ['vaak-hindi-small', 'vaak-hindi-base'], english: 'moonshine-base-en', other: 'whisper-base' },
  accurate: { hindi: ['vaak-hindi-small', 'vaak-hindi-base'], english: 'whisper-small', other: 'whisper-small' },
}

/** The Whisper model, if one is named, hears every language in place of those of the profile. */
export function modelsFor(profile: Profile, whisperModel = ''): ProfileModels {
  if (whisperModel === '') return modelsOf[profile]
  return { hindi: [whisperModel], english: whisperModel, other: whisperModel }
}
