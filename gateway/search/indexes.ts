import type { Owner } from '../../actors/ids.ts'
import type { Clock } from '../../actors/ports.ts'
import { newestRuns } from './newest-runs.ts'
import { takeIn } from './take-in.ts'
import type { TakeInPorts } from './take-in.ts'
import { fileWeight, UserIndex } from './user-index.ts'
import type { TermsOf } from './user-index.ts'

export interface IndexPorts extends TakeInPorts {
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly termsOf: TermsOf
}

/** An index that has in it what storage had a moment ago. */
interface FreshIndex {
  readonly index: UserIndex
  /** Files that are too much for this gateway’s memory: the oldest. */
  readonly leftOut: number
}

/** Who searches again at once is not worth another look at storage … */
const freshMs = 1_000
/** … and who has so many files that a look takes long is looked after for no more than a tenth of the time. */
const lookShare = 0.1

interface Held extends FreshIndex {
  readonly freshUntilMs: number
}

/**
 * The indexes of those users who searched last, as many as fit. Storage has what they are made of, an object for each file that nobody
 * changes: so a gateway only adds what is new and forgets what is gone, and any gateway can.
 */
export function openIndexes(ports: IndexPorts, wordsMax: number) {
  /** Who searched longest ago is first. */
  const held = new Map<Owner, Held>()
  const opening = new Map<Owner, Promise<FreshIndex>>()

  /** What one may take while others take in too; what nobody is at makes room. */
  const roomFor = (owner: Owner): number => {
    const others = [...held].filter(([other]) => other !== owner && opening.has(other))
    return wordsMax - others.reduce((sum, [, { index }]) => sum + index.weight, 0)
  }
  const evict = (): void => {
    let weight = [...held.values()].reduce((sum, { index }) => sum + index.weight, 0)
    // who searched last stays, however much it is
    for (const [owner, { index }] of [...held].slice(0, -1)) {
      if (weight <= wordsMax) return
      if (opening.has(owner)) continue
      held.delete(owner)
      weight -= index.weight
    }
  }

  const refresh = async (owner: Owner): Promise<FreshIndex> => {
    const known = held.get(owner)
    const beganMs = ports.clock.elapsedMs()
    const index = known?.index ?? new UserIndex(ports.termsOf)
    // to the end of the row; what it takes counts from now on
    held.delete(owner)
    held.set(owner, { index, leftOut: 0, freshUntilMs: 0 })
    const { newest, more } = await newestRuns(ports.blobs, owner, Math.ceil(wordsMax / fileWeight))
    const tookMs = ports.clock.elapsedMs() - beganMs
    const leftOut = more + (await takeIn(ports, { index, newest, room: () => roomFor(owner), onTaken: evict }))
    held.set(owner, { index, leftOut, freshUntilMs: beganMs + Math.max(freshMs, tookMs / lookShare) })
    return { index, leftOut }
  }

  return {
    of(owner: Owner): Promise<FreshIndex> {
      const underWay = opening.get(owner)
      if (underWay) return underWay
      const known = held.get(owner)
      if (known && ports.clock.elapsedMs() < known.freshUntilMs) return Promise.resolve(known)
      const begun = refresh(owner).finally(() => {
        opening.delete(owner)
        evict()
      })
      opening.set(owner, begun)
      return begun
    },
  }
}
