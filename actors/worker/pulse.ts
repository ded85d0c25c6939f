import { isRetryable } from '../failure.ts'
import type { Log, Records, Revision } from '../ports.ts'
import type { WorkerPulse } from './state.ts'

/** The entry vanishes by itself after three that were missed. */
const pulseMs = 15_000

/** Tells, again and again, that this worker lives and how fast it is. */
export function startPulse(of: {
  readonly workers: Records<WorkerPulse>
  readonly workerId: string
  readonly log: Log
  read(): WorkerPulse
}): { stop(): Promise<void> } {
  const { workers, workerId, log } = of
  let last: Promise<Revision | undefined> = Promise.resolve(undefined)

  const beat = async (before: Revision | undefined): Promise<Revision | undefined> => {
    try {
      const written =
        before === undefined
          ? await workers.create(workerId, of.read())
          : await workers.replace(workerId, of.read(), before)
      if (typeof written === 'number') return written
      // it vanished while the broker was away, or the write before was taken for lost
      return (await workers.read(workerId))?.revision
    } catch (error) {
      if (!isRetryable(error)) log.error('pulse failed', { error })
      return before
    }
  }
  const next = (): void => {
    last = last.then(beat)
  }
  next()
  const timer = setInterval(next, pulseMs)
  return {
    async stop() {
      clearInterval(timer)
      await last
      await workers.remove(workerId).catch(() => undefined)
    },
  }
}
