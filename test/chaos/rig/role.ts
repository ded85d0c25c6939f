import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

import { eventually } from '../../support/eventually.ts'
import type { Link } from './link.ts'
import { clockFileVariable } from './clock-file.ts'

/** A gateway or a worker, kept alive as an init system would until it is told to stay down. */
export interface RigRole {
  readonly name: string
  readonly kind: 'gateway' | 'worker'
  /** Its ways to each node of the broker. */
  readonly links: readonly Link[]
  isReady(): boolean
  up(): void
  /** Resolves when it is ready. */
  ready(withinMs: number): Promise<void>
  /** Down and stays down. */
  kill9(): Promise<void>
  stop(): Promise<void>
  freeze(): void
  thaw(): void
  /** From now on its wall clock is so far off. */
  setClock(offsetMs: number): Promise<void>
  /** The next life is lived with these as well, and only that one. */
  arm(environment: Readonly<Record<string, string>>): void
}

interface RoleOptions {
  readonly name: string
  readonly kind: RigRole['kind']
  readonly program: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** How wrong its clock is, in milliseconds. */
  readonly clockFile: string
  readonly links: readonly Link[]
  readonly logFile: string
  readonly events: RoleEvents
}

export interface RoleEvents {
  /** It ended by itself, after it had been ready, in a way that nobody asked for. */
  crashed(name: string, how: string): void
  /** A line of its log at level error, or what the runtime itself says when a process dies of a bug. */
  complained(name: string, line: string): void
}

const restartMs = 300
const essentials = ['PATH', 'HOME', 'VAAK_CACHE', 'XDG_CACHE_HOME', 'TMPDIR']

export function aRole(options: RoleOptions): RigRole {
  let child: ChildProcess | undefined
  let isWanted = false
  let isReady = false
  let isFrozen = false
  let armed: Readonly<Record<string, string>> = {}

  const mustLive = (): boolean => isWanted
  const live = async (): Promise<void> => {
    while (mustLive()) {
      const one = start(options, armed)
      armed = {}
      child = one
      if (isFrozen) one.kill('SIGSTOP')
      one.once('message', () => {
        isReady = true
      })
      const [code, signal] = await once(one, 'close')
      if (isWanted && isReady && signal !== 'SIGKILL') options.events.crashed(options.name, `${code ?? signal}`)
      isReady = false
      child = undefined
      if (isWanted) await pause(restartMs)
    }
  }
  let living = Promise.resolve()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    isWanted = false
    child?.kill('SIGCONT')
    isFrozen = false
    child?.kill(signal)
    await living
  }
  return {
    name: options.name,
    kind: options.kind,
    links: options.links,
    isReady: () => isReady,
    up() {
      if (isWanted) return
      isWanted = true
      living = living.then(live)
    },
    ready: async (withinMs) => void (await eventually(`${options.name} is ready`, () => isReady, withinMs)),
    kill9: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze() {
      isFrozen = true
      child?.kill('SIGSTOP')
    },
    thaw() {
      isFrozen = false
      child?.kill('SIGCONT')
    },
    setClock: (offsetMs) => writeFile(options.clockFile, String(offsetMs)),
    arm(environment) {
      armed = environment
    },
  }
}

function start(options: RoleOptions, armed: object): ChildProcess {
  const surrounding = Object.fromEntries(essentials.map((key) => [key, process.env[key]]))
  const { name, program, environment, clockFile, events, logFile } = options
  const clock = { [clockFileVariable]: clockFile }
  const child = spawn(process.execPath, ['--import', import.meta.resolve('./wrong-clock.js'), ...program], {
    env: { ...surrounding, ...clock, ...environment, ...armed },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (child.stderr) {
    // kept open: its last lines may be read when the folder is gone already
    const log = openSync(logFile, 'a')
    createInterface({ input: child.stderr })
      .on('line', (line) => {
        writeSync(log, `${line}\n`)
        if (isGrave(line)) events.complained(name, line)
      })
      .once('close', () => closeSync(log))
  }
  return child
}

function isGrave(line: string): boolean {
  const [, level] = /^\{"level":"(\w+)"/.exec(line) ?? []
  return level === undefined ? line.trim() !== '' : level === 'error' || level === 'fatal'
}
