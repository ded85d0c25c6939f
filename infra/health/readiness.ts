import { FailureError, sentenceOf } from '../../actors/failure.ts'
import type { AskReadiness, Dependency, Readiness } from '../../actors/health/ports.ts'
import type { Clock, Log } from '../../actors/ports.ts'

interface ReadinessPorts {
  readonly clock: Clock
  readonly log: Log
  /** What is told of besides, as it is for as long as the process lives: it keeps nobody from working. */
  readonly facts?: Readonly<Record<string, string>>
}

/** Looking writes to the broker and to storage: nobody makes that happen more often than this by asking. */
export const freshForMs = 1_000
const checkWithinMs = 3_000

export function openReadiness(dependencies: Readonly<Record<string, Dependency>>, ports: ReadinessPorts): AskReadiness {
  const checks = Object.entries(dependencies).map(([name, check]) => [name, oneAtATime(check, ports.log)] as const)
  let last: { readonly answer: Promise<Readiness>; readonly atMs: number } | undefined
  const look = async (): Promise<Readiness> => {
    const found = await Promise.all(checks.map(async ([name, check]) => [name, await check()] as const))
    // from when it is known
    if (last) last = { ...last, atMs: ports.clock.elapsedMs() }
    return {
      isReady: found.every(([, state]) => state === 'ok'),
      dependencies: { ...Object.fromEntries(found), ...ports.facts },
    }
  }
  return () => {
    if (!last || ports.clock.elapsedMs() - last.atMs >= freshForMs) last = { answer: look(), atMs: Infinity }
    return last.answer
  }
}

/** A look that does not end is not joined by others: who asks meanwhile is told that there is no answer. */
function oneAtATime(check: Dependency, log: Log): () => Promise<string> {
  let looking: Promise<string> | undefined
  return async () => {
    looking ??= stateOf(check, log).finally(() => {
      looking = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`no answer within ${checkWithinMs / 1000} seconds`), checkWithinMs)
    })
    return Promise.race([looking, late]).finally(() => clearTimeout(timer))
  }
}

async function stateOf(check: Dependency, log: Log): Promise<string> {
  try {
    await check()
    return 'ok'
  } catch (error) {
    // anybody may ask: only what is written for callers is told
    if (error instanceof FailureError) return sentenceOf(error.failure)
    log.error('a look at a dependency failed', { error })
    return 'not available'
  }
}
