import { setTimeout as pause } from 'node:timers/promises'

const pollMsMin = 20
const pollMsMax = 100
/** Who has waited long is told a little later, and leaves the machine to what is waited for. */
const pollShare = 0.1

/**
 * Waits for a condition instead of for a time: resolves with the first truthy answer, or fails with the last reason. The limit
 * is only there so that a test ends: nothing on a busy machine takes as long, and no test is about it.
 */
export async function eventually<T>(what: string, ask: () => Promise<T> | T, withinMs = 120_000): Promise<Answer<T>> {
  const begun = performance.now()
  const waitedMs = (): number => performance.now() - begun
  let last: unknown = 'it stayed false'
  while (waitedMs() < withinMs) {
    try {
      const answer = await ask()
      if (isAnswer(answer)) return answer
    } catch (error) {
      last = error
    }
    await pause(Math.min(pollMsMax, Math.max(pollMsMin, waitedMs() * pollShare)))
  }
  throw new Error(`${what}: not within ${withinMs} ms`, { cause: last })
}

type Answer<T> = Exclude<T, undefined | null | false>

function isAnswer<T>(value: T): value is Answer<T> {
  return value !== undefined && value !== null && value !== false
}
