import { heardRate } from '../../actors/conversation/ports.ts'
import { resample } from '../../actors/sound/resample.ts'
import { toFloat } from './sound-in.ts'
import type { Sound } from './sound-in.ts'
import { toPcm } from './sound-out.ts'

const smallest = 8_192

/**
 * The last sound of a session, as it came, by its position since the session's beginning in samples at 16 kHz. Memory
 * grows with what is kept and is given back when nothing is: a silent session costs nothing.
 */
export class SoundRing {
  #held = new Int16Array(0)
  #rate: number
  /** The position at which samples of this rate begin. */
  #origin = 0
  /** In samples of this rate since then. */
  #first = 0
  #last = 0

  constructor(rate: number) {
    this.#rate = rate
  }

  /** The oldest that is kept. */
  get start(): number {
    return this.#position(this.#first)
  }

  get end(): number {
    return this.#position(this.#last)
  }

  append(pcm: Int16Array): void {
    const needed = this.#last - this.#first + pcm.length
    if (needed > this.#held.length) this.#resize(needed)
    const at = this.#last & (this.#held.length - 1)
    const untilEdge = Math.min(pcm.length, this.#held.length - at)
    this.#held.set(pcm.subarray(0, untilEdge), at)
    this.#held.set(pcm.subarray(untilEdge), 0)
    this.#last += pcm.length
  }

  dropBefore(position: number): void {
    this.#first = Math.max(this.#first, Math.min(this.#index(position), this.#last))
    const kept = this.#last - this.#first
    if (kept === 0) this.#held = new Int16Array(0)
    else if (this.#held.length > smallest && kept < this.#held.length / 8) this.#resize(kept)
  }

  /** A copy. What is not kept any more is left out. */
  read(from: number, to: number): Sound {
    return { pcm: this.#copy(this.#index(from), this.#index(to)), rate: this.#rate }
  }

  /** What comes from now on has another rate; what is kept is brought to it. */
  changeRate(rate: number): void {
    const { start } = this
    const kept = toPcm(resample(toFloat(this.#copy(this.#first, this.#last)), this.#rate, rate))
    this.#held = new Int16Array(0)
    this.#rate = rate
    this.#origin = start
    this.#first = 0
    this.#last = 0
    this.append(kept)
  }

  #copy(from: number, to: number): Int16Array {
    const first = Math.max(from, this.#first)
    const pcm = new Int16Array(Math.max(0, Math.min(to, this.#last) - first))
    if (pcm.length === 0) return pcm
    const at = first & (this.#held.length - 1)
    const untilEdge = Math.min(pcm.length, this.#held.length - at)
    pcm.set(this.#held.subarray(at, at + untilEdge))
    pcm.set(this.#held.subarray(0, pcm.length - untilEdge), untilEdge)
    return pcm
  }

  /** To a power of two, so that an index is found by masking. */
  #resize(samples: number): void {
    const kept = this.#copy(this.#first, this.#last)
    this.#held = new Int16Array(Math.max(smallest, 2 ** Math.ceil(Math.log2(samples))))
    this.#last = this.#first
    this.append(kept)
  }

  #position(index: number): number {
    return this.#origin + Math.floor((index * heardRate) / this.#rate)
  }

  #index(position: number): number {
    return Math.round(((position - this.#origin) * this.#rate) / heardRate)
  }
}
