import { recogniserRate } from '../../../../actors/conversation/ports.ts'

/** Past this nothing more is looked at before the turn's end: so much memory a turn takes and no more. */
const mostSeconds = 30

/** The end of a turn's audio, in samples since its beginning. */
export class LiveWindow {
  #samples = new Float32Array(0)
  #from = 0
  #length = 0

  get from(): number {
    return this.#from
  }

  get to(): number {
    return this.#from + this.#length
  }

  get seconds(): number {
    return this.#length / recogniserRate
  }

  get isFull(): boolean {
    return this.seconds > mostSeconds
  }

  get samples(): Float32Array {
    return this.#samples.subarray(0, this.#length)
  }

  append(more: Float32Array): void {
    const length = this.#length + more.length
    if (length > this.#samples.length) {
      const room = new Float32Array(Math.ceil((1.5 * length) / recogniserRate) * recogniserRate)
      room.set(this.samples)
      this.#samples = room
    }
    this.#samples.set(more, this.#length)
    this.#length = length
  }

  dropBefore(position: number): void {
    const dropped = Math.max(0, Math.min(position, this.to) - this.#from)
    this.#samples.copyWithin(0, dropped, this.#length)
    this.#from += dropped
    this.#length -= dropped
  }
}
