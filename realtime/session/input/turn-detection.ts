import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { SpeechFrame } from '../../../actors/conversation/ports.ts'
import type { TurnDetection } from '../settings/settings.ts'

/** When somebody begins and stops to speak, concluded from one frame after the other. Positions are samples at 16 kHz. */
export type TurnState =
  | { readonly phase: 'quiet'; readonly run: number; readonly runFrom: number }
  | { readonly phase: 'speaking'; readonly speechEnd: number }

interface DetectionOptions {
  readonly threshold: number
  readonly paddingSamples: number
  readonly silenceSamples: number
}

export type TurnChange =
  | { readonly type: 'started'; readonly from: number; readonly speechFrom: number }
  | { readonly type: 'stopped'; readonly to: number; readonly speechEnd: number }

export const frameSamples = 512
export const quiet: TurnState = { phase: 'quiet', run: 0, runFrom: 0 }

/** A click is over after one frame. */
const framesToStart = 2
/** Speech that dies away is still speech: it takes less to go on than to begin, as a share of the threshold. */
const toGoOn = 0.7

export function afterFrame(
  state: TurnState,
  { startSample, probability }: SpeechFrame,
  options: DetectionOptions,
): { readonly state: TurnState; readonly change?: TurnChange } {
  const end = startSample + frameSamples
  if (state.phase === 'quiet') {
    if (probability < options.threshold) return { state: quiet }
    const run = state.run + 1
    const runFrom = state.run === 0 ? startSample : state.runFrom
    if (run < framesToStart) return { state: { phase: 'quiet', run, runFrom } }
    return {
      state: { phase: 'speaking', speechEnd: end },
      change: { type: 'started', from: Math.max(0, runFrom - options.paddingSamples), speechFrom: runFrom },
    }
  }
  if (probability >= options.threshold * toGoOn) return { state: { phase: 'speaking', speechEnd: end } }
  const to = state.speechEnd + options.silenceSamples
  if (end < to) return { state }
  return { state: quiet, change: { type: 'stopped', to: Math.min(to, end), speechEnd: state.speechEnd } }
}

/** `finished`: how likely somebody who pauses has finished, 0 to 1, where somebody knows. */
export function detectionOptions(turns: TurnDetection, finished?: number): DetectionOptions {
  if (turns.type === 'semantic_vad') {
    const { unknown, shortest, longest } = patience[turns.eagerness]
    const ms = finished === undefined ? unknown : longest - (longest - shortest) * finished
    return { threshold: 0.5, paddingSamples: samplesOf(300), silenceSamples: samplesOf(ms) }
  }
  return {
    threshold: turns.threshold,
    paddingSamples: samplesOf(turns.prefixPaddingMs),
    silenceSamples: samplesOf(turns.silenceDurationMs),
  }
}

/** How long a pause may be, in milliseconds: of who has surely finished, of who surely has not, and while nobody knows. */
const patient = { shortest: 400, longest: 2_000, unknown: 1_200 }
const usual = { shortest: 250, longest: 1_100, unknown: 700 }
const eager = { shortest: 200, longest: 700, unknown: 400 }
const patience = { low: patient, medium: usual, auto: usual, high: eager } as const

export function samplesOf(ms: number): number {
  return Math.round((ms * recogniserRate) / 1_000)
}

export function msOf(samples: number): number {
  return Math.round((samples * 1_000) / recogniserRate)
}
