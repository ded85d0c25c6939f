import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { goodRound } from './good-tenant.ts'
import type { Deed } from './good-tenant.ts'
import type { HostileOrder, Tally } from './hostile-tenant.ts'
import { openHouse } from './house.ts'
import type { House } from './house.ts'

interface NeighboursRun {
  /** Alone, before the hostile tenant comes: what it has submitted is at work for long after it has gone. */
  readonly calmSeconds: number
  readonly hostileSeconds: number
  readonly seed: number
  /** Which attacks, by a part of their names; all when it is empty. */
  readonly only: string
  /** What happens now, a line each. */
  readonly say: (line: string) => void
  /** Rejects when nobody wants it any more; nothing of it goes on then. */
  readonly interrupted: Promise<never>
}

export interface NeighboursReport {
  readonly calm: readonly Deed[]
  readonly beside: readonly Deed[]
  readonly tally: Tally
}

const program = fileURLToPath(new URL('hostile-tenant.js', import.meta.url))
/** Before anything counts: models are loaded by the first who needs them. */
const warmUpRounds = 2

/** A good tenant alone, and then beside a hostile one. */
export async function runNeighbours(run: NeighboursRun): Promise<NeighboursReport> {
  const house = await openHouse()
  try {
    return await Promise.race([livedIn(house, run), run.interrupted])
  } finally {
    await house.stop()
  }
}

async function livedIn(house: House, run: NeighboursRun): Promise<NeighboursReport> {
  const { calmSeconds, hostileSeconds, seed, only, say } = run
  const { url } = house
  const token = await house.tokenOf('good')
  let number = 0
  const live = async (seconds: number, deeds: Deed[]): Promise<Deed[]> => {
    const endMs = performance.now() + seconds * 1_000
    do await goodRound({ url, token, tell: (deed) => void deeds.push(deed) }, (number += 1))
    while (performance.now() < endMs)
    return deeds
  }
  say('Everything is started; the first rounds load the models.')
  for (let round = 0; round < warmUpRounds; round += 1) await live(0, [])
  say(`The good tenant is alone for ${calmSeconds} s.`)
  const calm = await live(calmSeconds, [])
  say(`The hostile one moves in for ${hostileSeconds} s.`)
  const leave = await hostileMovesIn({ url, token: await house.tokenOf('hostile'), seed, only })
  const beside = await live(hostileSeconds, [])
  return { calm, beside, tally: await leave() }
}

/** Resolves when it has begun, with how to make it leave. It leaves by itself when this process ends. */
async function hostileMovesIn(order: HostileOrder): Promise<() => Promise<Tally>> {
  const child = fork(program, [], { execArgv: ['--enable-source-maps'], detached: true })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the hostile tenant ended by itself (${code})`)
  })
  ended.catch(() => undefined) // it may, once it has left
  const says = (): Promise<unknown[]> => Promise.race([once(child, 'message'), ended])
  child.send(order)
  await says()
  return async () => {
    child.send('leave')
    const [tally] = (await says()) as [Tally] // as: it says nothing else
    return tally
  }
}
