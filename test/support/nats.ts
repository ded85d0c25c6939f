import { mkdtemp } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'
import type { NatsConnection } from 'nats'

import { cacheFolder } from '../../infra/config/cache-folder.ts'
import { launcherFor, spawnNatsServer } from '../../infra/nats-server/child.ts'
import type { NatsChild } from '../../infra/nats-server/child.ts'
import { findNatsServer } from '../../infra/nats-server/find.ts'
import type { FoundNatsServer } from '../../infra/nats-server/find.ts'
import { newAddress, writeSettings } from '../../infra/nats-server/settings.ts'
import type { NatsAddress } from '../../infra/nats-server/settings.ts'
import { connectNats } from '../../infra/nats/connection/connect.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { progressOn } from '../../infra/telemetry/progress.ts'
import { eventually } from './eventually.ts'
import { removeFolder } from './folder.ts'
import { isFrozen } from './frozen.ts'
import { silentLog } from './silent-log.ts'
import { turnOf } from './turns.ts'

/** A real nats-server of a test's own. It stays down after `kill9` until `restart`: nobody supervises it. */
export interface TestNats extends NatsAddress {
  readonly storeDir: string
  readonly pid: number
  /** Closed with the server. */
  connect(name?: string): Promise<NatsConnection>
  kill9(): Promise<void>
  /** On the same port and store, ready when it resolves; ends it first if it runs: as a power cut would, or in order. */
  restart(by?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Freezes it: when this resolves, connections stay open and nothing answers. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

const readyWithinMs = 120_000
const portTries = 3

/** For one test. */
export async function aNatsServer(t: ExecutionContext): Promise<TestNats> {
  await turnOf(t)
  const server = await startTestNats()
  t.teardown(() => server.stop())
  return server
}

/** For a whole file: start it in `test.before`, and `stop` it in `test.after.always`. */
export async function startTestNats(): Promise<TestNats> {
  const { path: binary } = await natsServerForTests()
  const storeDir = await mkdtemp(join(tmpdir(), 'vaak-test-nats-'))
  const launcher = await launcherFor(binary)
  const connections: NatsConnection[] = []
  const { address, spawn, ...first } = await firstStart({ binary, storeDir, launcher })
  let { child } = first

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await child.exited
  }
  const kill9 = (): Promise<void> => end('SIGKILL')
  return {
    ...address,
    storeDir,
    get pid() {
      return child.pid
    },
    async connect(name = 'test') {
      const connection = await connectNats({ ...address, name, log: silentLog, waitOnFirstConnect: true })
      connections.push(connection)
      return connection
    },
    kill9,
    async restart(by = 'SIGKILL') {
      await end(by)
      child = spawn()
      await child.ready(readyWithinMs)
    },
    async pause() {
      child.kill('SIGSTOP')
      await eventually('nats-server is frozen', () => isFrozen(child.pid))
    },
    resume: () => child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGCONT')
      await Promise.all(connections.map((connection) => connection.close()))
      await kill9()
      await removeFolder(storeDir)
    },
  }
}

interface StartedNats {
  readonly address: NatsAddress
  readonly child: NatsChild
  readonly spawn: () => NatsChild
}

/** A port that was free a moment ago may be that of a test beside this one. */
async function firstStart(
  server: { readonly binary: string; readonly storeDir: string; readonly launcher: readonly string[] },
  triesLeft = portTries,
): Promise<StartedNats> {
  const address = newAddress(await freePort())
  const settingsFile = await writeSettings(server.storeDir, address)
  const spawn = (): NatsChild => spawnNatsServer({ ...server, address, settingsFile, log: silentLog })
  const child = spawn()
  try {
    await child.ready(readyWithinMs)
    return { address, child, spawn }
  } catch (error) {
    child.kill('SIGKILL')
    await child.exited
    if (triesLeft <= 1) throw error
    return firstStart(server, triesLeft - 1)
  }
}

let found: Promise<FoundNatsServer> | undefined

/** As `npm start` finds it; the first run on a machine fetches it. */
export function natsServerForTests(): Promise<FoundNatsServer> {
  found ??= findNatsServer({
    configured: process.env['NATS_SERVER_BIN'],
    searchPath: process.env['PATH'] ?? '',
    cacheDir: cacheFolderForTests(),
    log: silentLog,
    startProgress: progressOn(process.stderr),
  })
  return found
}

export function cacheFolderForTests(): string {
  return cacheFolder({
    configured: process.env['VAAK_CACHE'],
    xdgCacheHome: process.env['XDG_CACHE_HOME'],
    home: homedir(),
  })
}
