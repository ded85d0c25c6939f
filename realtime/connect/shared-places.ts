import type { Owner } from '../../actors/ids.ts'
import type { Clock, Log, Records, Revision, Timer } from '../../actors/ports.ts'
import { isAlive, livesMs, OwnPulse, pulseMs } from './node-pulse.ts'
import type { NodePulse } from './node-pulse.ts'

/** How many sessions one user has on each server. */
interface UserPlaces {
  readonly nodes: Readonly<Record<string, number>>
}

interface SharedPlacesPorts {
  readonly places: Records<UserPlaces>
  readonly pulses: Records<NodePulse>
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly timer: Timer
  readonly log: Log
}

/** What this server has of one user. */
interface Own {
  held: number
  /** Who waits to be told whether there is a place. */
  waiting: ((hasPlace: boolean) => void)[]
  /** What the record says of us; undefined when it must be said again. */
  written: number | undefined
  writtenAtMs: number
  settling: Promise<void> | undefined
}

/** Less than half of what a record lives. */
const touchMs = 240_000

/**
 * How many sessions each user has on all servers together. A server writes down what it has, not what changed, so that a write that was lost or
 * came twice is mended by the next; what a server has that says nothing any more does not count. The broker is asked when a session begins, and told when
 * it has ended; never in between. While the broker is away a server goes by what it has itself.
 */
export class SharedPlaces {
  readonly #ports: SharedPlacesPorts
  readonly #nodeId: string
  readonly #perUser: number
  readonly #pulse: OwnPulse
  readonly #owners = new Map<Owner, Own>()
  #beatAtMs = -Infinity
  #stopTimer: () => void = () => undefined
  #isClosed = false
  /** The broker did not answer last. */
  #isAlone = false
  #looking: Promise<void> = Promise.resolve()

  constructor(ports: SharedPlacesPorts, { nodeId, perUser }: { readonly nodeId: string; readonly perUser: number }) {
    this.#ports = ports
    this.#nodeId = nodeId
    this.#perUser = perUser
    this.#pulse = new OwnPulse(ports.pulses, nodeId)
  }

  /** Before it, nobody counts what is held here. */
  async start(): Promise<void> {
    this.#looking = this.#look()
    await this.#looking
  }

  /** Whether there is a place, which is then held. */
  hold(owner: Owner): Promise<boolean> {
    const own = this.#ownOf(owner)
    return new Promise((resolve) => {
      own.waiting.push(resolve)
      this.#settle(owner, own)
    })
  }

  give(owner: Owner): void {
    const own = this.#ownOf(owner)
    own.held -= 1
    this.#settle(owner, own)
  }

  /** Resolves when nothing of this server counts any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer()
    await this.#looking
    await Promise.all([...this.#owners.values()].flatMap(({ settling }) => settling ?? []))
    await this.#pulse.end().catch(() => undefined) // it is not believed for long
  }

  #ownOf(owner: Owner): Own {
    const own = this.#owners.get(owner) ?? {
      held: 0,
      waiting: [],
      written: 0,
      writtenAtMs: this.#ports.clock.elapsedMs(),
      settling: undefined,
    }
    this.#owners.set(owner, own)
    return own
  }

  async #look(): Promise<void> {
    await this.#beat()
    for (const [owner, own] of this.#owners) {
      if (this.#ports.clock.elapsedMs() - own.writtenAtMs > touchMs) own.written = undefined
      this.#settle(owner, own)
      await own.settling
    }
    if (this.#isClosed) return
    this.#stopTimer = this.#ports.timer.after(pulseMs, () => {
      this.#looking = this.#look()
    })
  }

  async #beat(): Promise<void> {
    const { clock, log } = this.#ports
    try {
      await this.#pulse.beat()
      this.#countTogether()
      // others may have taken us for dead, and what we have out of their sums
      if (clock.elapsedMs() - this.#beatAtMs > livesMs) for (const own of this.#owners.values()) own.written = undefined
      this.#beatAtMs = clock.elapsedMs()
    } catch (error) {
      log.warn('others cannot be told that this server lives', { error })
    }
  }

  /** One at a time for each user: who asks meanwhile is answered together. */
  #settle(owner: Owner, own: Own): void {
    own.settling ??= this.#settleAll(owner, own).finally(() => {
      own.settling = undefined
      // what changed since it looked last; what the broker did not take waits for the next look
      const isChanged = own.written !== undefined && own.held !== own.written
      if (own.waiting.length > 0 || isChanged) this.#settle(owner, own)
    })
  }

  async #settleAll(owner: Owner, own: Own): Promise<void> {
    try {
      for (let conflicts = 0; own.waiting.length > 0 || own.held !== own.written;)
        if (!(await this.#write(owner, own))) await this.#ports.places.backOff((conflicts += 1))
      if (own.held === 0) this.#owners.delete(owner)
    } catch (error) {
      this.#countAlone(error)
      own.written = undefined
      this.#answer(own, own.waiting.length, own.waiting.length)
    }
  }

  /** Said once until the broker takes a pulse again, and not for each of thousands of sessions that end with it. */
  #countAlone(error: unknown): void {
    if (!this.#isAlone) this.#ports.log.warn('sessions are counted by this server alone', { error })
    this.#isAlone = true
  }

  #countTogether(): void {
    if (this.#isAlone) this.#ports.log.info('sessions are counted by all servers together again')
    this.#isAlone = false
  }

  /** False when somebody else wrote meanwhile. */
  async #write(owner: Owner, own: Own): Promise<boolean> {
    const { places, clock } = this.#ports
    const key = `places.${owner}`
    const stored = await places.read(key)
    const others = await this.#livingOthers(stored?.value)
    const elsewhere = Object.values(others).reduce((sum, sessions) => sum + sessions, 0)
    const asked = own.waiting.length
    const letIn = Math.min(asked, Math.max(0, this.#perUser - elsewhere - own.held))
    const wanted = own.held + letIn
    if (wanted !== own.written) {
      const nodes = wanted > 0 ? { ...others, [this.#nodeId]: wanted } : others
      if (!(await this.#store(key, nodes, stored?.revision))) return false
      own.written = wanted
      own.writtenAtMs = clock.elapsedMs()
    }
    this.#answer(own, asked, letIn)
    return true
  }

  async #store(key: string, nodes: UserPlaces['nodes'], revision: Revision | undefined): Promise<boolean> {
    const { places } = this.#ports
    if (Object.keys(nodes).length > 0) {
      const written =
        revision === undefined ? await places.create(key, { nodes }) : await places.replace(key, { nodes }, revision)
      return typeof written === 'number'
    }
    if (revision === undefined) return true
    await places.erase(key, revision)
    // what somebody wrote meanwhile stays, and still has what this server had
    return (await places.read(key)) === undefined
  }

  #answer(own: Own, asked: number, letIn: number): void {
    own.held += letIn
    for (const [at, tell] of own.waiting.splice(0, asked).entries()) tell(at < letIn)
  }

  async #livingOthers(places: UserPlaces | undefined): Promise<Record<string, number>> {
    const others = Object.entries(places?.nodes ?? {}).filter(([nodeId]) => nodeId !== this.#nodeId)
    const alive = await Promise.all(others.map(([nodeId]) => isAlive(this.#ports.pulses, nodeId)))
    return Object.fromEntries(others.filter((_, at) => alive[at]))
  }
}
