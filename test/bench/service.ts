import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { openDevelopmentIssuer } from '../../infra/identity/development-issuer.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { gatewayEnvironment } from '../support/gateway.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'

/** A gateway in a process of its own, against a real broker, so that its memory and its event loop can be watched. */
export interface BenchService {
  readonly url: string
  readonly token: string
  tokenOf(user: string): Promise<string>
  readonly owner: string
  readonly folder: string
  readonly nats: TestNats
  memoryMb(): Promise<number>
  /** Over the time since the last call. */
  eventLoopP99Ms(): Promise<number>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../infra/cli/vaak.js', import.meta.url))
const user = 'bench'
/** What is measured is how fast answers are, and not how many one may ask for. */
const unheld = { RATE_USER_PER_SECOND: '0', RATE_ADDRESS_PER_SECOND: '0' }

export async function startService(environment: Record<string, string> = {}): Promise<BenchService> {
  const nats = await startTestNats()
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  const metricsPort = await freePort()
  const settings = { LOG_LEVEL: 'warn', METRICS_PORT: String(metricsPort), ...unheld, ...environment }
  const child = fork(program, ['gateway'], {
    env: { PATH: process.env['PATH'], ...gatewayEnvironment(nats, { dataDir: folder, environment: settings }) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit').then(() => Promise.reject(new Error('the gateway did not start; see above')))
  const [ready] = (await Promise.race([once(child, 'message'), exited])) as [{ url: string }] // as: infra/process/role.ts sends nothing else
  const issuer = await openDevelopmentIssuer({ folder: join(folder, 'identity'), nodeEnv: '', clock: systemClock })
  return {
    url: ready.url,
    token: await issuer.sign({ user }),
    tokenOf: (another) => issuer.sign({ user: another }),
    owner: issuer.issuer,
    folder,
    nats,
    async memoryMb() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
    },
    async eventLoopP99Ms() {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(/^vaak_nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1000
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await nats.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
