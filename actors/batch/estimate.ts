import type { BatchId, Owner } from '../ids.ts'
import type { WorkerPulse } from '../worker/state.ts'

/** What is left to do of one batch that is not finished. */
export interface OpenWork {
  readonly owner: Owner
  readonly batchId: BatchId
  readonly files: number
  /** Of sound. */
  readonly seconds: number
}

/** Everything that waits or is under way, of all users, and how fast it is heard. */
export interface Queue {
  readonly files: number
  readonly byOwner: ReadonlyMap<Owner, OwnersWork>
  /** Seconds of sound in a second, by all workers together. */
  readonly heardPerSecond: number
}

interface OwnersWork {
  readonly seconds: number
  readonly works: readonly OpenWork[]
}

/**
 * What one worker is taken to hear in a second before any worker has told. The slower of the usual ways on two cores hears 16
 * (README, Measured); doubtful passages are heard twice or three times.
 */
export const unmeasuredHeardPerSecond = 10

export function queueOf(works: Iterable<OpenWork>, heardPerSecond: number): Queue {
  const byOwner = new Map<Owner, { seconds: number; works: OpenWork[] }>()
  let files = 0
  for (const work of works) {
    files += work.files
    const owners = byOwner.get(work.owner) ?? { seconds: 0, works: [] }
    owners.seconds += work.seconds
    owners.works.push(work)
    byOwner.set(work.owner, owners)
  }
  return { files, byOwner, heardPerSecond }
}

/** Who has not told yet is taken to be as fast as the others. Workers that only cut files hear nothing. */
export function heardPerSecondOf(pulses: Iterable<WorkerPulse>): number {
  const hearing = [...pulses].filter(({ mode }) => mode !== 'file')
  const told = hearing.flatMap(({ heardPerSecond }) => (heardPerSecond ? [heardPerSecond] : []))
  const each = told.length > 0 ? told.reduce((sum, one) => sum + one, 0) / told.length : unmeasuredHeardPerSecond
  // without any worker: as if one came now
  return each * Math.max(1, hearing.length)
}

/**
 * Until the last of this batch is heard. Users take turns, and so do the batches of one user: nobody waits for more of another's
 * sound than there is of their own.
 */
export function secondsUntilDone(queue: Queue, mine: OpenWork): number {
  if (mine.files === 0) return 0
  const beside = queue.byOwner.get(mine.owner)?.works.filter(({ batchId }) => batchId !== mine.batchId) ?? []
  const own = beside.reduce((sum, { seconds }) => sum + Math.min(seconds, mine.seconds), mine.seconds)
  return sharedSeconds(queue, mine.owner, own)
}

/** Until nothing of this user is left. */
export function secondsUntilIdle(queue: Queue, owner: Owner): number {
  return sharedSeconds(queue, owner, queue.byOwner.get(owner)?.seconds ?? 0)
}

/** Until so many files have left the queue. */
export function secondsUntilRoom(queue: Queue, files: number): number {
  let seconds = 0
  for (const owners of queue.byOwner.values()) seconds += owners.seconds
  return (seconds * Math.min(1, files / Math.max(1, queue.files))) / queue.heardPerSecond
}

function sharedSeconds(queue: Queue, owner: Owner, own: number): number {
  let seconds = own
  for (const [other, work] of queue.byOwner) if (other !== owner) seconds += Math.min(work.seconds, own)
  return seconds / queue.heardPerSecond
}
