import { resolve } from 'node:path'

import { retryable, terminal } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import { createChildPool } from '../../process/child-pool.ts'
import { containerOfFile } from './container.ts'
import type { Container } from './container.ts'
import { startDecoderProcess } from './decoder-process.ts'
import type { DecoderProcess } from './decoder-process.ts'
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
  /** `mix` gives one channel, the average of all; `separate` keeps them apart, as in a recorded call. */
  readonly channels: ChannelMode
  readonly signal?: AbortSignal
}

export interface DecoderLimits extends DecodingLimits {
  readonly decodedSeconds: number
  readonly memoryBytes: number
  readonly processes: number
  /** Processes that wait for the next file, because a start takes about a fifth of a second of a core. */
  readonly idleProcesses: number
  readonly idleMs: number
  readonly filesPerProcess: number
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
  const pool = createChildPool<DecoderProcess>({
    start: () => startDecoderProcess(limits.memoryBytes),
    end: (process) => process.discard(),
  })

  function acquire(): DecoderProcess {
    const waiting = pool.takeWaiting()
    if (waiting) {
      waiting.wake()
      return waiting
    }
    if (pool.size >= limits.processes)
      throw retryable('overloaded', `${limits.processes} files are being decoded at once, which is the limit.`)
    return pool.start()
  }

  /** Only a process that read a whole file without any trouble meets another one. */
  function release(process: DecoderProcess, untroubled: boolean): void {
    if (!untroubled || pool.waiting >= limits.idleProcesses || process.files >= limits.filesPerProcess)
      return process.discard()
    // forgotten before it is killed: a process takes a while to die, and a file that came then would die with it
    process.sleep(limits.idleMs, () => pool.forget(process))
    pool.letWait(process)
  }

  return {
    async decode(path, { channels, signal }) {
      signal?.throwIfAborted()
      const media = await containerOfFile(path)
      if (!media) throw notAudio()
      signal?.throwIfAborted()
      const file = {
        path: resolve(path),
        media,
        channels,
        maxSeconds: limits.decodedSeconds,
        plausibleSeconds: plausibleSeconds(media),
      }
      return startDecoding({ process: acquire(), limits, signal, release }, file)
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
