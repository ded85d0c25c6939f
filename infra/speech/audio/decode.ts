import { terminal } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import type { RecordingPart } from '../../../actors/run/state.ts'
import { containerOfFile } from './container.ts'
import type { Container } from './container.ts'
import { openDecoderPool } from './decoder-pool.ts'
import type { DecoderPoolLimits } from './decoder-pool.ts'
import type { ChannelMode } from './decoder-protocol.ts'
import { startDecoding } from './decoding.ts'
import type { Decoding, DecodingLimits } from './decoding.ts'
import { sendInstead } from './header/formats.ts'

/** Any audio file into 16 kHz floats, block by block, by processes of their own that hold one file at a time. */
export interface AudioDecoder {
  /** Resolves when the file is open; rejects with a terminal failure when it never can be. */
  decode(path: string, options: AudioDecodeOptions): Promise<Decoding>
  /** Ends every process, also those that are at work. */
  close(): Promise<void>
}

export interface AudioDecodeOptions {
  /** `mix` gives one channel, the average of all; `separate` keeps them apart, as in a recorded call; `auto` where there are two. */
  readonly channels: ChannelMode
  /** Of the recording, what is wanted; absent: all of it. What comes before is not decoded, as far as the file allows. */
  readonly part?: RecordingPart
  readonly signal?: AbortSignal
}

export interface DecoderLimits extends DecodingLimits, DecoderPoolLimits {
  readonly decodedSeconds: number
}

export const defaultDecoderLimits: DecoderLimits = {
  decodedSeconds: 8 * 60 * 60,
  startMs: 30_000,
  stallMs: 30_000,
  workMs: 20 * 60_000,
  memoryBytes: 512 * 1024 * 1024,
  processes: 8,
  idleProcesses: 1,
  idleMs: 10_000,
  filesPerProcess: 50,
}

export function createDecoder(given: Partial<DecoderLimits> = {}): AudioDecoder {
  const limits = { ...defaultDecoderLimits, ...given }
  const pool = openDecoderPool(limits)
  return {
    async decode(path, { channels, part, signal }) {
      signal?.throwIfAborted()
      const media = await containerOfFile(path)
      if (!media) throw notAudio()
      const file = {
        media,
        channels,
        ...(part && { part }),
        maxSeconds: limits.decodedSeconds,
        plausibleSeconds: plausibleSeconds(media),
      }
      signal?.throwIfAborted()
      const process = await pool.handOver(path, media.sizeBytes)
      if (signal?.aborted === true) process.discard()
      signal?.throwIfAborted()
      return startDecoding({ process, limits, signal, release: pool.release }, file)
    },
    close: () => pool.close(),
  }
}

/** Silence that is packed by the usual programs has 25 bytes a second or more, and speech ten times as many. */
const leastBytesPerSecond = 16
const alwaysPlausibleSeconds = 60

/** An index that names one piece of sound a thousand times makes hours of a few bytes. */
function plausibleSeconds({ sizeBytes }: Container): number {
  return alwaysPlausibleSeconds + sizeBytes / leastBytesPerSecond
}

function notAudio(): FailureError {
  return terminal('unsupported_media', `The file is not audio that can be decoded: ${sendInstead}.`)
}
