import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { Config } from '../infra/config/config.ts'
import { answersWithin } from '../infra/blobs/answers-within.ts'
import { keepAtHand } from '../infra/blobs/at-hand.ts'
import { openStorage } from '../infra/config/open-storage.ts'
import { remoteLimits, urlPolicy } from '../infra/config/remote-limits.ts'
import { brokerCheck } from '../infra/health/broker-check.ts'
import { openReadiness } from '../infra/health/readiness.ts'
import { serveHealth } from '../infra/health/serve-health.ts'
import { disconnectNats } from '../infra/nats/connection/connect.ts'
import { dropAcknowledged } from '../infra/nats/queue/drop-acknowledged.ts'
import { chunkQueue, fileQueue, inquiryQueue, webhookQueue } from '../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../infra/nats/queue/work-queue.ts'
import { connectBroker } from '../infra/nats/records/connect-broker.ts'
import { openKnownStores } from '../infra/nats/records/known-stores.ts'
import { openRecords } from '../infra/nats/records/records.ts'
import { openStores } from '../infra/nats/records/stores.ts'
import type { BrokerClient } from '../infra/nats/records/stores.ts'
import { openReports } from '../infra/nats/reports/reports.ts'
import { plannedTopology } from '../infra/nats/topology/planned.ts'
import { buckets } from '../infra/nats/topology/topology.ts'
import { cannotListen } from '../infra/process/cannot-listen.ts'
import { checkSandbox, sandboxState } from '../infra/process/sandbox.ts'
import { remoteAudio } from '../infra/remote/remote-audio.ts'
import { writing } from '../infra/speech/formats/writing.ts'
import { isPatient } from '../infra/speech/threads/model-time.ts'
import { openSpeechWork } from '../infra/speech/work/open-work.ts'
import type { SpeechWork } from '../infra/speech/work/speech-work.ts'
import { progressOn } from '../infra/telemetry/progress.ts'
import type { RunningTracer } from '../infra/telemetry/tracer.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { systemTimer } from '../infra/timing/timer.ts'
import { pauseAfter } from '../infra/timing/pause-after.ts'
import { webhookCaller } from '../infra/webhook/caller.ts'
import { openWebhookSecrets } from '../infra/webhook/secrets.ts'
import { openDayQuota } from './batch/day-quota.ts'
import { carryEdits } from './edit/carry.ts'
import { retryable } from './failure.ts'
import { openBatchListing } from './listing/batches.ts'
import type { BatchPage } from './listing/batches.ts'
import type { Head } from './listing/pages.ts'
import { workerOptions } from './main-options.ts'
import { openInquiryWorker } from './main-inquiries.ts'
import { openSignals } from './main-signals.ts'
import { fileSlotsOf, takeWork } from './main-work.ts'
import type { Blobs, Faults, Log } from './ports.ts'
import type { RetentionPlace } from './retention/state.ts'
import type { LeaseRecord } from './sweep/lease.ts'
import type { WebhookCaller } from './webhook/ports.ts'
import { startWorkerActor } from './worker/actor.ts'
import { watchOutage } from './worker/outage.ts'
import { startPulse } from './worker/pulse.ts'
import type { WorkerPulse } from './worker/state.ts'
import { createWaits } from './worker/waits.ts'
import type { Waits } from './worker/waits.ts'

export interface RunningWorker {
  close(): Promise<void>
}

export interface WorkerRoleOptions {
  readonly log: Log
  readonly faults: Faults
  /** Absent: nobody is told of traces. */
  readonly tracer?: RunningTracer | undefined
  /** Of models that are fetched. */
  readonly cacheDir: string
  /** What lies between the worker and its storage: nothing, unless a test puts something there. */
  readonly throughStorage?: (blobs: Blobs) => Blobs
  /** Who does the work; a test may put somebody else in. */
  readonly startActor?: typeof startWorkerActor
}

/** As many chunks as a file has under way: who has cut it transcribes many of them, and at once. */
const atHand = { mostBytes: 32 * 1024 * 1024, keepMs: 60_000, timer: systemTimer }
/** Within the time that one who has exceeded a deadline has to say so. */
const storageAnswersWithinMs = 1_000

/** The worker role: config → adapters → actors → queues, until it is told to stop. */
export async function startWorker(config: Config, given: WorkerRoleOptions): Promise<RunningWorker> {
  const { log, tracer, startActor = startWorkerActor, throughStorage = (blobs) => blobs } = given
  checkSandbox(config.sandbox, log)
  const workerId = randomUUID()
  const waits = createWaits(systemClock)
  const signals = openSignals(waits, tracer)
  const { conflicted, followed } = signals
  const client = { ...(await connectBroker(config, { role: 'worker', log })), conflicted, tracer }
  const storage = throughStorage(await openStorage(config, { log, knownAt: await openKnownStores(client) }))
  const blobs = keepAtHand(storage, atHand)
  const speech = signals.counted(await openSpeech(config, { ...given, blobs, waits }))
  const opened = await openPorts(config, given, { client, blobs, waits, speech, followed })
  const check = (): Promise<void> => blobs.check()
  const outage = watchOutage({ what: 'storage', code: 'storage_unavailable', check, waits, pauseAfter, log })
  const ports = { ...opened, workerId, nextMarkId: randomUUID, pauseAfter, suspect: outage.suspect }
  const actor = startActor(ports, workerOptions(config))
  // not what is at hand: a gateway removes what a worker wrote, when it is asked for once more
  const inquiries = await openInquiryWorker(config, { ...ports, blobs: storage })
  const running = takeWork(actor, { config, client, log, outage, signals, inquiries })
  const pulse = startPulse({
    workers: ports.workers,
    workerId,
    log,
    read: () => pulseOf(config.workerMode, actor.heardPerSecond(), waits.current()),
  })
  const healthServer = await listenForHealth(config, { client, blobs, waits, workerId, log })
  const metricsServer = await signals.listen(config, actor)
  log.info('worker works', { workerId, mode: config.workerMode })

  return {
    async close() {
      healthServer?.close()
      metricsServer?.close()
      await Promise.all(running.map((one) => one.drain(config.shutdownSeconds * 1000)))
      outage.stop()
      await actor.stop()
      await pulse.stop()
      await speech.close()
      await blobs.close()
      await disconnectNats(client.connection)
    },
  }
}

