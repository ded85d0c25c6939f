import type { Load } from '../actors/batch/estimate.ts'
import type { Backlog } from '../actors/services.ts'
import { copiesAway } from '../infra/nats/queue/copies-away.ts'
import { countDeadLetters } from '../infra/nats/queue/dead-letters.ts'
import { waitingMessages } from '../infra/nats/queue/waiting-messages.ts'
import type { WaitingMessages } from '../infra/nats/queue/waiting-messages.ts'
import type { BrokerClient } from '../infra/nats/records/stores.ts'
import { openMetrics } from '../infra/telemetry/metrics.ts'
import type { Metrics } from '../infra/telemetry/metrics.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { ageOf } from './batches/capacity.ts'
import type { RunningUploads } from './main-uploads.ts'

interface MetricsPorts {
  readonly client: BrokerClient
  readonly uploads: RunningUploads['uploads']
  readonly backlog: Pick<Backlog, 'load'>
}

/** What operators and autoscalers see of a gateway, and, through any of them, of the whole cluster. */
export function gatewayMetrics({ client, uploads, backlog }: MetricsPorts): Metrics {
  const metrics = openMetrics()
  metrics.gauge({
    name: 'vaak_files_waiting_for_storage',
    help: 'Files that are accepted and not yet in object storage.',
    read: () => uploads.backlog(),
  })
  metrics.gauge({
    name: 'vaak_dead_letters',
    help: 'Messages that could never be handled; vaak dead-letters shows them. NaN while the broker is away.',
    read: () => countDeadLetters(client).catch(() => Number.NaN),
  })
  metrics.gauge({
    name: 'vaak_broker_copies_away',
    help: 'Copies of a queue that are with servers of the broker which the others do not see. NaN while the broker is away.',
    read: () => copiesAway(client.jsm).catch(() => Number.NaN),
  })
  showLoad(metrics, backlog)
  showQueues(metrics, client)
  return metrics
}

/** The true backlog: also what has no message yet, since a batch asks for a few files at a time. */
function showLoad(metrics: Metrics, backlog: Pick<Backlog, 'load'>): void {
  const show = (name: string, help: string, read: (load: Load) => number): void =>
    metrics.gauge({ name, help, read: () => backlog.load().then(read, () => Number.NaN) })
  show(
    'vaak_backlog_audio_seconds',
    'Seconds of audio that wait or are under way, of all users.',
    (load) => load.audioSeconds,
  )
  show('vaak_backlog_files', 'Files that wait or are under way, of all users.', (load) => load.files)
  show('vaak_backlog_oldest_seconds', 'How long ago the oldest batch came that is not finished.', ({ oldestAtMs }) =>
    oldestAtMs === undefined ? 0 : ageOf(oldestAtMs, systemClock),
  )
  show(
    'vaak_backlog_seconds_until_idle',
    'How long the workers that are there need for all of it, about.',
    (load) => load.secondsUntilIdle,
  )
  show('vaak_workers', 'Workers that transcribe.', (load) => load.workers)
  show(
    'vaak_workers_speed',
    'Seconds of audio that all workers together transcribe in a second.',
    (load) => load.heardPerSecond,
  )
}

function showQueues(metrics: Metrics, { jsm }: BrokerClient): void {
  const show = (name: string, help: string, read: (waiting: WaitingMessages) => number): void =>
    metrics.gauges({
      name,
      help,
      label: 'kind',
      async read() {
        const kinds = Object.entries(await waitingMessages(jsm, systemClock).catch(() => ({})))
        return Object.fromEntries(kinds.map(([kind, waiting]) => [kind, read(waiting)]))
      },
    })
  show('vaak_queue_messages', 'Pieces of work in the queues, in hand or not.', ({ messages }) => messages)
  show('vaak_queue_oldest_seconds', 'Age of the oldest piece of work.', ({ oldestSeconds }) => oldestSeconds)
}
