import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { toFloat, toPcm } from '../../../infra/speech/audio/signal/pcm.ts'
import { resample } from '../../../infra/speech/audio/signal/resample.ts'
import type { AudioClip } from '../audio-clip.ts'
import { blockSamples, giveBlock, takeBlock } from './audio-blocks.ts'

/**
 * The last audio of a session, as it came, by its position since the session's beginning in samples at 16 kHz. Memory
 * grows with what is kept and is given back when nothing is: a silent session costs nothing.
 */
export class AudioRing {
  /** The one that holds `#first` is the first of them. */
  #blocks: Int16Array[] = []
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
    for (let at = 0; at < pcm.length;) {
      const number = blockOf(this.#last) - blockOf(this.#first)
      const block = (this.#blocks[number] ??= takeBlock())
      const within = this.#last % blockSamples
      const taken = Math.min(blockSamples - within, pcm.length - at)
      block.set(pcm.subarray(at, at + taken), within)
      at += taken
      this.#last += taken
    }
  }

  dropBefore(position: number): void {
    const first = Math.max(this.#first, Math.min(this.#index(position), this.#last))
    const passed = first === this.#last ? this.#blocks.length : blockOf(first) - blockOf(this.#first)
    this.#first = first
    if (passed > 0) for (const block of this.#blocks.splice(0, passed)) giveBlock(block)
  }

  /** A copy. What is not kept any more is left out. */
  read(from: number, to: number): AudioClip {
    return { pcm: this.#copy(this.#index(from), this.#index(to)), rate: this.#rate }
  }

  /** What comes from now on has another rate; what is kept is brought to it. */
  changeRate(rate: number): void {
    const { start } = this
    const kept = toPcm(resample(toFloat(this.#copy(this.#first, this.#last)), this.#rate, rate))
    this.dropBefore(this.end)
    this.#rate = rate
    this.#origin = start
    this.#first = 0
    this.#last = 0
    this.append(kept)
  }

  #copy(from: number, to: number): Int16Array {
    const first = Math.max(from, this.#first)
    const pcm = new Int16Array(Math.max(0, Math.min(to, this.#last) - first))
    for (let at = 0; at < pcm.length;) {
      const block = this.#blocks[blockOf(first + at) - blockOf(this.#first)]!
      const within = (first + at) % blockSamples
      const taken = Math.min(blockSamples - within, pcm.length - at)
      pcm.set(block.subarray(within, within + taken), at)
      at += taken
    }
    return pcm
  }

  #position(index: number): number {
    return this.#origin + Math.floor((index * recogniserRate) / this.#rate)
  }

  #index(position: number): number {
    return Math.round(((position - this.#origin) * this.#rate) / recogniserRate)
  }
}

function blockOf(index: number): number {
  return Math.floor(index / blockSamples)
}
