import type { Owner } from './ids.ts'

/** How many places are held, by each user and by all. Who gives them out compares that with what there are. */
interface PlaceCount {
  readonly taken: number
  takenBy(owner: Owner): number
  /** One place, or as many as are said. */
  take(owner: Owner, places?: number): void
  give(owner: Owner, places?: number): void
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
    take(owner, places = 1) {
      byOwner.set(owner, takenBy(owner) + places)
      taken += places
    },
    give(owner, places = 1) {
      const left = takenBy(owner) - places
      if (left > 0) byOwner.set(owner, left)
      else byOwner.delete(owner) // users come and go: what is kept follows those who are here
      taken -= places
    },
  }
}
