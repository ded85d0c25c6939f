interface KeypadPorts {
  /** Somebody begins to press keys. */
  readonly begun: () => void
  readonly entered: (keys: string) => void
}

const pauseMs = 2_000
const keysMax = 32
/** By which callers say that they are done. */
const lastKey = '#'

/** Keys that are pressed one after the other are one entry: until `#`, or a pause, or as many as an entry may have. */
export class Keypad {
  readonly #ports: KeypadPorts
  #keys = ''
  #pause: NodeJS.Timeout | undefined

  constructor(ports: KeypadPorts) {
    this.#ports = ports
  }

  press(key: string): void {
    if (this.#keys === '') this.#ports.begun()
    this.#keys += key
    clearTimeout(this.#pause)
    if (key === lastKey || this.#keys.length >= keysMax) this.#enter()
    else this.#pause = setTimeout(() => this.#enter(), pauseMs)
  }

  close(): void {
    clearTimeout(this.#pause)
  }

  #enter(): void {
    const keys = this.#keys
    this.#keys = ''
    this.#ports.entered(keys)
  }
}
