import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { openDevelopmentIssuer } from '../../infra/identity/development-issuer.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { apiAt } from '../support/api.ts'
import { gatewayEnvironment } from '../support/gateway.ts'
import { startTestNats } from '../support/nats.ts'
import { converse } from './converse.ts'
import { grown, leastOf, levelsOf } from './levels.ts'
import type { Levels, Watched } from './levels.ts'
import { round } from './load.ts'
import { watch } from './watch.ts'
import type { WatchedRole } from './watch.ts'
import type { WatchedName } from './watched-name.ts'

interface SoakRun {
  readonly seconds: number
  /** Of load before the first look, so that what is filled once is full. */
  readonly warmUpSeconds: number
  /** Between the ends and the beginnings of rounds. */
  readonly pauseMs: number
  /** In every so many rounds there is a conversation too: real models hear it, which is no low load. */
  readonly conversationEvery: number
}

export interface SoakReport {
  readonly rounds: number
  readonly start: Levels
  readonly end: Levels
  /** Heap of every role along the way. */
  readonly heaps: readonly string[]
  readonly grown: readonly string[]
}

const settings = {
  LOG_LEVEL: 'error',
  RECOGNISER: 'scripted',
  SWEEP_MS: '1000',
  CHUNK_RETRY_INTERVALS: '0.2,0.2,0.2',
  FILE_RETRY_INTERVALS: '0.2,0.2,0.2',
  REALTIME_PORT: '0',
  TTS_ENGINE: 'light',
}
const watchedNames = ['gateway', 'worker', 'realtime'] as const
/** Connections that nobody uses are closed after ten seconds, markers of what was deleted go a little later. */
const settleWithinMs = 40_000
const lookEveryMs = 1_000
const heapEveryMs = 60_000

export async function soak(run: SoakRun): Promise<SoakReport> {
  const nats = await startTestNats()
  const dataDir = await mkdtemp(join(tmpdir(), 'vaak-soak-'))
  const environment = gatewayEnvironment(nats, { dataDir, environment: settings })
  const roles = new Map<WatchedName, WatchedRole>()
  try {
    for (const name of watchedNames) roles.set(name, await watch(name, environment))
    const issuer = await openDevelopmentIssuer({ folder: join(dataDir, 'identity'), nodeEnv: '', clock: systemClock })
    const token = await issuer.sign({ user: 'soak', lifetimeSeconds: 86_400 })
    const api = apiAt(roles.get('gateway')!.url, token)
    const act = async (number: number): Promise<void> => {
      await round(api, number)
      if (number % run.conversationEvery === 0)
        await converse(roles.get('realtime')!.url, token, number / run.conversationEvery)
    }
    return await measure(run, act, { roles, broker: await nats.connect('soak') })
  } finally {
    for (const role of roles.values()) await role.stop()
    await nats.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measure(run: SoakRun, act: (number: number) => Promise<void>, watched: Watched): Promise<SoakReport> {
  let rounds = 0
  const heaps: string[] = []
  const load = async (seconds: number): Promise<void> => {
    const endMs = performance.now() + seconds * 1000
    let heapMs = performance.now() + heapEveryMs
    while (performance.now() < endMs) {
      rounds += 1
      await act(rounds)
      await pause(run.pauseMs)
      if (performance.now() < heapMs) continue
      heapMs += heapEveryMs
      heaps.push(await heapsOf(watched))
    }
  }
  await load(run.warmUpSeconds)
  const start = await settled(watched, (now, before) => before !== undefined && isSame(now, before))
  await load(run.seconds)
  const end = await settled(watched, (now) => grown(start, now).length === 0)
  return { rounds, start, end, heaps, grown: grown(start, end) }
}

function isSame(now: Levels, before: Levels): boolean {
  return grown(now, before).length === 0 && grown(before, now).length === 0
}

async function heapsOf({ roles }: Watched): Promise<string> {
  const all = await Promise.all(Array.from(roles.values(), (role) => role.holdings()))
  return all.map(({ heapMb }) => heapMb.toFixed(1)).join('/')
}

/**
 * Looks until nothing moves any more, or until it has waited long enough: then it is as it is. Of each thing the least that was
 * seen counts, since sweepers never rest and one of them may be at work in any moment.
 */
async function settled(
  watched: Watched,
  isQuiet: (least: Levels, before: Levels | undefined) => boolean,
): Promise<Levels> {
  const deadlineMs = performance.now() + settleWithinMs
  let before: Levels | undefined
  for (;;) {
    const least = leastOf(await levelsOf(watched), before)
    if (isQuiet(least, before) || performance.now() > deadlineMs) return least
    before = least
    await pause(lookEveryMs)
  }
}
