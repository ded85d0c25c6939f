import { Application, createDecoder, createEncoder, Signal } from 'libopus-wasm'
import type { OpusDecoderHandle, OpusEncoderHandle } from 'libopus-wasm'

import { spokenRate } from '../../actors/conversation/ports.ts'

/** Opus at the rate at which everything is spoken: nothing is resampled on its way. */
export interface Codec {
  readonly encoder: OpusEncoderHandle
  readonly decoder: OpusDecoderHandle
  close(): void
}

const bitsPerSecond = 32_000
/** Of 10: a voice sounds the same above it. */
const complexity = 5
/** How much of it listeners are thought to lose; each packet then carries a little of the one before. */
const packetLossPercent = 5

export async function openCodec(): Promise<Codec> {
  const format = { sampleRate: spokenRate, channels: 1 } as const
  const encoder = await createEncoder({
    ...format,
    frameSize: spokenRate / 50,
    application: Application.Voip,
    signal: Signal.Voice,
    bitrate: bitsPerSecond,
    complexity,
    fec: true,
    packetLossPercent,
  })
  const decoder = await createDecoder(format)
  return {
    encoder,
    decoder,
    close() {
      encoder.free()
      decoder.free()
    },
  }
}
