import type { Owner } from '../../actors/ids.ts'
import { ending } from '../close.ts'
import type { SessionEnding } from '../close.ts'

interface PlaceLimits {
  readonly sessions: number
  readonly userSessions: number
}

/** How many sessions there are, on this node and of each user. A place is held from before the session to its end. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #ofUser = new Map<Owner, number>()
  #taken = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  get taken(): number {
    return this.#taken
  }

  /** Nothing when there is a place, which is then held. */
  take(owner: Owner): SessionEnding | undefined {
    if (this.#taken >= this.#limits.sessions)
      return ending('server_full', `This server holds its ${this.#limits.sessions} sessions already. Try again later.`)
    const users = this.#ofUser.get(owner) ?? 0
    if (users >= this.#limits.userSessions)
      return ending(
        'rate_limit_exceeded',
        `You have ${users} sessions here, which is the limit. Close one before you open another.`,
      )
    this.#ofUser.set(owner, users + 1)
    this.#taken += 1
    return undefined
  }

  give(owner: Owner): void {
    const users = this.#ofUser.get(owner) ?? 0
    if (users > 1) this.#ofUser.set(owner, users - 1)
    else this.#ofUser.delete(owner)
    this.#taken -= 1
  }
}
