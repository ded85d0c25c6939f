import type { Owner } from '../../actors/ids.ts'
import { countPlaces } from '../../actors/place-count.ts'
import { ending } from '../close.ts'
import type { SessionEnding } from '../close.ts'
import type { SharedPlaces } from './shared-places.ts'

interface PlaceLimits {
  readonly sessions: number
  readonly userSessions: number
}

/** How many sessions there are, on this node and of each user on all of them. A place is held from before the session to its end. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #shared: Pick<SharedPlaces, 'hold' | 'give'> | undefined
  readonly #count = countPlaces()

  /** Without what nodes share, this one counts alone. */
  constructor(limits: PlaceLimits, shared?: Pick<SharedPlaces, 'hold' | 'give'>) {
    this.#limits = limits
    this.#shared = shared
  }

  get taken(): number {
    return this.#count.taken
  }

  /** Nothing when there is a place, which is then held. */
  async take(owner: Owner): Promise<SessionEnding | undefined> {
    if (this.taken >= this.#limits.sessions)
      return ending('server_full', `This server holds its ${this.#limits.sessions} sessions already. Try again later.`)
    if (this.#count.takenBy(owner) >= this.#limits.userSessions) return this.#tooMany()
    // before anybody else is asked: many who come at once are as many
    this.#count.take(owner)
    if (!this.#shared || (await this.#shared.hold(owner))) return undefined
    this.#count.give(owner)
    return this.#tooMany()
  }

  give(owner: Owner): void {
    this.#count.give(owner)
    this.#shared?.give(owner)
  }

  #tooMany(): SessionEnding {
    return ending(
      'rate_limit_exceeded',
      `You have ${this.#limits.userSessions} sessions, which is the limit. Close one before you open another.`,
    )
  }
}
