import type { Voice } from '../../../actors/conversation/ports.ts'
import type { VoiceLanguage } from './languages.ts'
import type { StyleMixture } from './neural/styles.ts'

/** A voice and how each engine makes it. */
export interface VoiceRecipe extends Voice {
  readonly language: VoiceLanguage
  readonly light: LightRecipe
  readonly neural: NeuralRecipe
}

interface NeuralRecipe {
  /** Weights by the name of a style. */
  readonly styles: StyleMixture
  /** Semitones above its own. */
  readonly pitch: number
  /** How fast it speaks naturally; 1 is the model's own pace. */
  readonly rate: number
}

interface LightRecipe {
  /** One of the phoneme engine's variants: the shape of the throat, so to say. */
  readonly variant: string
  /** 0 to 99. */
  readonly pitch: number
  /** How far the pitch moves, 0 to 99. */
  readonly range: number
  /** Words a minute at natural speed. */
  readonly rate: number
}

export const roster: readonly VoiceRecipe[] = [
  {
    id: 'asha',
    name: 'Asha',
    gender: 'female',
    language: 'hi',
    light: { variant: 'f5', pitch: 48, range: 50, rate: 140 },
    neural: { styles: { hf_alpha: 1 }, pitch: 0, rate: 1 },
  },
  {
    id: 'arjun',
    name: 'Arjun',
    gender: 'male',
    language: 'hi',
    light: { variant: 'm3', pitch: 40, range: 50, rate: 152 },
    neural: { styles: { hm_omega: 1 }, pitch: 0, rate: 1 },
  },
  {
    id: 'kabir',
    name: 'Kabir',
    gender: 'male',
    language: 'hi',
    light: { variant: 'm1', pitch: 30, range: 45, rate: 145 },
    neural: { styles: { hm_psi: 1 }, pitch: 0, rate: 1 },
  },
  {
    id: 'dev',
    name: 'Dev',
    gender: 'male',
    language: 'hi',
    light: { variant: 'm7', pitch: 50, range: 55, rate: 160 },
    neural: { styles: { hm_psi: 0.5, am_puck: 0.5 }, pitch: 0, rate: 1 },
  },
  {
    id: 'kavya',
    name: 'Kavya',
    gender: 'female',
    language: 'ta',
    light: { variant: 'f5', pitch: 20, range: 20, rate: 120 },
    neural: { styles: { hf_beta: 1 }, pitch: 0, rate: 1 },
  },
  {
    id: 'meena',
    name: 'Meena',
    gender: 'female',
    language: 'ta',
    light: { variant: 'f1', pitch: 20, range: 20, rate: 120 },
    neural: { styles: { hf_alpha: 0.5, af_bella: 0.5 }, pitch: 0, rate: 1 },
  },
  {
    id: 'karthik',
    name: 'Karthik',
    gender: 'male',
    language: 'ta',
    light: { variant: 'm1', pitch: 30, range: 20, rate: 120 },
    neural: { styles: { hm_omega: 0.6, am_michael: 0.4 }, pitch: 0, rate: 1 },
  },
  {
    id: 'maya',
    name: 'Maya',
    gender: 'female',
    language: 'en',
    light: { variant: 'f3', pitch: 48, range: 45, rate: 155 },
    neural: { styles: { af_heart: 1 }, pitch: 0, rate: 1 },
  },
  {
    id: 'tara',
    name: 'Tara',
    gender: 'female',
    language: 'en',
    light: { variant: 'f5', pitch: 44, range: 50, rate: 155 },
    neural: { styles: { af_bella: 1 }, pitch: 0, rate: 1 },
  },
  {
    id: 'rohan',
    name: 'Rohan',
    gender: 'male',
    language: 'en',
    light: { variant: 'm4', pitch: 45, range: 50, rate: 160 },
    neural: { styles: { am_michael: 1 }, pitch: 0, rate: 1 },
  },
  {
    id: 'neil',
    name: 'Neil',
    gender: 'male',
    language: 'en',
    light: { variant: 'm6', pitch: 50, range: 55, rate: 165 },
    neural: { styles: { am_puck: 1 }, pitch: 0, rate: 1 },
  },
  {
    id: 'vikram',
    name: 'Vikram',
    gender: 'male',
    language: 'en',
    light: { variant: 'm5', pitch: 32, range: 45, rate: 150 },
    neural: { styles: { am_fenrir: 1 }, pitch: 0, rate: 1 },
  },
]

/** Names that existing clients send, and the voice that is nearest to what they expect. */
export const aliases: Readonly<Record<string, string>> = {
  alloy: 'tara',
  ash: 'rohan',
  ballad: 'neil',
  cedar: 'rohan',
  coral: 'maya',
  echo: 'neil',
  fable: 'neil',
  marin: 'maya',
  nova: 'maya',
  onyx: 'vikram',
  sage: 'tara',
  shimmer: 'tara',
  verse: 'vikram',
}
