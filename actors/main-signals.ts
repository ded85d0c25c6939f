import type { Server } from 'node:http'

import type { Config } from '../infra/config/config.ts'
import { cannotListen } from '../infra/process/cannot-listen.ts'
import type { SpeechWork } from '../infra/speech/work/speech-work.ts'
import { countDroppedSpans } from '../infra/telemetry/dropped-spans.ts'
import { openMetrics, serveMetrics } from '../infra/telemetry/metrics.ts'
import type { Metrics } from '../infra/telemetry/metrics.ts'
import type { RunningTracer } from '../infra/telemetry/tracer.ts'
import { openWorkSignals } from '../infra/telemetry/work-signals.ts'
import type { WorkSignals } from '../infra/telemetry/work-signals.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { FailureError } from './failure.ts'
import { within } from './trace/ports.ts'
import type { Tracer } from './trace/ports.ts'
import type { WebhookCaller } from './webhook/ports.ts'
import type { WorkerActor } from './worker/actor.ts'
import type { Waits } from './worker/waits.ts'

interface Signals extends WorkSignals {
  /** The same, counting what it transcribes and what it cannot decode. */
  counted(speech: SpeechWork): SpeechWork
  /** The same, with each call a part of what it belongs to. */
  readonly followed: (caller: WebhookCaller) => WebhookCaller
  /** A write to this bucket lost against another's. */
  readonly conflicted: (bucket: string) => void
  /** Nothing when no port is configured. */
  listen(config: Config, actor: Pick<WorkerActor, 'heardPerSecond'>): Promise<Server | undefined>
}

/** What operators and autoscalers see of a worker. */
export function openSignals(waits: Waits, tracer?: RunningTracer): Signals {
  const metrics = openMetrics()
  metrics.gauge({
    name: 'vaak_model_wait_seconds',
    help: 'How long this worker has waited for models that were fetched or opened, all in all.',
    read: () => waits.waitedMs() / 1000,
  })
  countDroppedSpans(metrics, tracer)
  const speechCounts = countsOf(metrics)
  return {
    ...openWorkSignals(metrics, { clock: systemClock, tracer }),
    counted: (speech) => counting(tracer ? traced(speech, tracer) : speech, speechCounts),
    followed: (caller) => (tracer ? tracedCaller(caller, tracer) : caller),
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

/** What models and decoders take of the time of a piece of work. */
function traced(speech: SpeechWork, tracer: Tracer): SpeechWork {
  const { planner, transcriber } = speech
  return {
    ...speech,
    planner: {
      fetch: (order, signal) => within(tracer, { name: 'fetch recording' }, () => planner.fetch(order, signal)),
      plan: (order, signal, fetched) =>
        within(tracer, { name: 'decode and cut' }, () => planner.plan(order, signal, fetched)),
    },
    transcriber: {
      transcribe: (work, settings, signal) =>
        within(tracer, { name: 'recognise' }, () => transcriber.transcribe(work, settings, signal)),
    },
  }
}

/** The address is its user's, and in no trace; nor is it told of ours. */
function tracedCaller(caller: WebhookCaller, tracer: Tracer): WebhookCaller {
  return {
    call: (input) =>
      within(tracer, { name: 'webhook call', kind: 'client' }, async (note) => {
        const answer = await caller.call(input)
        note({ facts: { 'http.response.status_code': answer.status } })
        return answer
      }),
  }
}
