import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openBacklog } from '../actors/batch/backlog.ts'
import { openBatches } from '../actors/batch/submit.ts'
import type { Claim, ClaimedId } from '../actors/claim/state.ts'
import type { Faults, Log } from '../actors/ports.ts'
import { judgeUrl } from '../actors/source/url.ts'
import { startUploadActor } from '../actors/upload/actor.ts'
import type { Purge, Upload } from '../actors/upload/state.ts'
import { openBlobs } from '../infra/blobs/open.ts'
import { systemClock } from '../infra/clock.ts'
import type { Config } from '../infra/config.ts'
import { lockFolder } from '../infra/folder-lock.ts'
import { openDevelopmentIssuer } from '../infra/identity/development-issuer.ts'
import { cannotListen } from '../infra/listening.ts'
import { openMetrics, serveMetrics } from '../infra/metrics.ts'
import { ask } from '../infra/nats/ask.ts'
import { watchBatches } from '../infra/nats/batch-changes.ts'
import { watchAway } from '../infra/nats/away.ts'
import { connectNats, disconnectNats } from '../infra/nats/connect.ts'
import { openListing } from '../infra/nats/listing.ts'
import type { Head, Page } from '../infra/nats/listing-pages.ts'
import { openRecords } from '../infra/nats/records.ts'
import { openReports } from '../infra/nats/reports.ts'
import { openBroker, openStores } from '../infra/nats/stores.ts'
import type { BrokerClient } from '../infra/nats/stores.ts'
import { buckets } from '../infra/nats/topology.ts'
import { newIds } from '../infra/new-ids.ts'
import { urlPolicy } from '../infra/remote/limits.ts'
import { renderText } from '../infra/speech/formats/render.ts'
import { rewrite } from '../infra/speech/formats/rewrite.ts'
import { audioProbe } from '../infra/speech/audio/header/probe.ts'
import { writeDurably } from '../infra/spool/durable.ts'
import { openSpool } from '../infra/spool/spool.ts'
import { createApp } from './app.ts'
import { authenticator } from './auth/authenticate.ts'
import { localKeys, remoteKeys } from './auth/keys.ts'
import { tokenVerifier } from './auth/token.ts'
import type { VerifyToken } from './auth/token.ts'
import { downloadRoute } from './batches/download.ts'
import { fileStatusRoute } from './batches/file-status.ts'
import { batchResultsRoute, fileResultRoute } from './batches/results.ts'
import { batchStatusRoute } from './batches/status.ts'
import { submitRoute } from './batches/submit.ts'
import { readAssets } from './console/assets.ts'
import { consoleRoutes } from './console/route.ts'
import { withDocs } from './docs.ts'
import { batchEventsRoute } from './events/route.ts'
import { fileAudioRoute } from './files/audio.ts'
import { listFilesRoute, uploadStatusRoute } from './files/read.ts'
import { deleteFilesRoute } from './files/remove.ts'
import { uploadRoute } from './files/upload.ts'
import { healthRoutes } from './health.ts'
import { serve } from './server.ts'

export interface RunningGateway {
  readonly url: string
  close(): Promise<void>
}

/** Over the time that a predecessor grants its requests. */
const lockGraceMs = 5_000

