import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { openDevelopmentIssuer } from '../../../infra/identity/development-issuer.ts'
import { freePort } from '../../../infra/process/free-port.ts'
import { systemClock } from '../../../infra/timing/clock.ts'
import { gatewayEnvironment } from '../../support/gateway.ts'
import { startTestNats } from '../../support/nats.ts'

/** A server of sessions on one core of its own, so that its memory and its event loop can be watched. */
export interface BenchServer {
  readonly url: string
  /** With which a session connects: of users as there are outside, none of whom has more than a user may. */
  headersOf(session: number): Promise<Readonly<Record<string, string>>>
  memoryMb(): Promise<number>
  /** Of its one core, since the last call. */
  coreShare(): Promise<number>
  /** Resolves when it computes nothing: models are opened and connections are made. Waits a minute at most. */
  settled(): Promise<void>
  /** By how much it was late, over the time since the last call. */
  eventLoopP99Ms(): Promise<number>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../../infra/cli/vaak.js', import.meta.url))
const plainProgram = fileURLToPath(new URL('./plain-server.js', import.meta.url))
const msPerTick = 10
/** Node counts from one sample to the next: of a process that does nothing it says 10 ms. */
const sampledEveryMs = 10
const idleShare = 0.03
const settledSeconds = 5
const settleMaxSeconds = 60
const serverCore = '0'
/** As many as their user may send the sound of. */
const sessionsOfUser = 50
export const loadCore = '1'

export async function startVaakServer(
  settings: Readonly<Record<string, string>> = {},
  cores = serverCore,
): Promise<BenchServer> {
  const nats = await startTestNats()
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  const metricsPort = await freePort()
  const environment = {
    LOG_LEVEL: 'warn',
    METRICS_PORT: String(metricsPort),
    REALTIME_PORT: '0',
    TTS_ENGINE: 'light',
    REALTIME_MAX_SESSIONS: '20000',
    ...settings,
  }
  const server = await start([program, 'realtime'], gatewayEnvironment(nats, { dataDir: folder, environment }), cores)
  const issuer = await openDevelopmentIssuer({ folder: join(folder, 'identity'), nodeEnv: '', clock: systemClock })
  const tokens = new Map<string, Promise<string>>()
  return {
    ...server,
    async headersOf(session) {
      const user = `bench-${Math.floor(session / sessionsOfUser)}`
      const token = tokens.get(user) ?? issuer.sign({ user })
      tokens.set(user, token)
      return { authorization: `Bearer ${await token}` }
    },
    async eventLoopP99Ms() {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(/^vaak_nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1000 - sampledEveryMs
    },
    async stop() {
      await server.stop()
      await nats.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What one would write first: `ws`, and the network for each frame as it comes. */
export async function startPlainServer(): Promise<BenchServer> {
  const server = await start([plainProgram], {})
  return {
    ...server,
    headersOf: async () => ({}),
    async eventLoopP99Ms() {
      return Number(await (await fetch(`${server.url.replace('ws', 'http')}/lag`)).text()) - sampledEveryMs
    },
  }
}

/** The share of one core that a process used since the last call. */
function shareOf(pid: number): () => Promise<number> {
  let before = { ticks: 0, atMs: performance.now() }
  return async () => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
    const now = { ticks: Number(fields[11]) + Number(fields[12]), atMs: performance.now() }
    const share = ((now.ticks - before.ticks) * msPerTick) / (now.atMs - before.atMs)
    before = now
    return share
  }
}

async function start(words: readonly string[], environment: Readonly<Record<string, string>>, cores = serverCore) {
  const child = spawn('taskset', ['-c', cores, process.execPath, ...words], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [ready] = (await once(child, 'message')) as [{ url: string }] // as: roles and the plain server send nothing else
  const pid = child.pid ?? 0
  const coreShare = shareOf(pid)
  return {
    url: ready.url.replace('http', 'ws'),
    async memoryMb() {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
    },
    coreShare,
    async settled() {
      const idle = shareOf(pid)
      for (let second = 0, quiet = 0; second < settleMaxSeconds && quiet < settledSeconds; second += 1) {
        await pause(1_000)
        quiet = (await idle()) < idleShare ? quiet + 1 : 0
      }
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
