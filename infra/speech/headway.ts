import { sampleRate } from './audio/mel.ts'
import type { AudioChunk } from './vad/cutter.ts'

/**
 * How much of a recording is done with: silence as soon as it is known to be silence, speech when it has been heard.
 * Chunks are heard in any order and several at once, so that the latest one says nothing about those before it.
 */
export class Headway {
  readonly #decided: number[]
  #unheard = 0

  constructor(channels: number) {
    this.#decided = Array.from({ length: channels }, () => 0)
  }

  /** The mean of the channels; it never falls. */
  get seconds(): number {
    const decided = this.#decided.reduce((sum, samples) => sum + samples, 0)
    return (decided - this.#unheard) / this.#decided.length / sampleRate
  }

  decide(channel: number, upToSamples: number, chunks: readonly AudioChunk[]): void {
    this.#decided[channel] = upToSamples
    for (const chunk of chunks) this.#unheard += ownSamples(chunk)
  }

  hear(chunk: AudioChunk): void {
    this.#unheard -= ownSamples(chunk)
  }
}

/** Neighbours overlap where a monologue was cut, but each sample has one that answers for it. */
function ownSamples({ chunk }: AudioChunk): number {
  return chunk.ownEnd - chunk.ownStart
}
