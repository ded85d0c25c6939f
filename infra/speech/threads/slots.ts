import { FairRow } from '../../../actors/fair-row.ts'
import { modelTime } from './model-time.ts'

type Turn = () => void

/** A number of places. Who had least of the models lately has the next; of one asker the first comes first. */
export class Slots {
  readonly #waiting = new FairRow<Turn>(modelTime)
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  get isWaitedFor(): boolean {
    return this.#waiting.size > 0
  }

  /** Resolves when a place is the caller's, who gives it back; rejects when the signal comes first. */
  async take(signal?: AbortSignal, asker = ''): Promise<void> {
    signal?.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.delete(asker, turn)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(asker, turn)
    })
  }

  give(): void {
    const next = this.#waiting.next()
    if (next) next()
    else this.#free += 1
  }
}
