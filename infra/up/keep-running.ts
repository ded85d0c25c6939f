import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { Log } from '../../actors/ports.ts'
import type { Environment } from '../config/config.ts'
import type { BrokerRole } from '../nats/topology/roles.ts'
import { afterDeath } from '../process/restart-policy.ts'
import type { RestartPolicy } from '../process/restart-policy.ts'
import type { RoleReady } from '../process/role.ts'

/** Roles as processes of their own, brought back when they die. */

const program = fileURLToPath(new URL('../cli/vaak.js', import.meta.url))
const restartPolicy: RestartPolicy = { firstDelayMs: 200, longestDelayMs: 5_000, deathsMax: 5, windowMs: 60_000 }

/** Which variable decides where a role listens; a worker listens nowhere. */
const portVariables: Readonly<Record<BrokerRole, string>> = {
  gateway: 'PORT',
  worker: 'PORT',
  realtime: 'REALTIME_PORT',
}

export interface Keeping {
  readonly log: Log
  readonly stopping: AbortSignal
  /** Whether people were told that the service is there. */
  readonly isUp: () => boolean
  /** What people call it, where there are several of its role. */
  readonly name?: string
}

export interface KeptRole {
  readonly url: string
  readonly gaveUp: Promise<Error>
  readonly ended: Promise<unknown>
}

/**
 * Resolves when the role is ready for the first time, or with nothing when we were told to stop before that; afterwards
 * brings it back whenever it dies.
 */
export async function keepRunning(
  role: BrokerRole,
  environment: Environment,
  input: Keeping,
): Promise<KeptRole | undefined> {
  const name = input.name ?? role
  const first = spawnRole(role, environment, input)
  const ready = await Promise.race([readiness(first), exited(first)])
  if (!ready && input.stopping.aborted) return undefined
  if (!ready) throw new Error(`The ${name} did not start; its message is above.`)
  // who comes back must be found at the address that was told, also when the system chose the port
  const { url = '' } = ready
  const again = url === '' ? environment : { ...environment, [portVariables[role]]: new URL(url).port }
  const ended = keepAlive(role, first, { ...input, name, environment: again })
  return { url, ended, gaveUp: ended.then((error) => error ?? neverSettled()) }
}

async function keepAlive(
  role: BrokerRole,
  first: ChildProcess,
  input: Keeping & { readonly name: string; readonly environment: Environment },
): Promise<Error | undefined> {
  const { name } = input
  let deaths: readonly number[] = []
  for (let child = first; ; child = spawnRole(role, input.environment, input)) {
    await exited(child)
    if (input.stopping.aborted) return undefined
    const next = afterDeath(restartPolicy, deaths, performance.now())
    if (!next.restart)
      return new Error(`The ${name} died ${next.recentDeaths.length} times in a row; see its log above.`)
    input.log.error('role died and is started again', { name, exitCode: child.exitCode, signal: child.signalCode })
    deaths = next.recentDeaths
    await pause(next.delayMs, undefined, { signal: input.stopping }).catch(() => undefined)
    if (input.stopping.aborted) return undefined
  }
}

async function exited(child: ChildProcess): Promise<undefined> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** In a process group of its own, so that Ctrl-C reaches it through us, in order; it ends itself when we are gone. */
function spawnRole(role: BrokerRole, environment: Environment, { stopping, isUp }: Keeping): ChildProcess {
  const child = fork(program, [role], {
    env: { ...environment },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // what nobody was told of has nothing to finish
  const stop = (): void => void child.kill(isUp() ? 'SIGTERM' : 'SIGKILL')
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop, { once: true })
  child.once('exit', () => stopping.removeEventListener('abort', stop))
  return child
}

function readiness(child: ChildProcess): Promise<RoleReady> {
  return new Promise((resolved) => {
    child.once('message', (message) => resolved(message as RoleReady)) // as: role.ts sends nothing else
  })
}

export function neverSettled(): Promise<never> {
  return new Promise(() => undefined)
}
