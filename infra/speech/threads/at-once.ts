import { Slots } from './slots.ts'

/** Runs steps side by side, as many as there are places. After the first failure nothing more is begun. */
export class AtOnce {
  readonly #running = new Set<Promise<void>>()
  readonly #slots: Slots
  #failure: { readonly reason: unknown } | undefined

  /** Places may be shared with others who run steps of their own. */
  constructor(places: number | Slots) {
    this.#slots = typeof places === 'number' ? new Slots(places) : places
  }

  /** Resolves when the step has a place and has begun; rejects when the signal comes first. */
  async begin(step: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    await this.#slots.take(signal)
    if (this.#failure) {
      this.#slots.give()
      throw this.#failure.reason
    }
    const running = step()
      .catch((reason: unknown) => {
        this.#failure ??= { reason }
      })
      .finally(() => {
        this.#running.delete(running)
        this.#slots.give()
      })
    this.#running.add(running)
  }

  /** Resolves when all have ended well; rejects, when all have ended, with the first failure. */
  async finish(): Promise<void> {
    await this.ended()
    if (this.#failure) throw this.#failure.reason
  }

  /** Resolves when none is under way, however they ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running)
  }
}
