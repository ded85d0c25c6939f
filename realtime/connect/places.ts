import type { Owner } from '../../actors/ids.ts'
import { countPlaces } from '../../actors/place-count.ts'
import { ending } from '../close.ts'
import type { SessionEnding } from '../close.ts'

interface PlaceLimits {
  readonly sessions: number
  readonly userSessions: number
}

/** How many sessions there are, on this node and of each user. A place is held from before the session to its end. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #count = countPlaces()

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  get taken(): number {
    return this.#count.taken
  }

  /** Nothing when there is a place, which is then held. */
  take(owner: Owner): SessionEnding | undefined {
    if (this.taken >= this.#limits.sessions)
      return ending('server_full', `This server holds its ${this.#limits.sessions} sessions already. Try again later.`)
    const users = this.#count.takenBy(owner)
    if (users >= this.#limits.userSessions)
      return ending(
        'rate_limit_exceeded',
        `You have ${users} sessions here, which is the limit. Close one before you open another.`,
      )
    this.#count.take(owner)
    return undefined
  }

  give(owner: Owner): void {
    this.#count.give(owner)
  }
}
