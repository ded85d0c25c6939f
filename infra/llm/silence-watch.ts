/** Aborts when the caller does, or when nothing came for so long. */
export class SilenceWatch {
  readonly #silence = new AbortController()
  readonly #ms: number
  readonly signal: AbortSignal
  /** For how long it would wait now. */
  silentMs: number
  #timer: NodeJS.Timeout

  /** What comes first may be given less time than what follows. */
  constructor({ firstMs, ms }: { readonly firstMs: number; readonly ms: number }, signal: AbortSignal) {
    this.#ms = ms
    this.signal = AbortSignal.any([signal, this.#silence.signal])
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
    this.#silence.abort()
  }

  #start(): NodeJS.Timeout {
    const late = (): void => this.#silence.abort(new DOMException('silent for too long', 'TimeoutError'))
    return setTimeout(late, this.silentMs)
  }
}
