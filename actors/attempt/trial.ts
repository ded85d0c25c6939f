import type { Clock, Delivered } from '../ports.ts'
import { outcomeOf } from './attempted.ts'
import type { Attempted } from './attempted.ts'
import { leaveMark, takeAway } from './marks.ts'
import type { MarkPorts } from './marks.ts'
import { noTurn } from './quarantine.ts'
import type { Quarantine } from './quarantine.ts'

export interface TrialPorts extends MarkPorts {
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
 * runs: a mark that is found was left by one who died of it, unless that one said otherwise. Deliveries alone do not tell: a message also comes again when its
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
    const marked = await judged(begunMs, () => leaveMark(ports, { folder, deathsMax, signal }))
    if (marked.kind !== 'done') return marked
    // judged before its mark is taken away
    const outcome = await judged(begunMs, work)
    return outcomeOf(signal, async () => {
      await takeAway(ports, marked.value, signal)
      return outcome
    })
  })
}
