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

/** Looks at what is old enough, and no further. Resolves with how far it came, and whether that was all. */
export async function walkOlder<Value>(
  { records, olderThanMs, after }: Walking<Value>,
  pace: WalkPace,
  look: (stored: OrderedRecord<Value>) => Promise<void>,
): Promise<{ after: Revision; isAll: boolean }> {
  let place = after
  for (let looked = 0; looked < looksMax; looked += looksAtOnce) {
    const beganMs = pace.elapsedMs()
    const group = await records.inOrder(place, looksAtOnce)
    for (const stored of group) {
      if ((await records.ageMs(stored)) <= olderThanMs) return { after: place, isAll: true }
      await look(stored)
      place = stored.revision
    }
    if (group.length < looksAtOnce) return { after: place, isAll: true }
    if (!(await pace.rest(looksAtOnce, beganMs))) break
  }
  return { after: place, isAll: false }
}
