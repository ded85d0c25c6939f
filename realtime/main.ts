import { openBuckets } from '../actors/bucket.ts'
import type { Voices } from '../actors/conversation/ports.ts'
import type { Log } from '../actors/ports.ts'
import type { Tracer } from '../actors/trace/ports.ts'
import { fontFiles } from '../gateway/console/fonts.ts'
import type { Config } from '../infra/config/config.ts'
import { serverUrl, realtimeTls } from '../infra/config/tls-files.ts'
import { brokerCheck } from '../infra/health/broker-check.ts'
import { openReadiness } from '../infra/health/readiness.ts'
import { openWarmUp } from '../infra/health/warm-up.ts'
import { openIdentity } from '../infra/identity/open-identity.ts'
import type { Identity } from '../infra/identity/open-identity.ts'
import { principalOf } from '../infra/identity/principal.ts'
import { watchRevocations } from '../infra/identity/revocations.ts'
import { newSessionId } from '../infra/ids/session-ids.ts'
import { openAudit } from '../infra/nats/audit/write.ts'
import { disconnectNats } from '../infra/nats/connection/connect.ts'
import { connectBroker } from '../infra/nats/records/connect-broker.ts'
import type { BrokerClient } from '../infra/nats/records/stores.ts'
import { cannotListen } from '../infra/process/cannot-listen.ts'
import { freePort } from '../infra/process/free-port.ts'
import { isLoopback } from '../infra/process/loopback.ts'
import { checkSandbox, sandboxState } from '../infra/process/sandbox.ts'
import { countDroppedSpans } from '../infra/telemetry/dropped-spans.ts'
import { countLostAudit } from '../infra/telemetry/lost-audit.ts'
import { openMetrics, serveMetrics } from '../infra/telemetry/metrics.ts'
import type { Metrics } from '../infra/telemetry/metrics.ts'
import { watchRefusedCallers } from '../infra/telemetry/refused-callers.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { loadPeers } from './call/call.ts'
import type { CallAddress } from './call/peer.ts'
import { ending } from './close.ts'
import type { Places } from './connect/places.ts'
import type { KeptSessions } from './kept/kept-sessions.ts'
import { openSessionCounts, openSessionStores, sessionOpener } from './main-sessions.ts'
import { openSpeech, warm } from './main-speech.ts'
import type { RealtimeOptions } from './main-speech.ts'
import { tracedTurns } from './main-trace.ts'
import type { Measure } from './main-trace.ts'
import { secretIssuer } from './secrets.ts'
import { serveRealtime } from './server.ts'
import type { RunningRealtimeServer, ServerPorts } from './server.ts'

interface RunningRealtime {
  readonly url: string
  close(): Promise<void>
}

const keyIsGone = ending(
  'invalid_api_key',
  'The API key that opened this session was revoked, or has expired. Connect with another one.',
)
const relayIssuer = 'vaak:relay'
/** 15 MiB of audio as base64, and the event around it. */
const frameMaxBytes = 21 * 1024 * 1024
/** Ten minutes of audio in pieces of 20 ms may come at once; then ten times as many as a microphone gives. */
const framesAtOnce = 30_000
const framesPerSecond = 500
const stageSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10]

/** The realtime role: config → adapters → sessions → a listening server. */
export async function startRealtime(config: Config, options: RealtimeOptions): Promise<RunningRealtime> {
  const { log, tracer } = options
  checkSandbox(config.sandbox, log)
  const client = await connectBroker(config, { role: 'realtime', log })
  const identity = await openIdentity(config, { client, log, seesToKeys: false })
  const speech = openSpeech(config, options)
  const counts = await openSessionCounts(client, config, log)
  const { places, days } = counts
  const metrics = realtimeMetrics(places, tracer)
  const models = warmUpOf(speech, log)
  const watching = watchersOf(client, metrics, log)
  const observe = stageMeasures(metrics)
  const stores = await openSessionStores(client, config, log)
  const knowing = { identify: identity.identify, voices: speech.voices }
  let isDraining = false
  const ports: ServerPorts = {
    ...watching,
    doors: { ...doorsFor(config, stores.kept), ...watching, ...knowing, places, isDraining: () => isDraining, log },
    ...knowing,
    fonts: fontFiles(),
    issueSecret: issuerOf(identity, speech.voices),
    ready: openReadiness(
      { broker: brokerCheck(client, newSessionId('server')), models: models.check },
      { clock: systemClock, log, facts: { sandbox: sandboxState() } },
    ),
    isDraining: () => isDraining,
    open: sessionOpener(config, { ...stores, speech, measureOf: () => measuresOf(observe, tracer), log }),
    bytes: byteBudgets(config),
    days,
    newId: newSessionId,
    clock: systemClock,
    log,
  }
  const server = await listen(ports, config)
  const revocations = endWithKeys(server, { config, identity, log })
  const metricsServer = await listenForMetrics(metrics, config)
  log.info('realtime listens', { host: config.host, port: server.port })
  // not before: a process that is told to stop while it starts ends at once, and a model that opens then would abort it
  models.begin()
  void warm(speech.voices).catch((error: unknown) => log.warn('the voice is not ready yet', { error }))

  return {
    url: serverUrl(realtimeTls(config), { host: config.host, port: server.port }),
    async close() {
      isDraining = true
      revocations.close()
      await server.drain(config.shutdownSeconds * 1000)
      await stores.close()
      await counts.close()
      metricsServer?.close()
      await Promise.all([speech.detector.close(), speech.listener.close(), speech.voices.close()])
      await disconnectNats(client.connection)
    },
  }
}

