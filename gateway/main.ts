import { randomUUID } from 'node:crypto'

import { openDayQuota } from '../actors/batch/day-quota.ts'
import { openBacklog } from '../actors/batch/backlog.ts'
import { openBatches } from '../actors/batch/submit.ts'
import type { ClaimedId } from '../actors/claim/state.ts'
import type { Owner } from '../actors/ids.ts'
import type { Faults, Log } from '../actors/ports.ts'
import type { Backlog } from '../actors/services.ts'
import { openPronunciations } from '../actors/pronunciation/pronunciations.ts'
import { openShareLinks } from '../actors/share-link/share-links.ts'
import { openWebhooks } from '../actors/webhook/resend.ts'
import { cacheFolderOf } from '../infra/config/cache-folder.ts'
import { processEnvironment } from '../infra/config/config.ts'
import type { Config } from '../infra/config/config.ts'
import { openStorage } from '../infra/config/open-storage.ts'
import { urlPolicy } from '../infra/config/remote-limits.ts'
import { rateLimits, routeLimits } from '../infra/config/route-limits.ts'
import { signInProvider } from '../infra/config/sign-in-provider.ts'
import { brokerCheck } from '../infra/health/broker-check.ts'
import { openReadiness } from '../infra/health/readiness.ts'
import { keySecretOf } from '../infra/identity/key-secret.ts'
import { openLinkMarks } from '../infra/identity/link-marks.ts'
import { openIdentity } from '../infra/identity/open-identity.ts'
import { watchRevocations } from '../infra/identity/revocations.ts'
import { signingKeyOf } from '../infra/identity/signing-key.ts'
import { newIds } from '../infra/ids/new-ids.ts'
import { newSessionId } from '../infra/ids/session-ids.ts'
import { openAudit } from '../infra/nats/audit/write.ts'
import { disconnectNats } from '../infra/nats/connection/connect.ts'
import { watchBatches } from '../infra/nats/records/batch-changes.ts'
import { connectBroker } from '../infra/nats/records/connect-broker.ts'
import { openKnownStores } from '../infra/nats/records/known-stores.ts'
import { checkSandbox, sandboxState } from '../infra/process/sandbox.ts'
import { openReceiptKey } from '../infra/receipt/receipt-key.ts'
import { judgeUrl } from '../infra/remote/url.ts'
import { openAudioEncoder } from '../infra/speech/audio/encode.ts'
import { audioProbe } from '../infra/speech/audio/header/probe.ts'
import { openJudge } from '../infra/speech/evaluate/judge.ts'
import { openPaperMaker } from '../infra/speech/formats/paper/paper.ts'
import { openVoices } from '../infra/speech/tts/open-voices.ts'
import { countLostAudit } from '../infra/telemetry/lost-audit.ts'
import { countDroppedSpans } from '../infra/telemetry/dropped-spans.ts'
import { watchRefusedCallers } from '../infra/telemetry/refused-callers.ts'
import type { RunningTracer } from '../infra/telemetry/tracer.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { systemTimer } from '../infra/timing/timer.ts'
import { openWebhookSecrets, secretText } from '../infra/webhook/secrets.ts'
import { secretIssuer } from '../realtime/secrets.ts'
import { createApp } from './app.ts'
import { authenticator } from './auth/authenticate.ts'
import { openStreams } from './auth/open-streams.ts'
import type { OpenStreams } from './auth/open-streams.ts'
import { readAssets } from './console/assets.ts'
import { openStoredQuota } from './files/stored-quota.ts'
import { listen, realtimePlace } from './main-listen.ts'
import { gatewayMetrics } from './main-metrics.ts'
import { recordingPorts, startRecordingWatch } from './main-recordings.ts'
import { openGatewayStores } from './main-stores.ts'
import { transcriptPorts } from './main-transcripts.ts'
import { startUploads } from './main-uploads.ts'
import type { RunningUploads } from './main-uploads.ts'
import { openRates } from './rates.ts'
import type { RealtimePlace } from './realtime/place.ts'
import { routesOf } from './routes.ts'

export interface RunningGateway {
  readonly url: string
  close(): Promise<void>
}

interface GatewayOptions {
  readonly log: Log
  readonly faults: Faults
  /** Absent: nobody is told of traces. */
  readonly tracer?: RunningTracer | undefined
}

