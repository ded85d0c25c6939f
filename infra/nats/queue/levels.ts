import { lanePlans, levelPlans } from '../topology/consumers.ts'
import type { ConsumerPlan } from '../topology/consumers.ts'
import { oldDueSubjects, storedSubject } from '../topology/queue-names.ts'
import type { WorkStream } from '../topology/queue-names.ts'
import type { Delivery } from './delivery.ts'
import { watchForgotten } from './forgotten.ts'
import { hasOldWork } from './old-work.ts'
import { openWorkSource } from './work-source.ts'
import type { WorkSource, WorkSourceOptions } from './work-source.ts'

export interface LevelRoom {
  readonly first: number
  readonly others: number
}

/** The levels of one stream. The first goes first, and the others are not forgotten. */
interface QueueLevels {
  /** At most as many as there is room for, of one level; nothing when all are empty, or nobody has called since they were. */
  take(room: LevelRoom): Promise<readonly Delivery[]>
  /** Any of them may have something that nobody called for. */
  suspect(): void
  close(): Promise<void>
}

interface LevelsOptions extends Omit<WorkSourceOptions, 'forgotten'> {
  readonly stream: WorkStream
  readonly isAway?: () => boolean
  readonly ackWaitMs: number
}

export function openLevels(options: LevelsOptions): QueueLevels {
  const { stream, ackWaitMs, connection, log } = options
  const forgotten = watchForgotten({ ...options, stream: stream.name })
  const open = (plan: ConsumerPlan): WorkSource => openWorkSource(plan, { ...options, forgotten })
  const levels = levelPlans(stream, ackWaitMs).map(open)
  let lanes: readonly WorkSource[] = []
  let turns = 0
  let isClosed = false

  /** Work of the version before is here, or comes while it runs beside this one. */
  const readLanes = (): void => {
    if (isClosed || lanes.length > 0) return
    log.info('work of the version before is read as well', { stream: stream.name })
    lanes = lanePlans(stream, ackWaitMs).map(open)
  }
  const old = connection.subscribe(storedSubject(oldDueSubjects(stream)), { callback: readLanes })
  void hasOldWork(options).then((isThere) => isThere && readLanes())

  /** Lanes are alike, and take turns behind the last level. */
  const inOrder = (): WorkSource[] => {
    turns += 1
    const from = turns % Math.max(1, lanes.length)
    const all = [...levels, ...lanes.slice(from), ...lanes.slice(0, from)]
    const [first] = all.splice(Math.min(startOf(turns), all.length - 1), 1)
    return first ? [first, ...all] : all
  }
  return {
    async take({ first, others }) {
      for (const source of inOrder()) {
        const room = source === levels[0] ? first : others
        if (room <= 0 || !source.mayHave()) continue
        const taken = await source.take(room)
        // what is in hand does not wait for the next to answer
        if (taken === 'troubled') return []
        if (taken.length > 0) return taken
      }
      return []
    },
    suspect() {
      for (const source of [...levels, ...lanes]) source.suspect()
    },
    async close() {
      isClosed = true
      old.unsubscribe()
      await Promise.all([...levels, ...lanes].map((source) => source.close()))
    },
  }
}

const turnsPerLevel = 4

/** Of four turns three begin with the first level; of the others, three of four with the second; and so on. */
function startOf(turn: number): number {
  let start = 0
  for (let left = turn; left % turnsPerLevel === 0; left /= turnsPerLevel) start += 1
  return start
}
