import type { OrderedRecord, Records, Revision } from '../ports.ts'

/** Records in the order in which they were last written, which is that of their age by the broker's clock. */
interface Walking<Value> {
  readonly records: Pick<Records<Value>, 'inOrder' | 'ageMs'>
  readonly olderThanMs: number
  /** Goes on behind this one. */
  readonly after: Revision
}

export interface WalkPace {
  /** False when it is another's turn: then the walk ends where it is. */
  rest(looked: number, beganMs: number): Promise<boolean>
  elapsedMs(): number
}

const looksAtOnce = 50
/** Others have to be looked after as well. */
const looksMax = 1_000
/** Where storage is away all fail, and nobody waits for each of them. */
export const failuresMax = 3

interface Walked {
  /** Up to here all is done: what failed is looked at again by who goes on behind it. */
  readonly after: Revision
  readonly isAll: boolean
  readonly failures: readonly unknown[]
}

/** Looks at what is old enough, and no further. What fails keeps no other from being looked at, as long as that is not much. */
export async function walkOlder<Value>(
  { records, olderThanMs, after }: Walking<Value>,
  pace: WalkPace,
  look: (stored: OrderedRecord<Value>) => Promise<void>,
): Promise<Walked> {
  let place = after
  let doneTo: Revision | undefined
  const failures: unknown[] = []
  const walked = (isAll: boolean): Walked => ({ after: doneTo ?? place, isAll, failures })
  for (let looked = 0; looked < looksMax; looked += looksAtOnce) {
    const beganMs = pace.elapsedMs()
    const group = await records.inOrder(place, looksAtOnce)
    for (const stored of group) {
      if ((await records.ageMs(stored)) <= olderThanMs) return walked(true)
      try {
        await look(stored)
      } catch (error) {
        doneTo ??= place
        if (failures.push(error) >= failuresMax) return walked(false)
      }
      place = stored.revision
    }
    if (group.length < looksAtOnce) return walked(true)
    if (!(await pace.rest(looksAtOnce, beganMs))) break
  }
  return walked(false)
}
