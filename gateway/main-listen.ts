import { readFile } from 'node:fs/promises'

import type Koa from 'koa'

import type { Log } from '../actors/ports.ts'
import type { Config } from '../infra/config/config.ts'
import { serverUrl, gatewayTls, realtimeTls } from '../infra/config/tls-files.ts'
import { cannotListen } from '../infra/process/cannot-listen.ts'
import { serveMetrics } from '../infra/telemetry/metrics.ts'
import type { Metrics } from '../infra/telemetry/metrics.ts'
import type { Rates } from './rates.ts'
import { openPassage } from './realtime/pass-on.ts'
import type { RealtimePlace } from './realtime/place.ts'
import { serveGateway } from './server.ts'

interface ListenPorts {
  readonly place: RealtimePlace
  readonly rates: Rates
  readonly metrics: Metrics
  readonly log: Log
}

interface ListeningServers {
  readonly url: string
  close(withinMs: number): Promise<void>
}

/** The servers of a gateway: HTTP with its sessions, and the metrics. */
export async function listen<State>(app: Koa<State>, config: Config, ports: ListenPorts): Promise<ListeningServers> {
  const { host, port, metricsHost, metricsPort } = config
  const tls = gatewayTls(config)
  const server = await serveGateway(app, {
    host,
    port,
    tls: tls && { cert: await readFile(tls.certPath, 'utf8'), key: await readFile(tls.keyPath, 'utf8') },
    passage: openPassage(ports),
  }).catch(cannotListen({ host, port, variable: 'PORT' }))
  ports.log.info('gateway listens', { host, port: server.port })
  const metricsServer =
    metricsPort === 0
      ? undefined
      : await serveMetrics(ports.metrics, { host: metricsHost, port: metricsPort }).catch(
          cannotListen({ host: metricsHost, port: metricsPort, variable: 'METRICS_PORT' }),
        )
  return {
    url: serverUrl(tls, { host, port: server.port }),
    async close(withinMs) {
      await server.close(withinMs)
      metricsServer?.close()
    },
  }
}

/** Somewhere else, or a server on this machine with the certificate that is configured here. */
export async function realtimePlace(config: Config): Promise<RealtimePlace> {
  if (config.realtimeUrl !== '') {
    const { protocol, hostname, port } = new URL(config.realtimeUrl)
    const isSecure = protocol === 'https:'
    const usualPort = isSecure ? 443 : 80
    return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || usualPort), isSecure, isHere: false }
  }
  const tls = realtimeTls(config)
  const certificate = tls && (await readFile(tls.certPath, 'utf8'))
  return { host: config.host, port: config.realtimePort, isSecure: tls !== undefined, isHere: true, certificate }
}
