import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { AudioChunk } from '../vad/cutter.ts'

/**
 * How much of a recording is done with: silence as soon as it is known to be silence, speech when it has been heard.
 * Chunks are heard in any order and several at once, so that the latest one says nothing about those before it.
 */
export class Headway {
  #decidedSamples: readonly number[] = []
  #unheardSamples = 0
  #toldSeconds = 0

  /** `tell` is given the mean of the channels, when it has grown. */
  constructor(private readonly tell: (doneSeconds: number) => void) {}

  /** Up to where each channel has been looked through by now, and the speech that was newly found there. */
  decide(decidedSamples: readonly number[], chunks: readonly AudioChunk[]): void {
    this.#decidedSamples = decidedSamples
    for (const chunk of chunks) this.#unheardSamples += ownSamples(chunk)
    this.#tellGrowth()
  }

  hear(chunk: AudioChunk): void {
    this.#unheardSamples -= ownSamples(chunk)
    this.#tellGrowth()
  }

  #tellGrowth(): void {
    const decided = this.#decidedSamples.reduce((sum, samples) => sum + samples, 0)
    const seconds = (decided - this.#unheardSamples) / this.#decidedSamples.length / recogniserRate
    if (seconds <= this.#toldSeconds) return
    this.#toldSeconds = seconds
    this.tell(seconds)
  }
}

/** Neighbours overlap where a monologue was cut, but each sample has one that answers for it. */
function ownSamples({ chunk }: AudioChunk): number {
  return chunk.ownEnd - chunk.ownStart
}
