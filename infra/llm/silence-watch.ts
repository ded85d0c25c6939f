/** Aborts when the caller does, or when nothing came for so long. */
export class SilenceWatch {
  readonly #halt = new AbortController()
  readonly #given: AbortSignal
  readonly #follow = (): void => this.#halt.abort(this.#given.reason)
  readonly #ms: number
  readonly signal = this.#halt.signal
  /** For how long it would wait now. */
  silentMs: number
  #timer: NodeJS.Timeout

  /** What comes first may be given less time than what follows. */
  constructor({ firstMs, ms }: { readonly firstMs: number; readonly ms: number }, given: AbortSignal) {
    this.#ms = ms
    this.#given = given
    given.addEventListener('abort', this.#follow)
    if (given.aborted) this.#follow()
    this.silentMs = Math.round(firstMs)
    this.#timer = this.#start()
  }

  renew(): void {
    clearTimeout(this.#timer)
    this.silentMs = this.#ms
    this.#timer = this.#start()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#given.removeEventListener('abort', this.#follow)
    this.#halt.abort()
  }

  #start(): NodeJS.Timeout {
    const late = (): void => this.#halt.abort(new DOMException('silent for too long', 'TimeoutError'))
    return setTimeout(late, this.silentMs)
  }
}
