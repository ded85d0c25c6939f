import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from 'nats'

import type { Log } from '../../actors/ports.ts'
import { runCommand } from '../process/run-command.ts'
import { forgetChild, noteChild } from './orphan.ts'
import { storeKeyVariable } from './settings.ts'
import type { NatsAddress } from './settings.ts'

/** One running nats-server. Nothing here restarts it. */
export interface NatsChild {
  /** NaN when it could not even be spawned: a 0 given to `kill` would hit ourselves. */
  readonly pid: number
  /** Resolves with how it ended, in words. */
  readonly exited: Promise<string>
  /** Resolves when it says that its disk did not take a write: from then on that stream takes none, until the server is started anew. */
  readonly failedToWrite: Promise<void>
  /** Resolves when JetStream answers; rejects when the server ends first or `withinMs` pass. */
  ready(withinMs: number): Promise<void>
  kill(signal: NodeJS.Signals): void
  /** Asks it to end, and ends it when it does not within `withinMs`. */
  stop(withinMs: number): Promise<void>
}

interface NatsChildOptions {
  readonly binary: string
  readonly settingsFile: string
  readonly storeDir: string
  readonly address: NatsAddress
  readonly log: Log
  /** Empty or absent: the store is not encrypted. */
  readonly storeKey?: string
  /** From `launcherFor`. */
  readonly launcher: readonly string[]
}

const readyPollMs = 25
const readyConnectMs = 1_000
const readyAnswerMs = 2_000
const rememberedLines = 5
const launcherTimeoutMs = 5_000

/** Said at every start; bcrypt protects a password that people choose and keep, ours is random and lives for one run. */
const plaintextWarning = 'Plaintext passwords detected'

/** As 2.15.1 says it, of one stream; and of all of JetStream when it stops for want of room. */
const writeError = /no space left on device|critical write error|JetStream out of \w+ resources/i

export function spawnNatsServer(options: NatsChildOptions): NatsChild {
  const [program, ...args] = [...options.launcher, options.binary, '-c', options.settingsFile]
  const child = spawn(program, args, {
    // not in the settings: they lie beside the store
    env: options.storeKey ? { [storeKeyVariable]: `"${options.storeKey}"` } : {},
    stdio: ['ignore', 'ignore', 'pipe'],
    // A session of its own: Ctrl-C reaches us, and we end the server last, when nobody needs it any more.
    detached: true,
  })
  try {
    if (child.pid !== undefined) noteChild(options.storeDir, child.pid)
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`nats-server cannot be noted down in ${options.storeDir}`, { cause: error })
  }
  const { grave: lastLines, failedToWrite } = passOnLines(child, options.log)
  const exited = ending(child, lastLines).finally(() => forgetChild(options.storeDir, child.pid))
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal)
  return {
    pid: child.pid ?? Number.NaN,
    exited,
    failedToWrite,
    ready: (withinMs) => untilReady(options.address, exited, withinMs),
    kill,
    async stop(withinMs) {
      kill('SIGTERM')
      const overdue = new AbortController()
      const patience = pause(withinMs, undefined, { signal: overdue.signal }).then(
        () => kill('SIGKILL'),
        () => undefined,
      )
      await exited
      overdue.abort()
      await patience
    },
  }
}

/**
 * What to start the server through so that the kernel ends it with us, however we end. Only Linux can, with util-linux's
 * setpriv; elsewhere the next start finds the orphan by its note.
 */
export async function launcherFor(binary: string): Promise<readonly string[]> {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  if (process.platform !== 'linux' || setpriv === undefined) return []
  const launcher = [setpriv, '--pdeathsig', 'TERM', '--']
  const works = runCommand({
    program: setpriv,
    args: [...launcher.slice(1), binary, '--version'],
    timeoutMs: launcherTimeoutMs,
  })
  return works.then(
    () => launcher,
    () => [], // BusyBox has a setpriv without this option
  )
}

async function untilReady(address: NatsAddress, exited: Promise<string>, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  let ended: string | undefined
  void exited.then((reason) => (ended = reason))
  let last: unknown
  while (performance.now() < deadline) {
    if (ended !== undefined) throw new Error(`nats-server ended before it was ready: ${ended}`)
    try {
      return await askJetStream(address)
    } catch (error) {
      last = error
    }
    await pause(readyPollMs)
  }
  throw new Error(`nats-server was not ready within ${withinMs} ms`, { cause: last })
}

async function askJetStream({ url, user, pass }: NatsAddress): Promise<void> {
  const connection = await connect({ servers: url, user, pass, timeout: readyConnectMs, reconnect: false })
  try {
    const manager = await jetstreamManager(connection, { timeout: readyAnswerMs, checkAPI: false })
    await manager.getAccountInfo()
  } finally {
    await connection.close()
  }
}

function ending(child: ChildProcess, lastLines: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => {
      const how = signal === null ? `status ${code}` : signal
      resolve(lastLines.length > 0 ? `${how}, after saying: ${lastLines.join(' / ')}` : how)
    })
  })
}

interface SaidLines {
  /** The last grave ones, which explain its end. */
  readonly grave: readonly string[]
  readonly failedToWrite: Promise<void>
}

/** Passes the server's lines on to our log. */
function passOnLines(child: ChildProcess, log: Log): SaidLines {
  const grave: string[] = []
  const failedToWrite = new Promise<void>((resolve) => {
    if (!child.stderr) return
    createInterface({ input: child.stderr }).on('line', (line) => {
      const { level, text } = readLine(line)
      log[level]('nats-server says', { text })
      if (level !== 'error') return
      if (writeError.test(text)) resolve()
      grave.push(text)
      if (grave.length > rememberedLines) grave.shift()
    })
  })
  return { grave, failedToWrite }
}

/** `[pid] date time [INF] text`, or anything at all when the runtime itself speaks. */
export function readLine(line: string): { level: 'debug' | 'warn' | 'error'; text: string } {
  const [, mark, text] = /\[(INF|DBG|TRC|WRN|ERR|FTL)\] (.*)$/.exec(line) ?? []
  if (mark === undefined || text === undefined) return { level: 'error', text: line }
  if (text.startsWith(plaintextWarning)) return { level: 'debug', text }
  return { level: mark === 'WRN' ? 'warn' : mark === 'ERR' || mark === 'FTL' ? 'error' : 'debug', text }
}
