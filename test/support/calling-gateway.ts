import type { ExecutionContext } from 'ava'

import { createApp } from '../../gateway/app.ts'
import { authenticator } from '../../gateway/auth/authenticate.ts'
import { callRoutes } from '../../gateway/realtime/calls.ts'
import { serveGateway } from '../../gateway/server.ts'
import type { Certificate } from './certificate.ts'
import { identifyGood } from './realtime-server.ts'
import type { TestRealtime } from './realtime-server.ts'
import { silentLog } from './silent-log.ts'

interface CallingOptions {
  /** Of both servers, as TLS_CERT has it. */
  readonly certificate?: Certificate
  readonly origins?: readonly string[]
  readonly answerMs?: number
}

/** A gateway that passes calls on to this realtime server and does nothing else; its address. */
export async function aCallingGateway(
  t: ExecutionContext,
  realtime: Pick<TestRealtime, 'httpUrl'>,
  { certificate, origins = [], answerMs }: CallingOptions = {},
): Promise<string> {
  const { hostname: host, port, protocol } = new URL(realtime.httpUrl)
  const isSecure = protocol === 'https:'
  const place = { host, port: Number(port), isSecure, isHere: true, certificate: certificate?.cert }
  const app = createApp({
    routes: callRoutes({ place, log: silentLog }, answerMs === undefined ? undefined : { answerMs }),
    authenticate: authenticator(identifyGood),
    origins,
    observe: () => undefined,
    log: silentLog,
  })
  const server = await serveGateway(app, { host, port: 0, tls: certificate })
  t.teardown(() => server.close(0))
  return `http${certificate ? 's' : ''}://127.0.0.1:${server.port}`
}
