import { isRetryable } from '../failure.ts'
import type { Log, Records, Revision } from '../ports.ts'
import type { WorkerPulse } from './state.ts'

const lookMs = 1_000
/** The entry vanishes by itself after three that were missed. */
const looksPerPulse = 15

/** Tells, again and again, that this worker lives and how fast it is; and at once what it waits for, and its first speed. */
export function startPulse(input: {
  readonly workers: Records<WorkerPulse>
  readonly workerId: string
  readonly log: Log
  read(): WorkerPulse
}): { stop(): Promise<void> } {
  const { workers, workerId, log } = input
  let last: Promise<Revision | undefined> = Promise.resolve(undefined)
  let isBeating = false
  let looks = 0
  let told: string | undefined

  const beat = async (before: Revision | undefined): Promise<Revision | undefined> => {
    try {
      const written =
        before === undefined
          ? await workers.create(workerId, input.read())
          : await workers.replace(workerId, input.read(), before)
      if (typeof written === 'number') return written
      // it vanished while the broker was away, or the write before was taken for lost
      return (await workers.read(workerId))?.revision
    } catch (error) {
      if (!isRetryable(error)) log.error('pulse failed', { error })
      return before
    }
  }
  const look = (): void => {
    const news = newsIn(input.read())
    looks += 1
    if (isBeating || (news === told && looks % looksPerPulse !== 1)) return
    isBeating = true
    told = news
    last = last.then(beat).finally(() => {
      isBeating = false
    })
  }
  look()
  const timer = setInterval(look, lookMs)
  return {
    async stop() {
      clearInterval(timer)
      await last
      await workers.remove(workerId).catch(() => undefined)
    },
  }
}

function newsIn({ waitingFor, heardPerSecond }: WorkerPulse): string {
  return JSON.stringify([waitingFor, heardPerSecond === undefined])
}