function warmUpOf({ detector, listener }: ReturnType<typeof openSpeech>, log: Log): ReturnType<typeof openWarmUp> {
  return openWarmUp(() => Promise.all([detector.warm(), listener.warm(), loadPeers()]), { clock: systemClock, log })
}

function realtimeMetrics(places: Pick<Places, 'taken'>, tracer: RealtimeOptions['tracer']): Metrics {
  const metrics = openMetrics()
  metrics.gauge({ name: 'vaak_realtime_sessions', help: 'Sessions that are open.', read: () => places.taken })
  countDroppedSpans(metrics, tracer)
  return metrics
}

function endWithKeys(
  server: RunningRealtimeServer,
  { config, identity, log }: { readonly config: Config; readonly identity: Identity; readonly log: Log },
) {
  return watchRevocations({
    opened: { keyIds: () => server.keyIds(), endAllOf: (keyId) => server.endSessionsOf(keyId, keyIsGone) },
    revoked: identity.keys.revoked,
    everyMs: config.realtimeKeyCheckSeconds * 1000,
    log,
  })
}

/** Who is told of callers and of what they do. */
function watchersOf(client: BrokerClient, metrics: Metrics, log: Log): Pick<ServerPorts['doors'], 'audit' | 'refused'> {
  return {
    audit: openAudit({ client, clock: systemClock, log, lost: countLostAudit(metrics) }),
    refused: watchRefusedCallers({ metrics, log, clock: systemClock }),
  }
}

function issuerOf({ secrets }: Identity, voices: Voices): ServerPorts['issueSecret'] {
  return secretIssuer({ secrets, voices, clock: systemClock, newId: newSessionId })
}

function byteBudgets({ realtimeUserBytesPerSecond: perSecond, realtimeUserBytesAtOnce: burst }: Config) {
  return openBuckets({ perSecond, burst }, systemClock)
}

function doorsFor(
  config: Config,
  kept: KeptSessions | undefined,
): Pick<ServerPorts['doors'], 'origins' | 'relay' | 'alsoKnown' | 'resume'> {
  return {
    resume: kept?.resume,
    origins: { allowed: [...config.corsOrigins, ...config.realtimeOrigins], allowLoopback: isLoopback(config.host) },
    relay: {
      origins: config.realtimeRelayOrigins,
      key: config.realtimeRelayKey,
      principal: principalOf(relayIssuer, config.realtimeRelayUser),
    },
    alsoKnown: config.llmModel === '' ? [] : [config.llmModel],
  }
}

function measuresOf(observe: Measure, tracer: Tracer | undefined): Measure {
  if (!tracer) return observe
  const trace = tracedTurns(tracer, () => systemClock.elapsedMs())
  return (stage, ms) => {
    observe(stage, ms)
    trace(stage, ms)
  }
}

function stageMeasures(metrics: Metrics): Measure {
  const observe = metrics.histogram({
    name: 'vaak_realtime_stage_seconds',
    help: 'Time that each stage of a turn takes: vad, asr, llm_ttft, tts_ttfb, voice_to_voice.',
    label: 'stage',
    buckets: stageSeconds,
  })
  return (stage, ms) => observe(stage.replace(/_ms$/, ''), ms / 1000)
}

function listen(ports: ServerPorts, config: Config): Promise<RunningRealtimeServer> {
  const { host, realtimePort: port } = config
  return serveRealtime(ports, {
    host,
    port,
    freePort,
    tls: realtimeTls(config),
    refuseByStatus: config.realtimeRefuseByStatus,
    pingSeconds: config.realtimePingSeconds,
    frameMaxBytes,
    telephone: { twilioAuthToken: config.telephoneTwilioAuthToken, publicUrl: config.telephoneUrl },
    calls: { address: callAddress(config), connectMs: config.realtimeCallConnectSeconds * 1000 },
    socketLimits: { sendBufferBytes: config.realtimeSendBufferBytes, framesAtOnce, framesPerSecond },
  }).catch(cannotListen({ host, port, variable: 'REALTIME_PORT' }))
}

/** While nobody else can reach this server, nobody else is told how. */
function callAddress({ host, realtimeCallHosts, realtimeCallPorts: ports }: Config): CallAddress {
  const isOurs = realtimeCallHosts.length === 0 && isLoopback(host)
  return { ports, hosts: isOurs ? ['127.0.0.1'] : realtimeCallHosts }
}

async function listenForMetrics(metrics: Metrics, config: Config) {
  const { metricsHost: host, metricsPort, realtimeMetricsPort } = config
  const [port, variable] =
    realtimeMetricsPort === 0 ? [metricsPort, 'METRICS_PORT'] : [realtimeMetricsPort, 'REALTIME_METRICS_PORT']
  if (port === 0) return undefined
  return serveMetrics(metrics, { host, port }).catch(cannotListen({ host, port, variable }))
}
