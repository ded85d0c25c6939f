import { resolve } from 'node:path'

import { z } from 'zod'

import { retryable, terminal } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import { containerOfFile } from './container.ts'
import { startDecoderProcess } from './decoder-process.ts'
import type { Death, DecoderProcess } from './decoder-process.ts'
import { decodedRate, decoderMessageKind } from './decoder-protocol.ts'
import type { ChannelMode, DecodeRequest, DecoderMessage, Warning } from './decoder-protocol.ts'
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

/** Can be iterated once. Leaving the loop early ends the decoding. */
export interface Decoding extends AsyncIterable<AudioBlock> {
  readonly sampleRate: typeof decodedRate
  readonly channels: number
  /** What the header says, null when it says nothing. */
  readonly declaredSeconds: number | null
  /** Complete when the iteration has ended. */
  readonly warnings: readonly Warning[]
}

/** Half a second at most: one array a channel, all of one length. */
type AudioBlock = readonly Float32Array[]

export interface DecoderLimits {
  readonly decodedSeconds: number
  /** How long a process may take to be ready for its first file. */
  readonly startMs: number
  /** How long one step may take. Time that the reader of the blocks takes does not count. */
  readonly stallMs: number
  /** How long all steps of a file may take together. */
  readonly workMs: number
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
  const running = new Set<DecoderProcess>()
  const idle: DecoderProcess[] = []

  function forget(process: DecoderProcess): void {
    const at = idle.indexOf(process)
    if (at >= 0) idle.splice(at, 1)
  }

  function acquire(): DecoderProcess {
    const waiting = idle.pop()
    if (waiting) {
      waiting.wake()
      return waiting
    }
    if (running.size >= limits.processes)
      throw retryable('overloaded', `${limits.processes} files are being decoded at once, which is the limit.`)
    const started = startDecoderProcess(limits.memoryBytes)
    running.add(started)
    void started.ended.then(() => {
      running.delete(started)
      forget(started)
    })
    return started
  }

  /** Only a process that read a whole file without any trouble meets another one. */
  function release(process: DecoderProcess, untroubled: boolean): void {
    if (!untroubled || idle.length >= limits.idleProcesses || process.files >= limits.filesPerProcess)
      return process.discard()
    // forgotten before it is killed: a process takes a while to die, and a file that came then would die with it
    process.sleep(limits.idleMs, () => forget(process))
    idle.push(process)
  }

  async function decode(path: string, options: AudioDecodeOptions): Promise<Decoding> {
    options.signal?.throwIfAborted()
    const media = await containerOfFile(path)
    if (!media) throw notAudio()
    options.signal?.throwIfAborted()
    const process = acquire()
    const file: DecodeRequest = {
      path: resolve(path),
      media,
      channels: options.channels,
      maxSeconds: limits.decodedSeconds,
    }
    const session = createSession({ process, limits, signal: options.signal, release })
    return session.open(file)
  }

  return {
    decode,
    async close() {
      for (const process of running) {
        process.wake() // one that sleeps would not keep us alive until it has ended
        process.discard()
      }
      await Promise.all(Array.from(running, (process) => process.ended))
    },
  }
}

interface SessionParts {
  readonly process: DecoderProcess
  readonly limits: DecoderLimits
  readonly signal: AbortSignal | undefined
  readonly release: (process: DecoderProcess, untroubled: boolean) => void
}

const openedSchema = z.object({ channels: z.int().min(1), declaredSeconds: z.number().nullable() })
const warningSchema = z.object({ code: z.enum(['truncated', 'damaged', 'clock']), message: z.string() })
const finishedSchema = z.object({ warnings: z.array(warningSchema) })
const refusedSchema = z.object({ code: z.enum(['unsupported_media', 'too_large']), reason: z.string() })

