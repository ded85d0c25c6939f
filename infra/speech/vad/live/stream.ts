import type { DetectorInput, SpeechFrame } from '../../../../actors/conversation/ports.ts'
import { vadFrameSamples } from '../segments.ts'
import { contextSamples, inputSamples } from '../silero.ts'
import { levelOf, Watch } from './watch.ts'

/** A frame that the network shall look at, with the sound just before it. */
export interface Look {
  readonly input: Float32Array
  readonly level: number
  readonly isFresh: boolean
}

/** A frame whose answer is still to be told: known, like the one before it, or being looked at. */
type Ticket = { readonly startSample: number; probability: number | 'looking' | 'same' }

/** Past this only every so many frames of a burst are looked at: it is bounded, and so is the time it takes. */
const looksWaitingMax = 1_024

export interface StreamSurroundings {
  readonly tell: (speech: SpeechFrame) => void
  /** There is a look to take from `looks`. */
  readonly want: (stream: Stream) => void
  readonly leave: (stream: Stream) => void
  readonly isBusy: () => boolean
}

/** The sound of one session on its way to the network and back. */
export class Stream implements DetectorInput {
  /** Told apart in the thread of the network. */
  readonly id: number
  readonly looks: Look[] = []
  readonly #of: StreamSurroundings
  readonly #watch = new Watch()
  #tickets: Ticket[] = []
  /** The last samples of the frame before, then the frame as far as it has come. Made with the first sound. */
  #buffer: Float32Array | undefined
  #filled = 0
  #nextSample = 0
  #lastTold = 0
  #isOpen = true

  constructor(id: number, of: StreamSurroundings) {
    this.id = id
    this.#of = of
  }

  push(samples: Float32Array): void {
    const buffer = (this.#buffer ??= new Float32Array(inputSamples))
    let at = 0
    while (at < samples.length && this.#isOpen) {
      const taken = Math.min(vadFrameSamples - this.#filled, samples.length - at)
      buffer.set(samples.subarray(at, at + taken), contextSamples + this.#filled)
      at += taken
      this.#filled += taken
      if (this.#filled < vadFrameSamples) break
      this.#judge(buffer)
      buffer.copyWithin(0, vadFrameSamples)
      this.#filled = 0
    }
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#tickets = []
    this.looks.length = 0
    this.#of.leave(this)
  }

  /** The answer to the oldest look that has none. */
  answer(probability: number, level: number): void {
    this.#watch.learn(probability, level)
    const ticket = this.#tickets.find((one) => one.probability === 'looking')
    if (ticket) ticket.probability = probability
    this.#tellKnown()
  }

  #judge(buffer: Float32Array): void {
    const startSample = this.#nextSample
    this.#nextSample += vadFrameSamples
    const level = levelOf(buffer.subarray(contextSamples))
    const glance = this.#watch.glance(level, this.#of.isBusy() || this.looks.length > looksWaitingMax)
    if (glance !== 'look') {
      this.#tickets.push({ startSample, probability: glance === 'quiet' ? 0 : 'same' })
      return this.#tellKnown()
    }
    this.#tickets.push({ startSample, probability: 'looking' })
    this.looks.push({ input: buffer.slice(), level, isFresh: this.#watch.startsAfresh() })
    this.#of.want(this)
  }

  #tellKnown(): void {
    let told = 0
    for (const { startSample, probability } of this.#tickets) {
      if (probability === 'looking' || !this.#isOpen) break
      if (probability !== 'same') this.#lastTold = probability
      told += 1
      this.#of.tell({ startSample, probability: this.#lastTold })
    }
    this.#tickets.splice(0, told)
  }
}
