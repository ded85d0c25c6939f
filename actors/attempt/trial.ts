import { text } from 'node:stream/consumers'

import { awayCodeOf, FailureError, terminal } from '../failure.ts'
import type { Blobs, Clock, Delivered } from '../ports.ts'
import { outcomeOf } from './attempted.ts'
import type { Attempted } from './attempted.ts'
import { noTurn } from './quarantine.ts'
import type { Quarantine } from './quarantine.ts'

export interface TrialPorts {
  readonly blobs: Blobs
  readonly clock: Clock
  readonly quarantine: Quarantine
  /** No two processes have the same. */
  readonly workerId: string
  /** Resolves after a while by chance, a longer one the more often something failed, or when the signal is aborted. */
  readonly pauseAfter: (failures: number, signal: AbortSignal) => Promise<void>
}

export interface Suspicion extends Pick<Delivered<unknown>, 'deliveries' | 'signal'> {
  /** Where marks of this piece of work are left. Ends in `/`. */
  readonly folder: string
  readonly deathsMax: number
}

/**
 * Does work that may be the death of who does it. When it comes again it runs alone, and a mark is in storage for as long as it
 * runs: a mark that is found was left by one who died of it. Deliveries alone do not tell: a message also comes again when its
 * worker died of a neighbour, was told to stop, or could not reach the broker (I8).
 */
export async function onTrial<Value>(
  ports: TrialPorts,
  { deliveries, signal, folder, deathsMax }: Suspicion,
  work: () => Promise<Value>,
): Promise<Attempted<Value>> {
  const isSuspect = deliveries > 1
  const cameMs = ports.clock.elapsedMs()

  async function judged<Part>(begunMs: number, part: () => Promise<Part>): Promise<Attempted<Part>> {
    const outcome = await outcomeOf(signal, async () => ({ kind: 'done', value: await part() }))
    if (outcome.kind === 'done' || !signal.aborted) return outcome
    // most of its time went by at the door: that is not its failure
    const isShort = ports.clock.elapsedMs() - begunMs < begunMs - cameMs
    return isShort ? noTurn : outcome
  }

  return ports.quarantine.pass({ isSuspect, signal }, async () => {
    const begunMs = ports.clock.elapsedMs()
    if (!isSuspect) return judged(begunMs, work)
    const marks = { ...ports, signal }
    const marked = await judged(begunMs, () => leaveMark(marks, folder, deathsMax))
    if (marked.kind !== 'done') return marked
    // judged before its mark is taken away
    const outcome = await judged(begunMs, work)
    return outcomeOf(signal, async () => {
      await takeAway(marks, { mark: marked.value, isOurs: true })
      return outcome
    })
  })
}

type Marking = Pick<TrialPorts, 'blobs' | 'workerId' | 'pauseAfter'> & { readonly signal: AbortSignal }

/** The first who died left none. Whoever comes again has one chance at least, because nobody may have died at all. */
async function leaveMark(marking: Marking, folder: string, deathsMax: number): Promise<string> {
  const bytes = Buffer.from(marking.workerId)
  for (let death = 1; death < Math.max(2, deathsMax); death += 1) {
    const mark = `${folder}${death}`
    try {
      if ((await marking.blobs.put(mark, { bytes }, { ifAbsent: true })) === 'stored') return mark
    } catch (error) {
      // nobody answered, and it may have been stored all the same
      await takeAway(marking, { mark, isOurs: false })
      throw error
    }
  }
  throw terminal('worker_lost', 'Workers died again and again while they worked on this; it is given up.')
}

/**
 * While storage is away the work is kept in hand: whoever came next would take the mark for that of one who died. When it must be let go
 * before that, the mark stays, and ends the work one death earlier.
 */
async function takeAway(
  { blobs, workerId, pauseAfter, signal }: Marking,
  { mark, isOurs }: { readonly mark: string; readonly isOurs: boolean },
): Promise<void> {
  for (let failures = 0; ;) {
    try {
      const isCertain = isOurs && failures === 0
      if (isCertain || (await writerOf(blobs, mark)) === workerId) await blobs.remove(mark)
      return
    } catch (error) {
      if (awayCodeOf(error) === undefined || signal.aborted) throw error
      failures += 1
    }
    await pauseAfter(failures, signal)
  }
}

/** Nothing when there is no mark. */
async function writerOf(blobs: Blobs, mark: string): Promise<string | undefined> {
  try {
    return await text(await blobs.open(mark))
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  }
}
