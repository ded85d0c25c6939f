import { isRetryable } from '../../actors/failure.ts'
import type { Log, Records, Revision, Timer } from '../../actors/ports.ts'
import type { Buckets } from '../../actors/bucket.ts'
import { lessOf } from '../session/kept.ts'
import type { KeeperInput, KeptSession, SessionKeeper } from '../session/ports.ts'
import { keptPlace, seal } from './seal.ts'
import type { SessionName } from './seal.ts'

/** A session that may go on at another server. */
interface SealedSession {
  /** Who writes it: one connection, until another goes on with the session. */
  readonly holder: string
  /** Base64. */
  readonly sealed: string
}

export interface KeeperPorts {
  readonly records: Records<SealedSession>
  /** What each user may have kept, in bytes. */
  readonly budget: Buckets
  readonly timer: Timer
  readonly log: Log
}

/** Whose connection it is, and the revision that it went on from. */
interface Holding {
  readonly name: SessionName
  readonly holder: string
  readonly revision: Revision | undefined
}

/** What is said in one breath is written once. */
export const gatherMs = 200
/** Between two writes of one session. */
export const restMs = 1_000
/** Less than half of what a record lives: one that is still talked in is there after a crash, whenever it was written. */
const touchMs = 240_000
const retryMs = 5_000
/** As base64 it fits into a record. */
const sealedMaxBytes = 370 * 1024

/** Writes down what one session knows, some time after it changed, and never twice at once. */
export class RecordKeeper implements SessionKeeper {
  readonly #ports: KeeperPorts
  readonly #holding: Holding
  readonly #input: KeeperInput
  readonly #key: string
  #revision: Revision | undefined
  #isChanged = false
  #isOver = false
  #writing: Promise<void> | undefined
  #stopWaiting: (() => void) | undefined

  constructor(ports: KeeperPorts, holding: Holding, input: KeeperInput) {
    this.#ports = ports
    this.#holding = holding
    this.#input = input
    this.#key = keptPlace(holding.name)
    this.#revision = holding.revision
    if (holding.revision !== undefined) this.#wait(touchMs)
  }

  changed(): void {
    if (this.#isOver || this.#isChanged) return
    this.#isChanged = true
    if (!this.#writing) this.#wait(gatherMs)
  }

  async leave(): Promise<void> {
    if (this.#isOver) return this.#writing
    this.#end()
    await this.#writing
    if (this.#isChanged) await this.#write()
  }

  async forget(): Promise<void> {
    if (this.#isOver) return this.#writing
    this.#end()
    await this.#writing
    // what another connection wrote since stays
    if (this.#revision !== undefined) await this.#ports.records.erase(this.#key, this.#revision).catch(this.#failed)
  }

  #end(): void {
    this.#isOver = true
    this.#stopWaiting?.()
  }

  #wait(ms: number): void {
    this.#stopWaiting?.()
    this.#stopWaiting = this.#ports.timer.after(ms, () => void this.#write())
  }

  #write(): Promise<void> {
    this.#isChanged = false
    this.#writing = this.#store()
      .catch((error: unknown) => {
        this.#failed(error)
        return isRetryable(error) ? retryMs : touchMs
      })
      .then((againMs) => {
        this.#writing = undefined
        if (againMs !== undefined) this.#isChanged = true
        if (!this.#isOver) this.#wait(againMs ?? (this.#isChanged ? restMs : touchMs))
      })
    return this.#writing
  }

  /** Resolves with nothing when it is stored, otherwise with how long to wait before it is tried again. */
  async #store(): Promise<number | undefined> {
    const { records, budget } = this.#ports
    const { name, holder } = this.#holding
    const sealed = await sealedWithin(this.#input.read(), name)
    if (!sealed) return touchMs
    const waitSeconds = budget.take(name.owner, sealed.length)
    if (waitSeconds !== undefined) return Math.min(touchMs, Math.max(restMs, waitSeconds * 1_000))
    const record = { holder, sealed: sealed.toString('base64') }
    const revision = this.#revision
    const written = await (revision === undefined
      ? records.create(this.#key, record)
      : records.replace(this.#key, record, revision))
    if (typeof written === 'string') return this.#lost()
    this.#revision = written
    return undefined
  }

  /** It was there for too long and vanished, or another connection goes on with the session. */
  async #lost(): Promise<number> {
    const found = await this.#ports.records.read(this.#key)
    if (found && found.value.holder !== this.#holding.holder) {
      this.#end()
      this.#input.takenOver()
      return touchMs
    }
    this.#revision = found?.revision
    return gatherMs
  }

  readonly #failed = (error: unknown): void => this.#ports.log.warn('session not kept', { error })
}

/** Older items are left out where there is no room for all. */
async function sealedWithin(kept: KeptSession, name: SessionName): Promise<Buffer | undefined> {
  for (let part: KeptSession | undefined = kept; part; part = lessOf(part)) {
    const sealed = await seal(part, name)
    if (sealed.length <= sealedMaxBytes) return sealed
  }
  return undefined
}
