import type { Server } from 'node:http'

import type { Config } from '../infra/config/config.ts'
import { cannotListen } from '../infra/process/cannot-listen.ts'
import type { SpeechWork } from '../infra/speech/work/speech-work.ts'
import { openMetrics, serveMetrics } from '../infra/telemetry/metrics.ts'
import type { Metrics } from '../infra/telemetry/metrics.ts'
import { openWorkSignals } from '../infra/telemetry/work-signals.ts'
import type { WorkSignals } from '../infra/telemetry/work-signals.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { FailureError } from './failure.ts'
import type { WorkerActor } from './worker/actor.ts'
import type { Waits } from './worker/waits.ts'

interface Signals extends WorkSignals {
  /** The same, counting what it transcribes and what it cannot decode. */
  counted(speech: SpeechWork): SpeechWork
  /** A write to this bucket lost against another's. */
  readonly conflicted: (bucket: string) => void
  /** Nothing when no port is configured. */
  listen(config: Config, actor: Pick<WorkerActor, 'heardPerSecond'>): Promise<Server | undefined>
}

/** What operators and autoscalers see of a worker. */
export function openSignals(waits: Waits): Signals {
  const metrics = openMetrics()
  metrics.gauge({
    name: 'vaak_model_wait_seconds',
    help: 'How long this worker has waited for models that were fetched or opened, all in all.',
    read: () => waits.waitedMs() / 1000,
  })
  const speechCounts = countsOf(metrics)
  return {
    ...openWorkSignals(metrics, systemClock),
    counted: (speech) => counting(speech, speechCounts),
    conflicted: metrics.counter({
      name: 'vaak_record_conflicts_total',
      help: 'Writes that lost against the write of another process, and were decided again.',
      label: 'bucket',
    }),
    async listen({ metricsHost: host, workerMetricsPort: port }, actor) {
      if (port === 0) return undefined
      metrics.gauge({
        name: 'vaak_transcribing_speed',
        help: 'Seconds of audio that this worker transcribes in a second of work; NaN until it has transcribed something.',
        read: () => actor.heardPerSecond() ?? Number.NaN,
      })
      return serveMetrics(metrics, { host, port }).catch(cannotListen({ host, port, variable: 'WORKER_METRICS_PORT' }))
    },
  }
}

interface SpeechCounts {
  readonly transcribed: (language: string, seconds: number) => void
  readonly undecoded: (code: string) => void
}

function countsOf(metrics: Metrics): SpeechCounts {
  return {
    transcribed: metrics.counter({
      name: 'vaak_transcribed_audio_seconds_total',
      help: 'Seconds of audio that were transcribed, by the language that was asked for.',
      label: 'language',
    }),
    undecoded: metrics.counter({
      name: 'vaak_recordings_refused_total',
      help: 'Recordings that could not be decoded or cut, by the code of the reason.',
      label: 'code',
    }),
  }
}

function counting(speech: SpeechWork, { transcribed, undecoded }: SpeechCounts): SpeechWork {
  const { planner, transcriber } = speech
  return {
    ...speech,
    planner: {
      fetch: (order, signal) => planner.fetch(order, signal),
      plan: (order, signal, fetched) =>
        planner.plan(order, signal, fetched).catch((error: unknown) => {
          if (error instanceof FailureError && error.failure.kind === 'terminal') undecoded(error.failure.code)
          throw error
        }),
    },
    transcriber: {
      async transcribe(work, settings, signal) {
        const chunk = await transcriber.transcribe(work, settings, signal)
        transcribed(settings.language ?? 'auto', chunk.end - chunk.start)
        return chunk
      },
    },
  }
}
