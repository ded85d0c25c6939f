import { setMaxListeners } from 'node:events'

import { codeOf } from '../../infra/process/error-code.ts'
import { giveWay } from '../../infra/process/give-way.ts'
import type { Attack, Target } from './attacks/attack.ts'
import { fuzzAttack } from './attacks/fuzz.ts'
import { requestAttacks } from './attacks/requests.ts'
import { sessionAttacks } from './attacks/sessions.ts'
import { workAttacks } from './attacks/work.ts'

/**
 * The hostile tenant, as a process and a session of its own: everything at once until it is told to stop, then what came of it. It is
 * the last to get the processor, with all of its threads, since in earnest it has a machine of its own.
 */

/** Of each attack, how often it ended how. */
export type Tally = Readonly<Record<string, Readonly<Record<string, number>>>>

export interface HostileOrder {
  readonly url: string
  readonly token: string
  readonly seed: number
  /** Which attacks, by a part of their names; all when it is empty. */
  readonly only: string
}

const leastPriority = 19
const cutOff = new Set(['EPIPE', 'ECONNRESET'])

giveWay(leastPriority)
process.once('disconnect', () => process.exit(0))
// a connection that is cut off while nobody listens to it any more is no reason to leave
process.on('uncaughtException', (error) => {
  if (!cutOff.has(codeOf(error))) throw error
})
process.once('message', (order: HostileOrder) => void attackUntilTold(order))

async function attackUntilTold({ url, token, seed, only }: HostileOrder): Promise<void> {
  const stopping = new AbortController()
  const target = { url, token, signal: stopping.signal }
  const tally: Record<string, Record<string, number>> = {}
  setMaxListeners(0, stopping.signal)
  const attacks = [...requestAttacks, ...workAttacks, ...sessionAttacks, await fuzzAttack(target, seed)].filter(
    ({ name }) => name.includes(only),
  )
  process.once('message', () => stopping.abort())
  process.send?.('begun')
  await Promise.all(
    attacks.flatMap((attack) => {
      const counts = (tally[attack.name] = {})
      return Array.from({ length: attack.lanes }, () => lane(attack, target, counts))
    }),
  )
  process.send?.(tally satisfies Tally, () => process.exit(0))
}

async function lane(attack: Attack, target: Target, counts: Record<string, number>): Promise<void> {
  for (let number = 0; !target.signal.aborted; number += 1) {
    const outcome = await attack.strike(target, number).catch((error: Error) => error.message)
    if (!target.signal.aborted) counts[outcome] = (counts[outcome] ?? 0) + 1
    // what is refused at once is tried again in the next turn of the loop, and never starves the others here
    await new Promise((resolve) => setImmediate(resolve))
  }
}
