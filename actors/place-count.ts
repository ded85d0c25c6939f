import type { Owner } from './ids.ts'

/** How many places are held, by each user and by all. Who gives them out compares that with what there are. */
interface PlaceCount {
  readonly taken: number
  takenBy(owner: Owner): number
  take(owner: Owner): void
  give(owner: Owner): void
}

export function countPlaces(): PlaceCount {
  const byOwner = new Map<Owner, number>()
  const takenBy = (owner: Owner): number => byOwner.get(owner) ?? 0
  let taken = 0
  return {
    get taken() {
      return taken
    },
    takenBy,
    take(owner) {
      byOwner.set(owner, takenBy(owner) + 1)
      taken += 1
    },
    give(owner) {
      const left = takenBy(owner) - 1
      if (left > 0) byOwner.set(owner, left)
      else byOwner.delete(owner) // users come and go: what is kept follows those who are here
      taken -= 1
    },
  }
}
