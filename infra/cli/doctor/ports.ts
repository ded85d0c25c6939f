import { createServer } from 'node:net'

import type { Config } from '../../config/config.ts'
import { gatewayTls, realtimeTls, serverUrl } from '../../config/tls-files.ts'
import { cannotListen } from '../../process/cannot-listen.ts'
import { errorInWords } from '../error-in-words.ts'
import { askIfThere } from './ask-http.ts'
import { broken, healthy } from './diagnosis.ts'
import type { Diagnosis, Examination } from './diagnosis.ts'
import { judgeReadiness, reachable } from './gateway.ts'

interface Port {
  readonly variable: string
  readonly host: string
  readonly port: number
  /** Where it says whether it is ready, or its metrics. */
  readonly asks: 'readyz' | 'metrics'
  readonly tls?: ReturnType<typeof gatewayTls>
}

const metricsOfOurs = /^vaak_/m

/** Each is free, or Vaak has it. */
export function lookAtPorts(config: Config): Examination {
  return { about: 'ports', look: async () => Promise.all(portsOf(config).map(lookAtPort)) }
}

function portsOf(config: Config): Port[] {
  const { host, metricsHost } = config
  const all: Port[] = [
    { variable: 'PORT', host, port: config.port, asks: 'readyz', tls: gatewayTls(config) },
    { variable: 'REALTIME_PORT', host, port: config.realtimePort, asks: 'readyz', tls: realtimeTls(config) },
    { variable: 'HEALTH_PORT', host, port: config.healthPort, asks: 'readyz' },
    { variable: 'METRICS_PORT', host: metricsHost, port: config.metricsPort, asks: 'metrics' },
    { variable: 'WORKER_METRICS_PORT', host: metricsHost, port: config.workerMetricsPort, asks: 'metrics' },
    { variable: 'REALTIME_METRICS_PORT', host: metricsHost, port: config.realtimeMetricsPort, asks: 'metrics' },
  ]
  return all.filter(({ port }) => port !== 0)
}

async function lookAtPort(at: Port): Promise<Diagnosis> {
  const { variable, host, port } = at
  const check = `ports.${variable}`
  try {
    await listenOnce(at).catch(cannotListen(at))
    return healthy(check, `Port ${port} on ${host} is free.`)
  } catch (error) {
    const url = serverUrl(at.tls, { host: reachable(host), port })
    const answer = await askIfThere(`${url}/${at.asks}`)
    if (at.asks === 'metrics' && answer && metricsOfOurs.test(answer.body))
      return healthy(check, `Vaak has port ${port} on ${host}.`)
    if (at.asks === 'readyz' && answer) return judgeReadiness(check, url, answer.body)
    return broken(check, errorInWords(error), 'What has it does not answer as Vaak would.')
  }
}

/** Resolves when it could; it does not stay. */
function listenOnce({ host, port }: Port): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()))
  })
}
