import { isRetryable, terminal } from '../failure.ts'
import type { Blobs, Clock, Delivered } from '../ports.ts'
import { outcomeOf } from './attempted.ts'
import type { Attempted } from './attempted.ts'
import { noTurn } from './quarantine.ts'
import type { Quarantine } from './quarantine.ts'

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
    const marked = await judged(begunMs, () => leaveMark(ports.blobs, folder, deathsMax))
    if (marked.kind !== 'done') return marked
    // judged before its mark is taken away
    const outcome = await judged(begunMs, work)
    return outcomeOf(signal, async () => {
      await takeAway(ports.blobs, marked.value)
      return outcome
    })
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
