import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import type { ExecutionContext } from 'ava'

import { isRunning } from '../../infra/process/process-identity.ts'
import type { RoleReady } from '../../infra/process/role.ts'
import { eventually } from './eventually.ts'
import { descendantsOf, endOutright } from './process-tree.ts'

const ownProgram = fileURLToPath(new URL('../../infra/cli/vaak.js', import.meta.url))

interface ProcessEnding {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** `vaak` as a process of its own, as a person or an init system starts it. */
export interface VaakProcess {
  readonly pid: number
  readonly stdout: string
  readonly stderr: string
  readonly ended: Promise<ProcessEnding>
  /** Resolves with the address of the API; rejects when the process ends first. */
  ready(): Promise<string>
  signal(signal: NodeJS.Signals): void
  /** As a reader does that has seen enough. */
  closeOutput(): void
  kill9(): Promise<ProcessEnding>
  /** Politely, as an init system would. */
  stop(): Promise<ProcessEnding>
}

/** Nothing of it is left when the test ends, whatever the test did. */
export function startVaak(
  t: Pick<ExecutionContext, 'teardown'>,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): VaakProcess {
  return startProgram(t, { words, environment })
}

interface Program {
  /** Unless it is this version's. */
  readonly program?: string
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export function startProgram(
  t: Pick<ExecutionContext, 'teardown'>,
  { program = ownProgram, words, environment }: Program,
): VaakProcess {
  const child = spawn(process.execPath, [program, ...words], {
    // nobody listens: 180 MB are not fetched for it, and where they are, no seconds of both cores go into trying the voice
    env: { ...essentials(), TTS_FETCH: 'false', TTS_ENGINE: 'light', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const ended = endingOf(child)
  const url = firstUrl(child, output)
  const signal = (name: NodeJS.Signals): void => void child.kill(name)
  t.teardown(() => endWithEverything(child, ended))

  const endBy = (name: NodeJS.Signals): Promise<ProcessEnding> => {
    signal(name)
    return ended
  }
  return {
    pid: child.pid ?? 0,
    get stdout() {
      return output.stdout
    },
    get stderr() {
      return output.stderr
    },
    ended,
    async ready() {
      const first = await Promise.race([url, ended])
      if (typeof first === 'string') return first
      throw new Error(`vaak ${words.join(' ')} ended (${JSON.stringify(first)}) before it was ready:\n${output.stderr}`)
    },
    signal,
    closeOutput: () => child.stdout?.destroy(),
    kill9: () => endBy('SIGKILL'),
    stop: () => endBy('SIGTERM'),
  }
}

/** Runs a command that ends by itself. */
export async function runVaak(
  t: Pick<ExecutionContext, 'teardown'>,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProcessEnding & { stdout: string; stderr: string }> {
  const run = startVaak(t, words, environment)
  const ending = await run.ended
  return { ...ending, stdout: run.stdout, stderr: run.stderr }
}

/** What a program needs of the surrounding environment; none of its own variables, and no login of who runs the tests. */
function essentials(): Record<string, string> {
  const names = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'VAAK_CACHE', 'NATS_SERVER_BIN', 'TMPDIR', 'NODE_EXTRA_CA_CERTS']
  const found = names.flatMap((name): [string, string][] => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(found), VAAK_LOGIN_FILE: '/nowhere/login.json' }
}

function endingOf(child: ChildProcess): Promise<ProcessEnding> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // `close` comes after the last word of the child's output, `exit` may come before it
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}

/** A role tells its parent; `vaak up` tells people. */
function firstUrl(child: ChildProcess, output: { readonly stdout: string }): Promise<string> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve((message as RoleReady).url ?? '')) // as: role.ts sends nothing else
    child.stdout?.on('data', () => {
      const [, url] = /^ *API +(https?:\S+)$/m.exec(output.stdout) ?? []
      if (url !== undefined && output.stdout.includes('Ctrl-C')) resolve(url)
    })
  })
}

async function endWithEverything(child: ChildProcess, ended: Promise<ProcessEnding>): Promise<void> {
  const below = child.pid === undefined ? [] : descendantsOf(child.pid)
  child.kill('SIGKILL')
  endOutright(below)
  await ended.catch(() => undefined)
  await eventually('everything it started has ended', () => !below.some(isRunning))
}