/** A worker can work when it can write down what it has done, and has what it transcribes with. */
async function listenForHealth(
  { host, healthPort: port }: Config,
  input: { client: BrokerClient; blobs: Blobs; waits: Waits; workerId: string; log: Log },
) {
  if (port === 0) return undefined
  const { client, blobs, waits, workerId, log } = input
  const ready = openReadiness(
    {
      broker: brokerCheck(client, workerId),
      storage: () => blobs.check(),
      models: async () => {
        const waitedFor = waits.current()
        if (waitedFor) throw retryable('overloaded', `${waitedFor.what} is not there yet.`)
      },
    },
    { clock: systemClock, log, facts: { sandbox: sandboxState() } },
  )
  return serveHealth(ready, { host, port }).catch(cannotListen({ host, port, variable: 'HEALTH_PORT' }))
}

async function openPorts(
  config: Config,
  { log, faults }: WorkerRoleOptions,
  adapters: {
    client: BrokerClient
    blobs: Blobs
    waits: Waits
    speech: SpeechWork
    followed: (caller: WebhookCaller) => WebhookCaller
  },
) {
  const { client, blobs, waits, speech } = adapters
  const queueOptions = { isSeparate: config.separateRetryQueues, clock: systemClock }
  const stores = await openStores(client)
  return {
    ...stores,
    dayQuota: openDayQuota({ ...stores, clock: systemClock }, config.quotaDayAudioSeconds),
    leases: await openRecords<LeaseRecord>(client, buckets.turns),
    retentionPlaces: await openRecords<RetentionPlace>(client, buckets.turns),
    batchListing: openBatchListing({
      heads: await openRecords<Head>(client, buckets.batchListing),
      pages: await openRecords<BatchPage>(client, buckets.batchListing),
    }),
    dropAcknowledged: () => dropAcknowledged(client, plannedTopology(config).consumers),
    pause: (ms: number) => pause(ms),
    ...speech,
    carryEdits: carryEdits({ blobs, clock: systemClock, writing }),
    fileQueue: await openWorkQueue(client, { ...queueOptions, queue: fileQueue }),
    chunkQueue: await openWorkQueue(client, { ...queueOptions, queue: chunkQueue }),
    webhookQueue: await openWorkQueue(client, { ...queueOptions, queue: webhookQueue }),
    inquiryQueue: await openWorkQueue(client, { ...queueOptions, queue: inquiryQueue }),
    caller: adapters.followed(await openCaller(config, client)),
    reports: openReports(client),
    waits,
    blobs,
    isPatient,
    storageAnswers: () => answersWithin(blobs, Math.min(storageAnswersWithinMs, config.ackWaitMs / 2)),
    clock: systemClock,
    timer: systemTimer,
    faults,
    log,
  }
}

function pulseOf(
  mode: WorkerPulse['mode'],
  heardPerSecond: number | undefined,
  waitingFor: ReturnType<Waits['current']>,
): WorkerPulse {
  return { mode, ...(heardPerSecond !== undefined && { heardPerSecond }), ...(waitingFor && { waitingFor }) }
}

async function openSpeech(
  config: Config,
  input: WorkerRoleOptions & { readonly blobs: Blobs; readonly waits: Waits },
): Promise<SpeechWork> {
  const { blobs, log, cacheDir, waits } = input
  const remote = remoteAudio({ policy: urlPolicy(config), limits: remoteLimits(config), log })
  return openSpeechWork({
    blobs,
    log,
    workFolder: join(config.dataDir, 'work'),
    reserveBytes: config.spoolReserveBytes,
    fetchRemote: (url, path, options) => remote.fetch(url, path, options),
    fetchShares: { all: config.workerFetchSlots, perUser: config.workerFetchSlotsPerUser },
    batch: { size: config.inferenceBatchSize, ageMs: config.inferenceBatchAgeMs },
    cacheDir,
    modelDir: config.modelDir,
    hub: config.hubAddress,
    profile: config.asrProfile,
    whisperModel: config.whisperModel,
    maxSeconds: config.audioMaxSeconds,
    fileSlots: fileSlotsOf(config),
    startProgress: progressOn(process.stderr),
    startWait: waits.start,
    recogniser: config.recogniser,
  })
}

async function openCaller(config: Config, client: BrokerClient): Promise<WebhookCaller> {
  return webhookCaller({
    policy: urlPolicy(config),
    limits: { patienceMs: config.webhookTimeoutSeconds * 1000 },
    secrets: openWebhookSecrets(await openRecords(client, buckets.webhooks), config.webhookSecret),
    clock: systemClock,
  })
}