/** One file in one process, from the request to the last block. */
function createSession({ process, limits, signal, release }: SessionParts): {
  open(file: DecodeRequest): Promise<Decoding>
} {
  let spentMs = 0
  let done = false
  let iterated = false
  const abort = (): void => process.kill()
  signal?.addEventListener('abort', abort, { once: true })

  function end(untroubled: boolean): void {
    if (done) return
    done = true
    signal?.removeEventListener('abort', abort)
    release(process, untroubled)
  }

  /** Kills the process when it takes too long; the silence that follows is then explained by what is known of its death. */
  async function nextMessage(allowedMs: number): Promise<DecoderMessage> {
    let late = false
    const timer = setTimeout(() => {
      late = true
      process.kill()
    }, allowedMs)
    try {
      const message = await process.next()
      if (message) return message
    } finally {
      clearTimeout(timer)
    }
    signal?.throwIfAborted()
    if (late && process.files > 0) throw tooSlow(allowedMs)
    throw classify(await process.ended, process.files)
  }

  async function nextStep(): Promise<DecoderMessage> {
    const startedMs = performance.now()
    const message = await nextMessage(Math.max(0, Math.min(limits.stallMs, limits.workMs - spentMs)))
    spentMs += performance.now() - startedMs
    return message
  }

  async function open(file: DecodeRequest): Promise<Decoding> {
    try {
      if (process.files === 0) await nextMessage(limits.startMs) // it says that it is ready
      process.request(file)
      const message = await nextStep()
      const { channels, declaredSeconds } = openedSchema.parse(jsonOf(message, decoderMessageKind.opened))
      const warnings: Warning[] = []
      return {
        sampleRate: decodedRate,
        channels,
        declaredSeconds,
        warnings,
        [Symbol.asyncIterator]: () => blocks(channels, warnings),
      }
    } catch (error) {
      end(false)
      throw error
    }
  }

  async function* blocks(channels: number, warnings: Warning[]): AsyncGenerator<AudioBlock, void> {
    if (iterated || done) throw new Error('a decoding can be iterated once')
    iterated = true
    let untroubled = false
    try {
      let message = await nextStep()
      for (; message.kind === decoderMessageKind.block; message = await nextStep()) yield blockOf(message, channels)
      warnings.push(...finishedSchema.parse(jsonOf(message, decoderMessageKind.finished)).warnings)
      untroubled = warnings.length === 0
    } finally {
      end(untroubled)
    }
  }

  return { open }
}

function jsonOf(message: DecoderMessage, kind: number): unknown {
  const value: unknown = JSON.parse(message.payload.toString('utf8'))
  if (message.kind === kind) return value
  const refused = refusedSchema.parse(value)
  throw terminal(refused.code, refused.reason)
}

function blockOf({ payload }: DecoderMessage, channels: number): AudioBlock {
  const samples = new Float32Array(payload.buffer, payload.byteOffset, payload.length / Float32Array.BYTES_PER_ELEMENT)
  const size = samples.length / channels
  return Array.from({ length: channels }, (_, index) => samples.subarray(index * size, (index + 1) * size))
}

function notAudio(): FailureError {
  return terminal('unsupported_media', `The file is not audio that can be decoded: ${sendInstead}.`)
}

function tooSlow(allowedMs: number): FailureError {
  const seconds = Math.round(allowedMs / 1000)
  return terminal(
    'unsupported_media',
    `Decoding the file got stuck for ${seconds} s, which is the limit: it is probably damaged.`,
  )
}

/**
 * Nobody but the parent, the kernel or an operator sends SIGKILL: that is not the file's fault. Every other death is, in a
 * process that has met no other file; else an earlier one may have left it broken, and that is not to be this one's end.
 */
function classify(death: Death, files: number): FailureError {
  // an unready process has not seen the file
  if (!death.wasReady) return retryable('overloaded', 'The decoder process could not be started.', death.cause)
  if (death.signal === 'SIGKILL')
    return retryable('overloaded', 'The decoder process was ended from outside.', death.cause)
  if (files > 1) return retryable('worker_failed', 'The decoder process broke while it had this file.', death.cause)
  return terminal(
    'unsupported_media',
    'The file broke the decoder: it is damaged, or needs more memory than decoding may take. Convert it to WAV or FLAC and send it again.',
    death.cause,
  )
}