/** The gateway role: config → adapters → actors → routes → a listening server. */
export async function startGateway(config: Config, given: GatewayOptions): Promise<RunningGateway> {
  const { log, tracer } = given
  checkSandbox(config.sandbox, log)
  const adapters = await openAdapters(config, given)
  const { client, blobs, voices, judge, paper, encoder, identity } = adapters
  const running = await startUploads(config, { ...adapters, ...given })
  const { uploads } = running
  const backlog = openBacklog({ ...adapters.records, clock: systemClock, log })
  const metrics = gatewayMetrics({ client, uploads, backlog })
  countDroppedSpans(metrics, tracer)
  const stopping = new AbortController()
  const streams = openStreams()
  const everyMs = config.realtimeKeyCheckSeconds * 1000
  const revocations = watchRevocations({ opened: streams, revoked: identity.keys.revoked, everyMs, log })
  const place = await realtimePlace(config)
  const rates = openRates(rateLimits(config), systemClock)
  const parts = { ...adapters, ...running, backlog, streams, place, stopping: stopping.signal }
  const ports = await portsOf(config, given, parts)
  const audit = openAudit({ client, clock: systemClock, log, lost: countLostAudit(metrics) })
  const recordings = startRecordingWatch(config, ports, audit)
  const app = createApp({
    routes: routesOf(ports, routeLimits(config)),
    authenticate: authenticator(identity.identify),
    shareLinks: adapters.shareLinks,
    rates,
    origins: config.corsOrigins,
    observe(answered) {
      metrics.answered(answered)
      log.debug('request answered', answered)
    },
    audit,
    refused: watchRefusedCallers({ metrics, log, clock: systemClock }),
    ...(tracer && { tracer }),
    log,
  })
  const servers = await listen(app, config, { place, rates, metrics, log })

  return {
    url: servers.url,
    async close() {
      revocations.close()
      stopping.abort()
      await servers.close(config.shutdownSeconds * 1000)
      await recordings.close()
      await running.close()
      await judge.close()
      await paper.close()
      await encoder.close()
      await voices.close()
      await blobs.close()
      await disconnectNats(client.connection)
    },
  }
}

type Adapters = Awaited<ReturnType<typeof openAdapters>>

async function openAdapters(config: Config, { log, tracer }: GatewayOptions) {
  const client = { ...(await connectBroker(config, { role: 'gateway', log })), tracer }
  const records = await openGatewayStores(client)
  const blobs = await openStorage(config, { log, knownAt: await openKnownStores(client) })
  const secret = await keySecretOf(config)
  const marks = openLinkMarks(secret)
  return {
    client,
    records,
    identity: await openIdentity(config, { client, log, seesToKeys: true }),
    blobs,
    shareLinks: openShareLinks({ ...records, blobs, clock: systemClock, marks }),
    receipts: await openReceiptKey(await signingKeyOf('receipts', secret?.text ?? '', records.signingKeys)),
    judge: openJudge(),
    paper: openPaperMaker(),
    encoder: openAudioEncoder(),
    voices: openVoices({ ...voiceOptions(config), log }),
  }
}

interface GatewayParts
  extends Adapters, Pick<RunningUploads, 'uploads' | 'keeper' | 'receiving' | 'resumables' | 'resumableRoom'> {
  readonly backlog: Backlog
  readonly streams: OpenStreams
  readonly place: RealtimePlace
  readonly stopping: AbortSignal
}

/** What the routes ask of the rest. */
async function portsOf(config: Config, { log, faults }: GatewayOptions, from: GatewayParts) {
  const { records, blobs, voices, client, identity, uploads, keeper, receiving, backlog, stopping } = from
  const policy = urlPolicy(config)
  const webhookSecrets = openWebhookSecrets(records.masters, config.webhookSecret)
  const issuing = { ...records, clock: systemClock, faults }
  const pronunciations = openPronunciations({ ...records, timer: systemTimer, log })
  const dayQuota = openDayQuota({ ...records, clock: systemClock }, config.quotaDayAudioSeconds)
  return {
    ...records,
    callbacks: openWebhooks({ ...records, faults }),
    webhookSecretOf: async (owner: Owner) => secretText(await webhookSecrets.of(owner)),
    changes: watchBatches(client.connection),
    streams: from.streams,
    stopping,
    backlog,
    dayQuota,
    submissions: openBatches(
      { ...records, blobs, issuing, dayQuota, backlog, clock: systemClock, faults, log },
      config,
    ),
    storedQuota: openStoredQuota(records.listing, { files: config.quotaStoredFiles, bytes: config.quotaStoredBytes }),
    blobs,
    ...transcriptPorts(config, { records, blobs }),
    ...recordingPorts(blobs),
    shareLinks: from.shareLinks,
    checkUrl: (url: string) => judgeUrl(url, policy).refusal,
    isDevelopment: config.appEnv === 'development',
    uploadRecords: records.uploads,
    fileRecords: records.files,
    uploads,
    receiving,
    resumables: from.resumables,
    resumableRoom: from.resumableRoom,
    probe: audioProbe(),
    ids: newIds(systemClock),
    clock: systemClock,
    identity: { gatewayId: keeper.gatewayId, bootId: randomUUID() },
    holding: new Set<ClaimedId>(),
    judge: from.judge,
    paper: from.paper,
    assets: await readAssets(),
    signIn: signInProvider(config),
    realtimePlace: from.place,
    keys: identity.keys,
    publicKeys: () => ({ keys: [...(identity.developmentKeys?.().keys ?? []), ...from.receipts.keys] }),
    receipts: from.receipts,
    speech: { ...voices, voices, pronunciations, encode: from.encoder.encode },
    ownPronunciations: pronunciations,
    issueSecret: secretIssuer({ secrets: identity.secrets, voices, clock: systemClock, newId: newSessionId }),
    ready: openReadiness(
      { broker: brokerCheck(client, randomUUID()), storage: () => blobs.check() },
      { clock: systemClock, log, facts: { sandbox: sandboxState() } },
    ),
    faults,
    log,
  }
}

function voiceOptions(config: Config) {
  return {
    engine: config.ttsEngine,
    voicesFile: config.voicesFile,
    cacheDir: cacheFolderOf({ config, environment: processEnvironment() }),
    modelDir: config.modelDir,
  }
}
