import { isRetryable, terminal } from '../failure.ts'
import type { Blobs, Clock, Delivered } from '../ports.ts'
import { noTurn } from './quarantine.ts'
import type { Quarantine } from './quarantine.ts'
import { notedInTime } from './why-it-failed.ts'

export interface TrialPorts {
  readonly blobs: Blobs
  readonly clock: Clock
  readonly quarantine: Quarantine
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
export async function onTrial<Result>(
  ports: TrialPorts,
  { deliveries, signal, folder, deathsMax }: Suspicion,
  work: () => Promise<Result>,
): Promise<Result> {
  const isSuspect = deliveries > 1
  const cameMs = ports.clock.elapsedMs()
  return ports.quarantine.pass({ isSuspect, signal }, async () => {
    const begunMs = ports.clock.elapsedMs()
    const mark = isSuspect ? await leaveMark(ports.blobs, folder, deathsMax) : undefined
    try {
      return await work()
    } catch (error) {
      // most of its time went by at the door: that is not its failure
      const isShort = ports.clock.elapsedMs() - begunMs < begunMs - cameMs
      if (!signal.aborted) throw notedInTime(error)
      throw isShort ? noTurn : error
    } finally {
      if (mark) await takeAway(ports.blobs, mark)
    }
  })
}

/** The first who died left none. Whoever comes again has one chance at least, because nobody may have died at all. */
async function leaveMark(blobs: Blobs, folder: string, deathsMax: number): Promise<string> {
  for (let death = 1; death < Math.max(2, deathsMax); death += 1) {
    const mark = `${folder}${death}`
    if ((await blobs.put(mark, { bytes: new Uint8Array() }, { ifAbsent: true })) === 'stored') return mark
  }
  throw terminal('worker_lost', 'Workers died again and again while they worked on this; it is given up.')
}

async function takeAway(blobs: Blobs, mark: string): Promise<void> {
  try {
    await blobs.remove(mark)
  } catch (error) {
    // the outcome matters more: a mark too many ends the work one death earlier
    if (!isRetryable(error)) throw error
  }
}
