import { awayCodeOf, terminal } from '../failure.ts'
import type { Blobs, Records } from '../ports.ts'

/** What is left in storage by who works on what may be the death of it. No two have the same id. */
interface Mark {
  readonly id: string
  readonly key: string
}

/** Who left a mark is past the work, and did not die of it. Kept in the broker by the id of the mark, for as long as the mark may be there. */
export interface Survival {
  readonly workerId: string
}

export interface MarkPorts {
  readonly blobs: Blobs
  readonly survivals: Records<Survival>
  readonly workerId: string
  readonly nextMarkId: () => string
  /** Resolves after a while by chance, a longer one the more often something failed, or when the signal is aborted. */
  readonly pauseAfter: (failures: number, signal: AbortSignal) => Promise<void>
  /** Told at once of what is away: the work that met it stays in hand until it is back. See `Outage`. */
  readonly suspect: (error: unknown) => void
}

interface Marking {
  /** Ends in `/`. */
  readonly folder: string
  readonly deathsMax: number
  readonly signal: AbortSignal
}

/** The first who died left none. Whoever comes again has one chance at least, because nobody may have died at all. */
export async function leaveMark(ports: MarkPorts, { folder, deathsMax, signal }: Marking): Promise<Mark> {
  const id = ports.nextMarkId()
  const mark = { id, key: `${folder}${id}` }
  try {
    // before it looks at the others: of two who come at once none misses the other
    await ports.blobs.put(mark.key, { bytes: Buffer.from(ports.workerId) }, { signal })
    const deaths = 1 + (await deathsIn(ports, folder, mark))
    if (deaths >= Math.max(2, deathsMax))
      throw terminal('worker_lost', 'Workers died again and again while they worked on this; it is given up.')
    return mark
  } catch (error) {
    // also when nobody answered: it may have been stored all the same
    await takeAway(ports, mark, signal)
    throw error
  }
}

async function deathsIn(ports: MarkPorts, folder: string, own: Mark): Promise<number> {
  const { blobs, survivals } = ports
  let deaths = 0
  for await (const { key } of blobs.list(folder)) {
    const mark = { id: key.slice(folder.length), key }
    if (mark.id === own.id) continue
    if (await survivals.read(mark.id)) await clear(ports, mark)
    // its survivor may have cleared both away since they were listed
    else if (await blobs.stat(key)) deaths += 1
  }
  return deaths
}

/**
 * The broker is told first: storage may be away, or hang, for longer than the work can be kept in hand, and whoever comes next would take
 * the mark for that of one who died. Otherwise the work is kept until the mark is gone.
 */
export async function takeAway(ports: MarkPorts, mark: Mark, signal: AbortSignal): Promise<void> {
  let isTold = false
  for (let failures = 0; ;) {
    isTold ||= await isSurvivalTold(ports, mark)
    try {
      return await clear(ports, mark)
    } catch (error) {
      if (awayCodeOf(error) === undefined || signal.aborted) throw error
      ports.suspect(error)
      failures += 1
    }
    await ports.pauseAfter(failures, signal)
  }
}

async function isSurvivalTold({ survivals, workerId }: MarkPorts, { id }: Mark): Promise<boolean> {
  try {
    await survivals.create(id, { workerId })
    return true
  } catch (error) {
    // then it is enough when the mark goes
    if (awayCodeOf(error) === undefined) throw error
    return false
  }
}

async function clear({ blobs, survivals }: MarkPorts, { id, key }: Mark): Promise<void> {
  await blobs.remove(key)
  // what stays vanishes by itself, and says nothing without its mark
  await survivals.erase(id).catch(() => undefined)
}
