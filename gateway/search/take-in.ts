import type { Blobs } from '../../actors/ports.ts'
import type { StoredPassages } from '../../actors/search/state.ts'
import { ahead } from '../batches/ahead.ts'
import { readStoredJson } from '../../actors/stored-json.ts'
import type { FoundRun, UserIndex } from './user-index.ts'

export interface TakeInPorts {
  readonly blobs: Pick<Blobs, 'list' | 'open'>
}

interface TakingIn {
  readonly index: UserIndex
  /** What storage has, by key, the newest first. */
  readonly newest: ReadonlyMap<string, FoundRun>
  /** How much it may weigh: less while others take in as well. */
  readonly room: () => number
  readonly onTaken: () => void
}

/** A file of a whole day is some 20 MB while it is read. */
const readsAtOnce = 4

/** Makes an index of what storage has: the newest, as far as there is room. Resolves with how many files there was none for. */
export async function takeIn({ blobs }: TakeInPorts, { index, newest, room, onTaken }: TakingIn): Promise<number> {
  for (const key of index.keys) if (!newest.has(key)) index.forget(key)
  const keys = [...newest.keys()]
  let weight = 0
  let taken = 0
  // those that are held from the first on need no look ahead, which would read what there is no room for
  for (; taken < keys.length && weight < room(); taken += 1) {
    const heldWeight = index.weightOf(keys[taken]!)
    if (heldWeight === undefined) break
    weight += heldWeight
  }
  let oldest = keys.length
  const others = ahead(weight < room() ? keys.slice(taken) : [], readsAtOnce, async (key) => {
    const isHeld = index.weightOf(key) !== undefined
    return { key, passages: isHeld ? undefined : await readStoredJson<StoredPassages>(blobs, key) }
  })
  for await (const { key, passages } of others) {
    if (weight >= room()) break
    if (passages) await index.add(key, newest.get(key)!, passages)
    weight += index.weightOf(key) ?? 0
    taken += 1
    // the oldest make room for those that are newer
    for (; index.heldWeight > room() && oldest > taken; oldest -= 1) index.forget(keys[oldest - 1]!)
    onTaken()
  }
  for (const key of keys.slice(taken)) index.forget(key)
  await index.tidy()
  return keys.length - taken
}
