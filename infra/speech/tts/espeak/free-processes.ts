import { createChildPool } from '../../../process/child-pool.ts'
import { ProcessDied, startESpeakProcess } from './process.ts'
import type { ESpeakProcess } from './process.ts'

/** Processes of the phoneme engine, handed out one request each. */
interface FreeProcesses {
  /** Whether one takes requests. */
  readonly isReady: boolean
  readonly isClosed: boolean
  pids(): readonly number[]
  /** Starts the first. */
  begin(): void
  /** The one that is free first: to start one takes a second, and one at work is mostly done before. */
  take(): Promise<ESpeakProcess>
  /** For the next. */
  giveBack(process: ESpeakProcess): void
  close(): Promise<void>
}

interface FreeProcessesOptions {
  readonly niceness: number | undefined
  /** A process is replaced after so many requests. */
  readonly requestsPerProcess: number
}

interface Taker {
  readonly resolve: (process: ESpeakProcess) => void
  readonly reject: (reason: unknown) => void
}

export function openFreeProcesses({ niceness, requestsPerProcess }: FreeProcessesOptions): FreeProcesses {
  const pool = createChildPool({ start: () => startESpeakProcess(niceness), end: (process) => process.end() })
  const takers: Taker[] = []
  let starting = 0
  let closed = false

  async function startOne(): Promise<void> {
    starting += 1
    const process = pool.start()
    try {
      await process.ready
      giveBack(process)
    } catch (error) {
      takers.shift()?.reject(error)
    } finally {
      starting -= 1
    }
  }

  function giveBack(process: ESpeakProcess): void {
    if (closed || process.requests >= requestsPerProcess) return process.end()
    const taker = takers.shift()
    if (taker) return taker.resolve(process)
    process.rest()
    pool.letWait(process)
  }

  return {
    get isReady() {
      return pool.size > starting
    },
    get isClosed() {
      return closed
    },
    pids: () => pool.all().flatMap(({ pid }) => pid ?? []),
    begin() {
      if (pool.size === 0) void startOne()
    },
    async take() {
      const process = pool.takeWaiting()
      if (process) return process
      return new Promise((resolve, reject) => {
        takers.push({ resolve, reject })
        if (starting < takers.length) void startOne()
      })
    },
    giveBack,
    async close() {
      closed = true
      for (const { reject } of takers.splice(0)) reject(new ProcessDied('the voices are closed', false))
      await pool.close()
    },
  }
}
