import { readFileSync } from 'node:fs'

import { z } from 'zod'

import { aliases, roster } from './roster.ts'
import type { VoiceRecipe } from './roster.ts'

/** Voices of the operator's own: each is like one of the twelve, with what is different about it. */
const voicesMax = 100
const semitonesMax = 12
/** Steps of the light engine's pitch that make about a semitone. */
const stepsPerSemitone = 4

const ownVoice = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'an id is lower-case letters, digits and hyphens, 32 at most'),
  name: z.string().min(1).max(64),
  like: z.enum(roster.map(({ id }) => id)),
  gender: z.enum(['female', 'male']).optional(),
  language: z.enum(['hi', 'ta', 'en']).optional(),
  styles: z
    .record(z.string().regex(/^[a-z]{2}_[a-z]{1,20}$/), z.number().positive().max(100))
    .refine((styles) => Object.keys(styles).length > 0, 'at least one style')
    .optional(),
  pitch: z.number().min(-semitonesMax).max(semitonesMax).default(0),
  rate: z.number().min(0.5).max(2).default(1),
})
const ownVoices = z.strictObject({ voices: z.array(ownVoice).max(voicesMax) })

/** Throws in words that name the file, the voice and what is wrong with it. */
export function readOwnVoices(path: string): VoiceRecipe[] {
  if (path === '') return []
  const parsed = ownVoices.safeParse(jsonAt(path))
  if (!parsed.success) throw new Error(`VOICES_FILE ${path}: ${z.prettifyError(parsed.error)}`)
  const taken = new Set([...roster.map(({ id }) => id), ...Object.keys(aliases)])
  return parsed.data.voices.map((voice) => {
    if (taken.has(voice.id)) throw new Error(`VOICES_FILE ${path}: there is a voice ${voice.id} already`)
    taken.add(voice.id)
    return recipeOf(voice)
  })
}

function jsonAt(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`VOICES_FILE ${path} cannot be read as JSON`, { cause: error })
  }
}

function recipeOf({ id, name, like, gender, language, styles, pitch, rate }: z.output<typeof ownVoice>): VoiceRecipe {
  const model = roster.find((recipe) => recipe.id === like)!
  return {
    id,
    name,
    gender: gender ?? model.gender,
    language: language ?? model.language,
    light: {
      ...model.light,
      pitch: Math.max(0, Math.min(99, model.light.pitch + pitch * stepsPerSemitone)),
      rate: Math.round(model.light.rate * rate),
    },
    neural: { styles: styles ?? model.neural.styles, pitch, rate: model.neural.rate * rate },
  }
}
