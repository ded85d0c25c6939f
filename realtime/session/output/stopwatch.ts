import type { ServerEvent } from '../../wire/server-events.ts'
import { metricsWanted } from '../settings/settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { SessionPorts, SessionStage } from '../ports.ts'

/** What is known of a turn before it is answered. */
export interface TurnTimes {
  /** When the last audio of speech came in. */
  readonly spokenAt: number
  vadMs?: number
  asrMs?: number
}

/** Where the time of a response goes, from the last audio of speech to the first audio of the answer. */
interface Stopwatch {
  readonly measured: (stage: 'llm_ttft_ms' | 'tts_ttfb_ms', ms: number) => void
}

export function startStopwatch(options: {
  readonly ports: SessionPorts
  readonly emit: (event: ServerEvent) => void
  readonly responseId: string
  readonly times: TurnTimes | undefined
  readonly settings: Settings
}): Stopwatch {
  const { ports, times } = options
  const stages: Partial<Record<SessionStage, number>> = {}

  function keep(stage: SessionStage, ms: number): void {
    stages[stage] = Math.round(ms)
    ports.measure?.(stage, ms)
  }

  return {
    measured(stage, ms) {
      keep(stage, ms)
      if (stage !== 'tts_ttfb_ms') return
      if (times) keep('voice_to_voice_ms', ports.clock.elapsedMs() - times.spokenAt)
      if (!options.settings.include?.includes(metricsWanted)) return
      options.emit({
        type: 'vaak.metrics',
        fields: {
          response_id: options.responseId,
          vad_ms: rounded(times?.vadMs),
          asr_ms: rounded(times?.asrMs),
          llm_ttft_ms: stages.llm_ttft_ms ?? null,
          tts_ttfb_ms: stages.tts_ttfb_ms ?? null,
          voice_to_voice_ms: stages.voice_to_voice_ms ?? null,
        },
      })
    },
  }
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms)
}
