import { madeAtMs } from '../ids.ts'
import type { BatchId, Owner } from '../ids.ts'
import type { WaitedFor, WorkerPulse } from '../worker/state.ts'

/** What is left to do of one batch that is not finished. */
export interface OpenWork {
  readonly owner: Owner
  readonly batchId: BatchId
  readonly files: number
  /** Of sound. */
  readonly seconds: number
}

/** Everything that waits or is under way, of all users, and how fast it is heard. */
export interface QueueAhead {
  readonly files: number
  readonly byOwner: ReadonlyMap<Owner, OwnersWork>
  readonly pace: Pace
}

/** Of all workers together. */
export interface Pace {
  /** How many transcribe. */
  readonly workers: number
  /** Seconds of audio in a second. */
  readonly heardPerSecond: number
  /** What has to be there before any of them hears, or cuts, anything. */
  readonly waitingFor?: WaitedFor
}

interface OwnersWork {
  readonly seconds: number
  readonly works: readonly OpenWork[]
}

/**
 * What one worker is taken to hear in a second before any worker has told. The slower of the usual ways on two cores hears 16
 * (infra/docs/measurements.md); doubtful passages are heard twice or three times.
 */
export const unmeasuredHeardPerSecond = 10
/** As long as recordings are cut, about. */
const secondsPerPiece = 30
/** What is heard has to be put together and written down: no batch that is open is closer to its end. */
export const finishingSeconds = 1

export function queueOf(works: Iterable<OpenWork>, pace: Pace): QueueAhead {
  const byOwner = new Map<Owner, { seconds: number; works: OpenWork[] }>()
  let files = 0
  for (const work of works) {
    files += work.files
    const owners = byOwner.get(work.owner) ?? { seconds: 0, works: [] }
    owners.seconds += work.seconds
    owners.works.push(work)
    byOwner.set(work.owner, owners)
  }
  return { files, byOwner, pace }
}

export function filesLeft({ byOwner }: QueueAhead, owner: Owner): number {
  return byOwner.get(owner)?.works.reduce((sum, { files }) => sum + files, 0) ?? 0
}

export function paceOf(pulses: readonly WorkerPulse[]): Pace {
  const waitingFor = waitingOf(pulses)
  return {
    workers: transcribingOf(pulses).length,
    heardPerSecond: heardPerSecondOf(pulses),
    ...(waitingFor && { waitingFor }),
  }
}

/** Workers that only cut files transcribe nothing. */
function transcribingOf(pulses: readonly WorkerPulse[]): WorkerPulse[] {
  return pulses.filter(({ mode }) => mode !== 'file')
}

/** Who has not told yet is taken to be as fast as the others. */
function heardPerSecondOf(pulses: readonly WorkerPulse[]): number {
  const transcribing = transcribingOf(pulses)
  const told = transcribing.flatMap(({ heardPerSecond }) => (heardPerSecond ? [heardPerSecond] : []))
  const each = told.length > 0 ? told.reduce((sum, one) => sum + one, 0) / told.length : unmeasuredHeardPerSecond
  // without any worker: as if one came now
  return each * Math.max(1, transcribing.length)
}

/** As long as one of those that can do the work does not wait, the work goes on. */
function waitingOf(pulses: readonly WorkerPulse[]): WaitedFor | undefined {
  for (const otherWork of ['file', 'chunk'] as const) {
    const able = pulses.filter(({ mode }) => mode !== otherWork)
    const waits = able.flatMap(({ waitingFor }) => waitingFor ?? [])
    if (waits.length > 0 && waits.length === able.length)
      return waits.sort((one, other) => one.secondsLeft - other.secondsLeft)[0]
  }
  return undefined
}

/**
 * Until the last of this batch is heard. Users take turns, and so do the batches of one user: nobody waits for more of another's
 * sound than there is of their own.
 */
export function secondsUntilDone(queue: QueueAhead, mine: OpenWork): number {
  if (mine.files === 0) return 0
  const beside = queue.byOwner.get(mine.owner)?.works.filter(({ batchId }) => batchId !== mine.batchId) ?? []
  const own = beside.reduce((sum, { seconds }) => sum + Math.min(seconds, mine.seconds), mine.seconds)
  if (own === 0) return Math.max(finishingSeconds, waitOf(queue, mine)?.secondsLeft ?? 0)
  return Math.max(finishingSeconds, sharedSeconds(queue, mine.owner, own))
}

/** What is heard already waits for nothing that only hearing needs. */
export function waitOf({ pace }: QueueAhead, { files, seconds }: OpenWork): WaitedFor | undefined {
  if (files === 0) return undefined
  return seconds > 0 || pace.waitingFor?.stopsAll ? pace.waitingFor : undefined
}

/** All that is left of everybody, and who is there to do it. */
export interface Load extends Pace {
  readonly files: number
  readonly audioSeconds: number
  /** When the oldest batch that is not finished came; absent when there is none. */
  readonly oldestAtMs?: number
  readonly secondsUntilIdle: number
}

export function loadOf(queue: QueueAhead): Load {
  let audioSeconds = 0
  let oldestAtMs = Infinity
  for (const { works, seconds } of queue.byOwner.values()) {
    audioSeconds += seconds
    for (const { batchId, files } of works) if (files > 0) oldestAtMs = Math.min(oldestAtMs, madeAtMs(batchId))
  }
  return {
    ...queue.pace,
    files: queue.files,
    audioSeconds,
    secondsUntilIdle: secondsUntilHeard(queue, audioSeconds),
    ...(oldestAtMs < Infinity && { oldestAtMs }),
  }
}

/** Until nothing of this user is left. */
export function secondsUntilIdle(queue: QueueAhead, owner: Owner): number {
  return sharedSeconds(queue, owner, queue.byOwner.get(owner)?.seconds ?? 0)
}

/** Until so many files have left the queue. */
export function secondsUntilRoom(queue: QueueAhead, files: number): number {
  let seconds = 0
  for (const owners of queue.byOwner.values()) seconds += owners.seconds
  return secondsUntilHeard(queue, seconds * Math.min(1, files / Math.max(1, queue.files)))
}

/** About how many pieces of work are left of this user. */
export function piecesLeft(queue: QueueAhead, owner: Owner): number {
  const works = queue.byOwner.get(owner)?.works ?? []
  return works.reduce((sum, { files, seconds }) => sum + piecesIn(files, seconds), 0)
}

/** A file is one piece at least, however short it is or is taken to be. */
export function piecesIn(files: number, seconds: number): number {
  return files + Math.floor(seconds / secondsPerPiece)
}

function sharedSeconds(queue: QueueAhead, owner: Owner, own: number): number {
  let seconds = own
  for (const [other, work] of queue.byOwner) if (other !== owner) seconds += Math.min(work.seconds, own)
  return secondsUntilHeard(queue, seconds)
}

/** What is heard already waits for nothing. */
function secondsUntilHeard({ pace }: QueueAhead, seconds: number): number {
  return seconds === 0 ? 0 : (pace.waitingFor?.secondsLeft ?? 0) + seconds / pace.heardPerSecond
}
