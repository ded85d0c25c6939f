import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Waveform } from '../../../actors/transcript/state.ts'
import type { AudioDecoder, AudioDecodeOptions } from '../audio/decode.ts'
import { partSeconds } from '../audio/part.ts'
import { createWaveform } from '../audio/waveform.ts'
import { createCutter } from '../vad/cutter.ts'
import type { AudioChunk, Cutter } from '../vad/cutter.ts'
import type { VoiceActivity } from '../vad/silero.ts'
import { openChannels } from './recorded-channels.ts'

export interface ChannelChunk extends AudioChunk {
  /** From 0; always 0 where channels are mixed. */
  readonly channel: number
}

/** The chunks of a recording, in the order of time, then of channels. Can be iterated once; leaving the loop ends it. */
export interface Cutting extends AsyncIterable<ChannelChunk> {
  readonly channels: number
  /** By the header, which may say nothing (null) or be wrong, until the last block tells. */
  readonly lastsSeconds: number | null
  /** What was decoded; complete, as the warnings and the waveform are, when the iteration has ended. */
  readonly seconds: number
  /** Where in the recording that begins: all times are of the whole. */
  readonly startSeconds: number
  readonly warnings: readonly string[]
  readonly waveform: Waveform
}

interface CutOptions extends AudioDecodeOptions {
  /** Up to where each channel has been looked through by now, and the speech that was newly found there. */
  onDecided?(samples: readonly number[], chunks: readonly ChannelChunk[]): void
}

export interface CutParts {
  readonly decoder: AudioDecoder
  readonly vad: VoiceActivity
}

/** Decodes a file and cuts each channel by itself; never holds more than some minutes of it. */
export async function cutFile({ decoder, vad }: CutParts, path: string, options: CutOptions): Promise<Cutting> {
  const { signal, part = { start: 0 } } = options
  const offset = Math.round(part.start * recogniserRate)
  const decoding = await decoder.decode(path, options)
  const { channels, blocks } = await openChannels(decoding, options.channels)
  const { declaredSeconds: declared } = decoding
  const waveform = createWaveform()
  waveform.skip(offset)
  let samples = 0
  let lastsSeconds = declared === null ? null : partSeconds(part, declared)

  async function* chunks(): AsyncGenerator<ChannelChunk, void> {
    const lasts = lastsSeconds === null ? {} : { lastsSeconds }
    const cutters = Array.from({ length: channels }, () => createCutter({ vad, ...lasts, ...(signal && { signal }) }))
    const ordered = new Ordered()
    const take = async (cut: (cutter: Cutter, channel: number) => Promise<AudioChunk[]>): Promise<void> => {
      const found: ChannelChunk[] = []
      for (const [channel, cutter] of cutters.entries())
        for (const chunk of await cut(cutter, channel)) found.push({ ...shifted(chunk, offset), channel })
      ordered.add(found)
      options.onDecided?.(
        cutters.map(({ decidedSamples }) => decidedSamples),
        found,
      )
    }
    for await (const block of blocks) {
      samples += block[0]?.length ?? 0
      waveform.push(block)
      await take((cutter, channel) => cutter.push(block[channel]!))
      yield* ordered.before(offset + Math.min(...cutters.map(({ frontier }) => frontier)))
    }
    lastsSeconds = samples / recogniserRate
    await take((cutter) => cutter.end())
    yield* ordered.before(Infinity)
  }

  return {
    channels,
    startSeconds: part.start,
    get lastsSeconds() {
      return lastsSeconds
    },
    get seconds() {
      return samples / recogniserRate
    },
    get warnings() {
      return decoding.warnings.map(({ message }) => message)
    },
    get waveform() {
      return waveform.made()
    },
    [Symbol.asyncIterator]: chunks,
  }
}

/** From the start of what was decoded to the start of the recording. */
function shifted(audio: AudioChunk, offset: number): AudioChunk {
  if (offset === 0) return audio
  const { chunk, speech } = audio
  const { start, end, ownStart, ownEnd } = chunk
  return {
    ...audio,
    chunk: { start: start + offset, end: end + offset, ownStart: ownStart + offset, ownEnd: ownEnd + offset },
    speech: speech.map((span) => ({ start: span.start + offset, end: span.end + offset })),
  }
}

/** Cutters run ahead of each other by some minutes: a chunk waits until no other channel can have an earlier one. */
class Ordered {
  #waiting: ChannelChunk[] = []

  add(chunks: readonly ChannelChunk[]): void {
    this.#waiting.push(...chunks)
  }

  before(sample: number): ChannelChunk[] {
    if (this.#waiting.length === 0) return []
    const isReady = ({ chunk }: ChannelChunk): boolean => chunk.start < sample
    const ready = this.#waiting.filter(isReady)
    this.#waiting = this.#waiting.filter((one) => !isReady(one))
    return ready.sort((one, other) => one.chunk.start - other.chunk.start || one.channel - other.channel)
  }
}
