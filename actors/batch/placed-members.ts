import type { BatchId } from '../ids.ts'
import type { Records } from '../ports.ts'
import { membersKey, membersPerPage } from './state.ts'
import type { Member, Members } from './state.ts'

export interface PlacedMember {
  readonly place: number
  readonly member: Member
}

/** The files at these places of a batch, without those that were deleted. Read strongly. */
export async function placedMembers(
  { members }: { readonly members: Records<Members> },
  batchId: BatchId,
  places: readonly number[],
): Promise<PlacedMember[]> {
  const keys = [...new Set(places.map((place) => membersKey(batchId, place)))]
  const pages = new Map(await Promise.all(keys.map(async (key) => [key, (await members.read(key))?.value] as const)))
  return places.flatMap((place) => {
    const member = pages.get(membersKey(batchId, place))?.files[place % membersPerPage]
    return member ? [{ place, member }] : []
  })
}
