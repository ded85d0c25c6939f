import type { Owner } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'

/** Keys of a user that are being made: they count before anybody can list them. */
export interface KeyClaims {
  readonly keyIds: readonly string[]
}

interface PlacePorts {
  readonly claims: Records<KeyClaims>
  /** Ids of the keys that the user has, none missed. */
  readonly ownIds: () => Promise<ReadonlySet<string>>
}

/** Whoever made none by then has died on the way. */
const makingMaxMs = 60_000

/**
 * Whether there is room for one more, which is then claimed. Two that come at once write the same record, and one of them
 * counts again.
 */
export async function claimPlace(
  { claims, ownIds }: PlacePorts,
  { owner, keyId, most }: { readonly owner: Owner; readonly keyId: string; readonly most: number },
): Promise<boolean> {
  const name = `claims.${owner}`
  for (let conflicts = 0; ; conflicts += 1) {
    // before the keys: one that is made meanwhile is among these or among those
    const found = await claims.read(name)
    const isRecent = found !== undefined && (await claims.ageMs(found)) < makingMaxMs
    const own = await ownIds()
    const making = isRecent ? found.value.keyIds.filter((id) => !own.has(id)) : []
    if (own.size + making.length >= most) return false
    const next = { keyIds: [...making, keyId] }
    const written = found ? await claims.replace(name, next, found.revision) : await claims.create(name, next)
    if (typeof written === 'number') return true
    await claims.backOff(conflicts)
  }
}
