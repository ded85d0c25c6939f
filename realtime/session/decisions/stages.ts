import type { ServerEvent } from '../../wire/server-events.ts'
import type { SessionStage } from '../ports.ts'
import { metricsWanted } from '../settings/settings.ts'
import type { ResponseUnderWay, SessionState } from '../state.ts'
import { withResponse } from './response-items.ts'
import { doNow, inOrder, send, unchanged } from './step.ts'
import type { SessionDecision } from './step.ts'

/** Where the time of a response goes, from the last audio of speech to the first audio of the answer. */
export function stageMeasured(
  state: SessionState,
  response: ResponseUnderWay,
  { stage, ms, nowMs }: { readonly stage: SessionStage; readonly ms: number; readonly nowMs: number },
): SessionDecision {
  const { times } = response
  const isSpoken = stage === 'tts_ttfb_ms'
  const whole: readonly Measured[] =
    isSpoken && times ? [{ stage: 'voice_to_voice_ms', ms: nowMs - times.spokenAtMs }] : []
  const measured: readonly Measured[] = [{ stage, ms }, ...whole]
  const rounded = Object.fromEntries(measured.map((one) => [one.stage, Math.round(one.ms)]))
  const next = { ...response, stages: { ...response.stages, ...rounded } }
  return inOrder(state, [
    withResponse(next),
    doNow(...measured.map((one) => ({ type: 'Measure', ...one }) as const)),
    isSpoken && response.settings.include?.includes(metricsWanted) ? send(metrics(next)) : unchanged,
  ])
}

interface Measured {
  readonly stage: SessionStage
  readonly ms: number
}

function metrics({ id, times, stages }: ResponseUnderWay): ServerEvent {
  return {
    type: 'vaak.metrics',
    fields: {
      response_id: id,
      vad_ms: roundedOrNull(times?.vadMs),
      asr_ms: roundedOrNull(times?.asrMs),
      llm_ttft_ms: stages.llm_ttft_ms ?? null,
      tts_ttfb_ms: stages.tts_ttfb_ms ?? null,
      voice_to_voice_ms: stages.voice_to_voice_ms ?? null,
    },
  }
}

function roundedOrNull(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms)
}
