import { isBatchId } from '../ids.ts'
import type { BatchId } from '../ids.ts'
import type { Clock, Log, Records } from '../ports.ts'
import type { Backlog } from '../services.ts'
import type { WorkerPulse } from '../worker/state.ts'
import {
  filesLeft,
  loadOf,
  paceOf,
  piecesLeft,
  queueOf,
  secondsUntilDone,
  secondsUntilIdle,
  secondsUntilRoom,
  waitOf,
} from './estimate.ts'
import type { OpenWork, Pace, QueueAhead } from './estimate.ts'
import { isWithdrawnBatch, audioSecondsOf, unsettledOf } from './state.ts'
import type { BatchRecord, BatchState, OpenBatch } from './state.ts'

interface BacklogPorts {
  readonly open: Pick<Records<OpenBatch>, 'keys'>
  readonly batches: Pick<Records<BatchRecord>, 'readMany'>
  readonly workers: Pick<Records<WorkerPulse>, 'keys' | 'readMany'>
  readonly clock: Clock
  readonly log: Log
}

const freshMs = 2_000
/** Looking takes at most one part in this many of the time. */
const restsPerLook = 20
/** What is older than so many rests is shown only when there is nothing better: the service was idle meanwhile. */
const staleAfterRests = 5
/** Batch records in memory at the same time; one of ten thousand files has some 50 KB. */
const recordsAtOnce = 200

interface Look {
  readonly works: ReadonlyMap<BatchId, OpenWork>
  readonly pace: Pace
  readonly endedMs: number
  readonly tookMs: number
  readonly restMs: number
}

/** The queue as the records have it, looked at rarely, and what this process has taken in since it last looked. */
export function openBacklog(ports: BacklogPorts): Backlog {
  const recent = new Map<BatchId, { work: OpenWork; sinceMs: number }>()
  let last: Look | undefined
  let looking: Promise<Look> | undefined
  let known: QueueAhead | undefined

  const refresh = (): Promise<Look> => {
    looking ??= (async () => {
      const beganMs = ports.clock.elapsedMs()
      last = timed(await look(ports), { beganMs, endedMs: ports.clock.elapsedMs() })
      for (const [batchId, { sinceMs }] of recent) if (sinceMs < beganMs) recent.delete(batchId)
      known = undefined
      return last
    })().finally(() => {
      looking = undefined
    })
    return looking
  }

  const current = async (): Promise<Look> => {
    const ageMs = last ? ports.clock.elapsedMs() - last.endedMs : Infinity
    if (last && ageMs <= last.restMs) return last
    if (!last) return refresh()
    const before = last
    const next = refresh().catch((error: unknown) => {
      ports.log.warn('the queue could not be looked at', { error })
      return before
    })
    return ageMs > last.restMs * staleAfterRests ? next : before
  }

  const queue = async (): Promise<QueueAhead> => {
    const { works, pace } = await current()
    const added = [...recent.values()].map(({ work }) => [work.batchId, work] as const)
    known ??= queueOf(new Map([...added, ...works]).values(), pace)
    return known
  }

  return {
    lookAgain: async () => void (isWorn(last, ports.clock.elapsedMs()) && (await refresh())),
    files: async () => (await queue()).files,
    load: async () => loadOf(await queue()),
    filesOf: async (owner) => filesLeft(await queue(), owner),
    waitingFor: async (work) => waitOf(await queue(), work),
    secondsUntilDone: async (work) => secondsUntilDone(await queue(), work),
    secondsUntilIdle: async (owner) => secondsUntilIdle(await queue(), owner),
    secondsUntilRoom: async (files) => secondsUntilRoom(await queue(), files),
    piecesOf: async (owner) => piecesLeft(await queue(), owner),
    add(work) {
      recent.set(work.batchId, { work, sinceMs: ports.clock.elapsedMs() })
      known = undefined
    },
    drop(batchId) {
      recent.delete(batchId)
      known = undefined
    },
  }
}

function timed(found: Pick<Look, 'works' | 'pace'>, { beganMs, endedMs }: { beganMs: number; endedMs: number }): Look {
  const tookMs = endedMs - beganMs
  return { ...found, endedMs, tookMs, restMs: Math.max(freshMs, tookMs * restsPerLook) }
}

/** However many must know what is true now, at most half of the time is spent on looking. */
function isWorn(last: Look | undefined, nowMs: number): boolean {
  return !last || nowMs - last.endedMs >= last.tookMs
}

async function look(ports: BacklogPorts): Promise<Pick<Look, 'works' | 'pace'>> {
  const works = new Map<BatchId, OpenWork>()
  const batchIds = (await ports.open.keys()).flatMap((key) => key.split('.').slice(1)).filter(isBatchId)
  for (let from = 0; from < batchIds.length; from += recordsAtOnce) {
    const batches = await ports.batches.readMany(batchIds.slice(from, from + recordsAtOnce))
    for (const batch of batches.values()) if (!isWithdrawnBatch(batch)) works.set(batch.batchId, workOf(batch))
  }
  const pulses = [...(await ports.workers.readMany(await ports.workers.keys())).values()]
  return { works, pace: paceOf(pulses) }
}

function workOf(batch: BatchState): OpenWork {
  const { owner, batchId } = batch
  return { owner, batchId, files: unsettledOf(batch), seconds: audioSecondsOf(batch).left }
}
