import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { openDevelopmentIssuer } from '../../infra/identity/development-issuer.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { aFolder } from './folder.ts'
import { gatewayEnvironment } from './gateway.ts'
import { startTestNats } from './nats.ts'
import { startVaak } from './processes.ts'
import type { VaakProcess } from './processes.ts'
import { aClient } from './realtime-server.ts'

interface RealtimeRole {
  readonly process: VaakProcess
  /** `http://…` or `https://…`. */
  readonly url: string
  readonly token: string
}

/** `vaak realtime` as an init system starts it, with its real models and voices, against a real broker. */
export async function aRealtimeRole(
  t: ExecutionContext,
  environment: Readonly<Record<string, string>> = {},
): Promise<RealtimeRole> {
  const nats = await startTestNats()
  t.teardown(() => nats.stop())
  const dataDir = await aFolder(t)
  const process = startVaak(t, ['realtime'], {
    ...gatewayEnvironment(nats, { dataDir }),
    REALTIME_PORT: '0',
    ...environment,
  })
  const url = await process.ready()
  const issuer = await openDevelopmentIssuer({
    folder: join(dataDir, 'identity'),
    nodeEnv: 'test',
    clock: systemClock,
  })
  const token = await issuer.sign({ user: 'asha' })
  await firstAnswer(t, url, token)
  return { process, url, token }
}

/** What speaks is started in the background: on a busy machine the first sound takes its time, and tests are not about that. */
async function firstAnswer(t: ExecutionContext, url: string, token: string): Promise<void> {
  for (;;) {
    const client = aClient(t, url.replace('http', 'ws'), { key: token, client: { rejectUnauthorized: false } })
    await client.next('session.created', 0, warmWithinMs)
    client.send({ type: 'response.create' })
    const { response } = await client.next('response.done', 0, warmWithinMs)
    client.socket.terminate()
    if (response.status === 'completed') return
  }
}

const warmWithinMs = 240_000
