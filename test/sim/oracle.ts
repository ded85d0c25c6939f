import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import { runKey } from '../../actors/ids.ts'
import type { RunWork } from '../../actors/run/ports.ts'
import type { Process } from './world.ts'

/** Sees everything and forgets nothing: what was worked on, how often, and who died of it. */
export interface Oracle {
  /** By the name of a piece of work. */
  readonly tries: ReadonlyMap<string, number>
  readonly deaths: ReadonlyMap<string, number>
  /** How many messages of it were stored. */
  readonly messages: ReadonlyMap<string, number>
  enqueued(work: RunWork | ChunkWork): void
  /** Remembers who works on what, to know whose death was whose. */
  working<Result>(process: Process, on: string, work: () => Promise<Result>): Promise<Result>
  died(process: Process): void
}

export function nameOf(work: RunWork | ChunkWork): string {
  return 'step' in work ? `${work.step} ${runKey(work)}` : `hear ${runKey(work)} ${work.chunk}`
}

export function createOracle(): Oracle {
  const tries = new Map<string, number>()
  const deaths = new Map<string, number>()
  const messages = new Map<string, number>()
  const underWay = new Map<Process, Map<string, number>>()

  return {
    tries,
    deaths,
    messages,
    enqueued: (work) => tally(messages, nameOf(work), 1),
    async working(process, on, work) {
      const own = underWay.get(process) ?? new Map<string, number>()
      underWay.set(process, own)
      tally(own, on, 1)
      tally(tries, on, 1)
      try {
        return await work()
      } finally {
        tally(own, on, -1)
      }
    },
    died(process) {
      for (const [on, times] of underWay.get(process) ?? []) if (times > 0) tally(deaths, on, times)
      underWay.delete(process)
    },
  }
}

function tally(counts: Map<string, number>, what: string, by: number): void {
  counts.set(what, (counts.get(what) ?? 0) + by)
}
