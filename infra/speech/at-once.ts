/** Runs steps side by side, a bounded number at a time. After the first failure nothing more is begun. */
export class AtOnce {
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly reason: unknown } | undefined

  constructor(private readonly most: number) {}

  /** Resolves when there is room for the next one. */
  async begin(step: () => Promise<void>): Promise<void> {
    if (this.#failure) throw this.#failure.reason
    const running = step().catch((reason: unknown) => {
      this.#failure ??= { reason }
    })
    this.#running.add(running)
    void running.finally(() => this.#running.delete(running))
    if (this.#running.size >= this.most) await Promise.race(this.#running)
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
