import { setTimeout as pause } from 'node:timers/promises'

import { converse } from '../../soak/converse.ts'

/** People who talk, one conversation after the other, and who call again when they are cut off. */
export interface Talkers {
  readonly seen: TalkersSeen
  /** Each ends what it has begun, and then has one more from its beginning to its end. */
  end(): Promise<void>
}

interface TalkersSeen {
  /** Of conversations that ended as they should. */
  readonly tookMs: number[]
  /** From being cut off until the next conversation has ended as it should. */
  readonly backAfterMs: number[]
  readonly cutOff: string[]
}

const callAgainMs = 500
/** Who cannot talk for so long gives up, and that is a failure. */
const patienceMs = 300_000

export function startTalkers(url: string, tokens: readonly string[]): Talkers {
  const seen: TalkersSeen = { tookMs: [], backAfterMs: [], cutOff: [] }
  let isEnding = false
  const hasEnded = (): boolean => isEnding
  let number = 0

  const untilItWorks = async (token: string): Promise<void> => {
    const startedMs = performance.now()
    for (let cutMs: number | undefined; performance.now() - startedMs < patienceMs; await pause(callAgainMs)) {
      const atMs = performance.now()
      try {
        await converse(url, token, (number += 1))
      } catch (error) {
        cutMs ??= performance.now()
        seen.cutOff.push(error instanceof Error ? error.message : String(error))
        continue
      }
      seen.tookMs.push(performance.now() - atMs)
      if (cutMs !== undefined) seen.backAfterMs.push(performance.now() - cutMs)
      return
    }
    throw new Error(`nobody answered for ${patienceMs} ms; last: ${seen.cutOff.at(-1)}`)
  }
  const talking = Promise.all(
    tokens.map(async (token) => {
      while (!hasEnded()) await untilItWorks(token)
      await untilItWorks(token)
    }),
  )
  talking.catch(() => undefined) // told when the end is waited for
  return {
    seen,
    async end() {
      isEnding = true
      await talking
    },
  }
}
