import { statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import type { Log } from '../../actors/ports.ts'
import { freePort } from '../process/free-port.ts'
import { afterDeath } from '../process/restart-policy.ts'
import type { RestartPolicy } from '../process/restart-policy.ts'
import { launcherFor, spawnNatsServer } from './child.ts'
import type { NatsChild } from './child.ts'
import { stopOrphan } from './orphan.ts'
import { newAddress, writeSettings } from './settings.ts'
import type { NatsAddress } from './settings.ts'
import { checkStoreKey } from './store-key.ts'

export interface StartNatsServerOptions {
  readonly binary: string
  /** Ours alone: holds the JetStream store, the settings and the note of the running child. */
  readonly storeDir: string
  readonly log: Log
  /** 0 or absent: three quarters of what is free when it starts, as it decides itself. */
  readonly maxFileStoreBytes?: number
  /** What the store is encrypted with; empty or absent: it is not. */
  readonly storeKey?: string
  readonly readyWithinMs?: number
  readonly stopWithinMs?: number
  readonly restartPolicy?: RestartPolicy
  /** How often it is looked whether a disk that was full has room again. */
  readonly lookForRoomMs?: number
  /** False leaves the server running when this process is killed outright, until the next start. For tests. */
  readonly endWithParent?: boolean
}

export interface SupervisedNatsServer extends NatsAddress {
  /** Of the child running now. */
  readonly pid: number
  /** Resolves with nothing after `stop`, or with the reason why the server is no longer kept alive. */
  readonly exited: Promise<Error | undefined>
  stop(): Promise<void>
}

/** Reading back a large store takes its time; a server that is merely slow must not be killed for it. */
const readyWithinMs = 120_000
const stopWithinMs = 10_000
const portTries = 3
const lookForRoomMs = 15_000
const roomNeededBytes = 16 * 1024 * 1024
const restartPolicy: RestartPolicy = { firstDelayMs: 100, longestDelayMs: 5_000, deathsMax: 5, windowMs: 60_000 }

/** A private nats-server that is brought back on the same port, with the same store and secret, whenever it dies. */
export async function startNatsServer(options: StartNatsServerOptions): Promise<SupervisedNatsServer> {
  await stopOrphan(options.storeDir, options.log)
  await checkStoreKey(options.storeDir, options.storeKey ?? '')
  const launcher = options.endWithParent === false ? [] : await launcherFor(options.binary)
  const { address, child, spawnAgain } = await firstStart(options, launcher)
  options.log.info('nats-server is ready', { pid: child.pid, port: address.port })

  let current = child
  const stopping = new AbortController()
  const exited = keepAlive(options, {
    first: child,
    stopping: stopping.signal,
    again() {
      current = spawnAgain()
      return current
    },
  }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  return {
    ...address,
    get pid() {
      return current.pid
    },
    exited,
    async stop() {
      stopping.abort()
      await current.stop(options.stopWithinMs ?? stopWithinMs)
      await exited
    },
  }
}

/** The port was free a moment ago; when somebody was quicker, the server ends at once and another port is drawn. */
async function firstStart(
  options: StartNatsServerOptions,
  launcher: readonly string[],
): Promise<{ address: NatsAddress; child: NatsChild; spawnAgain: () => NatsChild }> {
  for (let attempt = 1; ; attempt += 1) {
    const address = newAddress(await freePort())
    const isEncrypted = (options.storeKey ?? '') !== ''
    const settingsFile = await writeSettings(options.storeDir, address, { ...options, isEncrypted })
    const spawnAgain = (): NatsChild => spawnNatsServer({ ...options, address, launcher, settingsFile })
    const child = spawnAgain()
    try {
      await child.ready(options.readyWithinMs ?? readyWithinMs)
      return { address, child, spawnAgain }
    } catch (error) {
      await child.stop(options.stopWithinMs ?? stopWithinMs)
      const portTaken = error instanceof Error && error.message.includes('address already in use')
      if (!portTaken || attempt >= portTries) throw error
    }
  }
}

interface Life {
  readonly first: NatsChild
  readonly stopping: AbortSignal
  again(): NatsChild
}

async function keepAlive(options: StartNatsServerOptions, life: Life): Promise<Error | undefined> {
  const { log } = options
  const policy = options.restartPolicy ?? restartPolicy
  let deaths: readonly number[] = []
  let child = life.first
  for (;;) {
    void mend(options, child, life.stopping)
    const reason = await child.exited
    if (life.stopping.aborted) return undefined
    const next = afterDeath(policy, deaths, performance.now())
    deaths = next.recentDeaths
    if (!next.restart)
      return new Error(
        `nats-server died ${deaths.length} times within ${policy.windowMs / 1000} s and is not started again. ` +
          `The last time: ${reason}. Its store is ${options.storeDir}.`,
      )
    log.error('nats-server died and is started again', { reason, delayMs: next.delayMs })
    await pause(next.delayMs, undefined, { signal: life.stopping }).catch(() => undefined)
    if (life.stopping.aborted) return undefined
    child = life.again()
    const { pid } = child
    child.ready(options.readyWithinMs ?? readyWithinMs).then(
      () => log.info('nats-server is back', { pid }),
      (error: unknown) => {
        if (!life.stopping.aborted) log.warn('nats-server is not back', { pid, reason: String(error) })
      },
    )
  }
}

/**
 * A server that met a full disk goes on and answers, but what failed stays failed: once there is room it is started anew. Not before, since
 * it could not even write down that it has started. Seldom enough that these restarts never count as dying again and again.
 */
async function mend(options: StartNatsServerOptions, child: NatsChild, stopping: AbortSignal): Promise<void> {
  await child.failedToWrite
  options.log.error('nats-server cannot write: its disk is full', { storeDir: options.storeDir })
  const ended = new AbortController()
  void child.exited.then(() => ended.abort())
  const over = AbortSignal.any([stopping, ended.signal])
  while (!over.aborted) {
    await pause(options.lookForRoomMs ?? lookForRoomMs, undefined, { signal: over }).catch(() => undefined)
    if (over.aborted || (await roomIn(options.storeDir)) < roomNeededBytes) continue
    options.log.warn('nats-server has room again and is started anew')
    await child.stop(options.stopWithinMs ?? stopWithinMs)
  }
}

async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
