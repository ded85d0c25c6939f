import type { Recording } from '../support/wav.ts'
import { errorRates } from '../../infra/speech/text/error-rate.ts'

export const normalisation =
  'NFC, lower case, no punctuation or symbols, hyphens as spaces, "mr." as "mister", white space folded'

export interface Heard {
  readonly recording: Recording
  readonly text: string
}

export function wordErrorRate(heard: readonly Heard[]): number {
  return errorRates(pairs(heard)).wordErrorRate
}

export function characterErrorRate(heard: readonly Heard[]): number {
  return errorRates(pairs(heard)).characterErrorRate
}

function pairs(heard: readonly Heard[]): { said: string; heard: string }[] {
  return heard.map(({ recording, text }) => ({ said: readable(recording.text), heard: readable(text) }))
}

function readable(text: string): string {
  return text.replaceAll(/[-–—]/g, ' ').replaceAll(/\bmr\b\.?/gi, 'mister')
}
