import type { ExecutionContext } from 'ava'
import Koa from 'koa'

import { openPassage } from '../../gateway/realtime/pass-on.ts'
import { serveGateway } from '../../gateway/server.ts'
import type { Certificate } from './certificate.ts'
import { aClient } from './realtime-server.ts'
import type { TestClient, TestRealtime } from './realtime-server.ts'
import { silentLog } from './silent-log.ts'

type PassageLimits = NonNullable<Parameters<typeof openPassage>[1]>
type PassagePorts = Parameters<typeof openPassage>[0]

interface PassingOptions extends Pick<PassagePorts, 'rates'> {
  /** Of both servers, as TLS_CERT has it. */
  readonly certificate?: Certificate
  readonly limits?: PassageLimits
}

interface PassingGateway {
  readonly port: number
  readonly url: string
  readonly httpUrl: string
  readonly connect: (options?: Parameters<typeof aClient>[2]) => TestClient
  close(withinMs: number): Promise<void>
}

/** The HTTP server of a gateway in front of a realtime server. All that it answers itself is what was sent to it. */
export async function aPassingGateway(
  t: ExecutionContext,
  realtime: Pick<TestRealtime, 'httpUrl'>,
  { certificate, limits, rates }: PassingOptions = {},
): Promise<PassingGateway> {
  const app = new Koa()
  app.use((ctx) => {
    ctx.body = ctx.req
  })
  const { hostname: host, port, protocol } = new URL(realtime.httpUrl)
  const place = {
    host,
    port: Number(port),
    isSecure: protocol === 'https:',
    isHere: true,
    certificate: certificate?.cert,
  }
  const server = await serveGateway(app, {
    host,
    port: 0,
    tls: certificate,
    passage: openPassage({ place, log: silentLog, ...(rates && { rates }) }, limits),
  })
  let closing: Promise<void> | undefined
  const close = (withinMs: number): Promise<void> => (closing ??= server.close(withinMs))
  t.teardown(() => close(0))
  const scheme = certificate ? 's' : ''
  const url = `ws${scheme}://127.0.0.1:${server.port}`
  return {
    port: server.port,
    url,
    httpUrl: `http${scheme}://127.0.0.1:${server.port}`,
    connect: (options = {}) => aClient(t, url, options),
    close,
  }
}