/** The gateway role: config → adapters → actors → routes → a listening server. */
export async function startGateway(config: Config, given: { log: Log; faults: Faults }): Promise<RunningGateway> {
  const { log, faults } = given
  const spoolFolder = join(config.dataDir, 'spool')
  const lock = await lockFolder(spoolFolder, 'gateway', config.shutdownSeconds * 1000 + lockGraceMs)
  const connection = await connectNats({
    url: config.natsUrl,
    ...(config.natsUser !== '' && { user: config.natsUser, pass: config.natsPassword }),
    name: 'vaak-gateway',
    log,
    waitOnFirstConnect: true,
  })
  const isAway = watchAway(connection)
  const records = await openGatewayStores(await openBroker(connection, { config, isAway }))
  const blobs = await openBlobs(config.storageUrl, {
    defaultFolder: join(config.dataDir, 'objects'),
    accessKeyId: config.storageAccessKeyId,
    secretAccessKey: config.storageSecretAccessKey,
    log,
  })
  const spool = await openSpool({ folder: spoolFolder, reserveBytes: config.spoolReserveBytes, log })
  const actor = startUploadActor(
    { ...records, blobs, faults, log, clock: systemClock, random: Math.random, nextPurgeId: randomUUID },
    {
      concurrency: config.transferConcurrency,
      giveUpMs: config.transferGiveUpSeconds * 1000,
      firstRetryMs: config.transferRetryFirstMs,
      lastRetryMs: config.transferRetryLastMs,
      sweepMs: config.sweepMs,
    },
  )
  await actor.resume(await spool.recover())

  const metrics = openMetrics()
  metrics.gauge({
    name: 'vaak_files_waiting_for_storage',
    help: 'Files that are accepted and not yet in object storage.',
    read: () => actor.backlog(),
  })
  const identity = { gatewayId: await gatewayIdOf(spoolFolder), bootId: randomUUID() }
  const policy = urlPolicy(config)
  const backlog = openBacklog({ ...records, clock: systemClock, log })
  const stopping = new AbortController()
  const ports = {
    ...records,
    changes: watchBatches(connection),
    stopping: stopping.signal,
    backlog,
    submissions: openBatches({ ...records, backlog, clock: systemClock, faults, log }, config),
    blobs,
    renderer: { rewrite, render: renderText },
    checkUrl: (url: string) => judgeUrl(url, policy).refusal,
    isDevelopment: config.appEnv === 'development',
    uploadRecords: records.uploads,
    fileRecords: records.files,
    uploads: actor,
    spool,
    probe: audioProbe(),
    ids: newIds(systemClock),
    clock: systemClock,
    identity,
    holding: new Set<ClaimedId>(),
    faults,
    log,
  }
  const app = createApp({
    routes: withDocs([
      uploadRoute(ports, {
        maxFiles: config.uploadMaxFiles,
        maxFileBytes: config.uploadMaxFileBytes,
        maxRequestBytes: config.uploadMaxRequestBytes,
        maxConcurrent: config.uploadMaxConcurrent,
        minBytesPerSecond: config.uploadMinBytesPerSecond,
        patienceSeconds: config.uploadPatienceSeconds,
      }),
      uploadStatusRoute(ports),
      listFilesRoute(ports),
      deleteFilesRoute(ports),
      fileAudioRoute(ports),
      submitRoute(ports, { maxFiles: config.batchMaxFiles }),
      batchStatusRoute(ports),
      fileStatusRoute(ports),
      batchEventsRoute(ports, { perUser: config.eventsMaxPerUser, all: config.eventsMax }),
      batchResultsRoute(ports),
      fileResultRoute(ports),
      downloadRoute(ports),
      ...consoleRoutes(await readAssets()),
      ...healthRoutes({
        broker: () => ask(isAway, async () => void (await connection.rtt())),
        storage: () => blobs.check(),
      }),
    ]),
    authenticate: authenticator(await openVerifier(config, log)),
    observe(answered) {
      metrics.answered(answered)
      log.debug('request answered', answered)
    },
    log,
  })
  const { host } = config
  const server = await serve(app, { host, port: config.port }).catch(
    cannotListen({ host, port: config.port, variable: 'PORT' }),
  )
  const metricsServer =
    config.metricsPort === 0
      ? undefined
      : await serveMetrics(metrics, { host, port: config.metricsPort }).catch(
          cannotListen({ host, port: config.metricsPort, variable: 'METRICS_PORT' }),
        )
  log.info('gateway listens', { host, port: server.port })

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    async close() {
      stopping.abort()
      await server.close(config.shutdownSeconds * 1000)
      await actor.drain()
      metricsServer?.close()
      await blobs.close()
      await disconnectNats(connection)
      await lock.release()
    },
  }
}

async function openGatewayStores(client: BrokerClient) {
  return {
    ...(await openStores(client)),
    uploads: await openRecords<Upload>(client, buckets.uploads),
    claims: await openRecords<Claim>(client, buckets.claims),
    purges: await openRecords<Purge>(client, buckets.purges),
    listing: openListing({
      heads: await openRecords<Head>(client, buckets.listing),
      pages: await openRecords<Page>(client, buckets.listing),
    }),
    reports: openReports(client),
  }
}

async function openVerifier(config: Config, log: Log): Promise<VerifyToken> {
  const common = {
    clock: systemClock,
    algorithms: config.jwtAlgorithms,
    clockToleranceSeconds: config.jwtClockToleranceSeconds,
  }
  if (config.jwksUrl !== '') {
    const keys = remoteKeys({ url: config.jwksUrl, clock: systemClock, log })
    return tokenVerifier({ ...common, issuer: config.jwtIssuer, audience: config.jwtAudience, keys })
  }
  const issuer = await openDevelopmentIssuer({
    folder: join(config.dataDir, 'identity'),
    nodeEnv: config.nodeEnv,
    clock: systemClock,
  })
  return tokenVerifier({
    ...common,
    issuer: issuer.issuer,
    audience: issuer.audience,
    keys: localKeys(issuer.jwks),
  })
}

/** The same for every start of the gateway that owns this spool. */
async function gatewayIdOf(spoolFolder: string): Promise<string> {
  const path = join(spoolFolder, 'gateway-id')
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known) return known
  const gatewayId = randomUUID()
  await writeDurably(path, gatewayId)
  return gatewayId
}
