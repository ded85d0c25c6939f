import type { Decoder, DecodeOptions } from './audio/decode.ts'
import { sampleRate } from './audio/mel.ts'
import { createCutter } from './vad/cutter.ts'
import type { AudioChunk } from './vad/cutter.ts'
import type { VoiceActivity } from './vad/silero.ts'

export interface ChannelChunk extends AudioChunk {
  /** From 0; always 0 where channels are mixed. */
  readonly channel: number
}

/** The chunks of a recording, in the order of time, then of channels. Can be iterated once; leaving the loop ends it. */
export interface Cutting extends AsyncIterable<ChannelChunk> {
  readonly channels: number
  /** What the header says, null when it says nothing. */
  readonly declaredSeconds: number | null
  /** What was decoded; complete, as the warnings are, when the iteration has ended. */
  readonly seconds: number
  readonly warnings: readonly string[]
}

export interface CutParts {
  readonly decoder: Decoder
  readonly vad: VoiceActivity
}

/** Decodes a file and cuts each channel by itself; never holds more than some minutes of it. */
export async function cutFile({ decoder, vad }: CutParts, path: string, options: DecodeOptions): Promise<Cutting> {
  const { signal } = options
  const decoding = await decoder.decode(path, options)
  let samples = 0

  async function* chunks(): AsyncGenerator<ChannelChunk, void> {
    const cutters = Array.from({ length: decoding.channels }, () => createCutter({ vad, ...(signal && { signal }) }))
    const ordered = new Ordered()
    const ready = (): ChannelChunk[] => ordered.before(Math.min(...cutters.map(({ frontier }) => frontier)))
    async function* inOrder(cut: AsyncIterable<AudioChunk>, channel: number): AsyncGenerator<ChannelChunk, void> {
      for await (const chunk of cut) {
        ordered.add({ ...chunk, channel })
        yield* ready()
      }
    }
    for await (const block of decoding) {
      samples += block[0]?.length ?? 0
      for (const [channel, cutter] of cutters.entries()) yield* inOrder(cutter.push(block[channel]!), channel)
      yield* ready()
    }
    for (const [channel, cutter] of cutters.entries()) yield* inOrder(cutter.end(), channel)
    yield* ordered.before(Infinity)
  }

  return {
    channels: decoding.channels,
    declaredSeconds: decoding.declaredSeconds,
    get seconds() {
      return samples / sampleRate
    },
    get warnings() {
      return decoding.warnings.map(({ message }) => message)
    },
    [Symbol.asyncIterator]: chunks,
  }
}

/** Cutters run ahead of each other by some minutes: a chunk waits until no other channel can have an earlier one. */
class Ordered {
  #waiting: ChannelChunk[] = []

  add(chunk: ChannelChunk): void {
    this.#waiting.push(chunk)
  }

  before(sample: number): ChannelChunk[] {
    if (this.#waiting.length === 0) return []
    const isReady = ({ chunk }: ChannelChunk): boolean => chunk.start < sample
    const ready = this.#waiting.filter(isReady)
    this.#waiting = this.#waiting.filter((one) => !isReady(one))
    return ready.sort((one, other) => one.chunk.start - other.chunk.start || one.channel - other.channel)
  }
}
