import { FailureError } from '../actors/failure.ts'
import type { Owner } from '../actors/ids.ts'
import { countPlaces } from '../actors/place-count.ts'

export interface PlaceShares {
  readonly perUser: number
  readonly all: number
}

interface PlaceWords {
  /** What takes a place, in the plural, for who is refused. */
  readonly what: string
  /** What to do when all places are taken. */
  readonly advice: string
  readonly comeBackSeconds?: number
}

const usualSeconds = 5

export interface UserPlaces {
  /** Gives back what leaves the place again. */
  take(owner: Owner): () => void
}

/** What a gateway does at the same time: not more than it can, and of that each user a share. */
export function openPlaces(limits: PlaceShares, words: PlaceWords): UserPlaces {
  const { what, advice, comeBackSeconds: retryAfterSeconds = usualSeconds } = words
  const places = countPlaces()
  const refused = (code: 'quota_exceeded' | 'overloaded', detail: string): FailureError =>
    new FailureError({ kind: 'retryable', code, detail, retryAfterSeconds })
  return {
    take(owner) {
      const own = places.takenBy(owner)
      if (own >= limits.perUser)
        throw refused(
          'quota_exceeded',
          `You have ${own} ${what} open, and the limit is ${limits.perUser}; wait for one of them, or close it.`,
        )
      if (places.taken >= limits.all)
        throw refused('overloaded', `This server has ${limits.all} ${what}, which is its limit; ${advice}.`)
      places.take(owner)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        places.give(owner)
      }
    },
  }
}
