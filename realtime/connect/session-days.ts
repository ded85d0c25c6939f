import { sessionDayKey } from '../../actors/conversation/ports.ts'
import type { SessionDay } from '../../actors/conversation/ports.ts'
import type { Owner } from '../../actors/ids.ts'
import type { Clock, Log, Records, Timer } from '../../actors/ports.ts'

interface SessionDaysPorts {
  readonly days: Records<SessionDay>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly timer: Timer
  readonly log: Log
}

/** Of users and days, while the broker is away: what more there is, is not counted. */
const waitingMax = 10_000
const againMs = 5_000

/** What each user had of sessions, added up by the day on which they ended. What a server had not written when it was killed is not counted. */
export class SessionDays {
  readonly #ports: SessionDaysPorts
  readonly #waiting = new Map<string, SessionDay>()
  #writing: Promise<void> | undefined
  /** The broker did not take the last one: all of them are tried again together, after a while. */
  #isPutOff = false
  #stopTimer: () => void = () => undefined

  constructor(ports: SessionDaysPorts) {
    this.#ports = ports
  }

  ended(owner: Owner, seconds: number): void {
    const date = new Date(this.#ports.clock.nowMs()).toISOString().slice(0, 10)
    this.#add(sessionDayKey(owner, date), { sessions: 1, seconds })
    if (!this.#isPutOff) this.#write()
  }

  /** Tries once more to write what is left. */
  async close(): Promise<void> {
    await this.#writing
    this.#write()
    await this.#writing
    this.#stopTimer()
  }

  #add(key: string, more: SessionDay): void {
    const before = this.#waiting.get(key)
    if (!before && this.#waiting.size >= waitingMax) return
    this.#waiting.set(key, summed(before, more))
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
  }

  async #writeAll(): Promise<void> {
    this.#stopTimer()
    this.#isPutOff = false
    for (const [key, more] of this.#waiting) {
      this.#waiting.delete(key)
      try {
        await this.#writeOne(key, more)
      } catch (error) {
        this.#ports.log.warn('sessions of a day are not written down yet', { error })
        this.#add(key, more)
        this.#isPutOff = true
        this.#stopTimer = this.#ports.timer.after(againMs, () => this.#write())
        return
      }
    }
  }

  async #writeOne(key: string, more: SessionDay): Promise<void> {
    const { days } = this.#ports
    for (let conflicts = 1; ; conflicts += 1) {
      const stored = await days.read(key)
      const day = summed(stored?.value, more)
      const written = stored ? await days.replace(key, day, stored.revision) : await days.create(key, day)
      if (typeof written === 'number') return
      await days.backOff(conflicts)
    }
  }
}

function summed(before: SessionDay | undefined, { sessions, seconds }: SessionDay): SessionDay {
  return before ? { sessions: before.sessions + sessions, seconds: before.seconds + seconds } : { sessions, seconds }
}
