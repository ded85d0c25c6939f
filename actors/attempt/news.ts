import type { Log, Timer } from '../ports.ts'

interface NewsPorts {
  readonly timer: Timer
  readonly log: Log
}

interface News {
  /** 0 tells at once, before the work begins; Infinity never does. */
  readonly afterMs: number
  readonly tell: () => Promise<void>
}

/**
 * Tells that work has begun when it is still under way after a while. Nothing hangs on that but what people see, and each such report is
 * several writes: of what is over sooner its outcome says enough.
 */
export async function withNews<Value>(
  { timer, log }: NewsPorts,
  { afterMs, tell }: News,
  work: () => Promise<Value>,
): Promise<Value> {
  if (afterMs === 0) {
    await tell()
    return work()
  }
  let telling: Promise<void> = Promise.resolve()
  const callOff = timer.after(afterMs, () => {
    telling = tell().catch((error: unknown) => log.info('nobody was told that work has begun', { error }))
  })
  try {
    return await work()
  } finally {
    callOff()
    // what is told of its beginning comes before what is told of its end
    await telling
  }
}
