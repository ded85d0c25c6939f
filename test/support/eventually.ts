import { setTimeout as pause } from 'node:timers/promises'

const pollMs = 20

/**
 * Waits for a condition instead of for a time: resolves with the first truthy answer, or fails with the last reason. The limit
 * is only there so that a test ends: nothing on a busy machine takes as long, and no test is about it.
 */
export async function eventually<T>(what: string, ask: () => Promise<T> | T, withinMs = 120_000): Promise<Answer<T>> {
  const deadline = performance.now() + withinMs
  let last: unknown = 'it stayed false'
  while (performance.now() < deadline) {
    try {
      const answer = await ask()
      if (isAnswer(answer)) return answer
    } catch (error) {
      last = error
    }
    await pause(pollMs)
  }
  throw new Error(`${what}: not within ${withinMs} ms`, { cause: last })
}

type Answer<T> = Exclude<T, undefined | null | false>

function isAnswer<T>(value: T): value is Answer<T> {
  return value !== undefined && value !== null && value !== false
}
