import { z } from 'zod'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { retryable, terminal } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import type { ChildMessage } from '../../process/messages.ts'
import type { Death, DecoderProcess, RecordingRequest } from './decoder-process.ts'
import { decoderMessageKind } from './decoder-protocol.ts'
import type { Warning } from './decoder-protocol.ts'

/** Can be iterated once. Leaving the loop early ends the decoding. */
export interface Decoding extends AsyncIterable<AudioBlock> {
  readonly sampleRate: typeof recogniserRate
  readonly channels: number
  /** What the header says, null when it says nothing. */
  readonly declaredSeconds: number | null
  /** Complete when the iteration has ended. */
  readonly warnings: readonly Warning[]
}

/** Half a second at most: one array a channel, all of one length. */
type AudioBlock = readonly Float32Array[]

export interface DecodingLimits {
  /** How long a process may take to be ready for its first file. */
  readonly startMs: number
  /** How long one step may take. Time that the reader of the blocks takes does not count. */
  readonly stallMs: number
  /** How long all steps of a file may take together. */
  readonly workMs: number
}

interface DecodingParts {
  readonly process: DecoderProcess
  readonly limits: DecodingLimits
  readonly signal: AbortSignal | undefined
  /** Called once, whatever comes of it. */
  readonly release: (process: DecoderProcess, untroubled: boolean) => void
}

const openedSchema = z.object({ channels: z.int().min(1), declaredSeconds: z.number().nullable() })
const warningSchema = z.object({ code: z.enum(['truncated', 'damaged', 'clock', 'part']), message: z.string() })
const finishedSchema = z.object({ warnings: z.array(warningSchema) })
const refusedSchema = z.object({
  code: z.enum(['unsupported_media', 'too_large', 'invalid_request']),
  reason: z.string(),
})

/** One file in one process, from the request to the last block. Resolves when the file is open. */
export async function startDecoding(parts: DecodingParts, file: RecordingRequest): Promise<Decoding> {
  const { process, signal } = parts
  const steps = timedSteps(parts)
  let iterated = false
  let done = false
  const abort = (): void => process.kill()
  signal?.addEventListener('abort', abort, { once: true })

  function end(untroubled: boolean): void {
    if (done) return
    done = true
    signal?.removeEventListener('abort', abort)
    parts.release(process, untroubled)
  }

  async function* blocks(channels: number, warnings: Warning[]): AsyncGenerator<AudioBlock, void> {
    if (iterated) throw new Error('a decoding can be iterated once')
    iterated = true
    let untroubled = false
    try {
      let message = await steps.next()
      for (; isUnderWay(message); message = await steps.next())
        if (message.kind === decoderMessageKind.block) yield blockOf(message, channels)
      warnings.push(...finishedSchema.parse(jsonOf(message, decoderMessageKind.finished)).warnings)
      untroubled = warnings.length === 0
    } finally {
      end(untroubled)
    }
  }

  try {
    if (process.files === 0) await steps.ready()
    process.request(file)
    const { channels, declaredSeconds } = openedSchema.parse(jsonOf(await steps.next(), decoderMessageKind.opened))
    const warnings: Warning[] = []
    const iterator = () => blocks(channels, warnings)
    return { sampleRate: recogniserRate, channels, declaredSeconds, warnings, [Symbol.asyncIterator]: iterator }
  } catch (error) {
    end(false)
    throw error
  }
}

interface TimedSteps {
  ready(): Promise<ChildMessage>
  next(): Promise<ChildMessage>
}

/** What the process says, each message in its time and all of them in theirs. */
function timedSteps({ process, limits, signal }: DecodingParts): TimedSteps {
  let spentMs = 0

  /** Kills the process when it takes too long; the silence that follows is then explained by what is known of its death. */
  async function nextWithin(allowedMs: number): Promise<ChildMessage> {
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

  return {
    ready: () => nextWithin(limits.startMs),
    async next() {
      const startedMs = performance.now()
      const message = await nextWithin(Math.max(0, Math.min(limits.stallMs, limits.workMs - spentMs)))
      spentMs += performance.now() - startedMs
      return message
    },
  }
}

function isUnderWay({ kind }: ChildMessage): boolean {
  return kind === decoderMessageKind.block || kind === decoderMessageKind.skipped
}

function jsonOf(message: ChildMessage, kind: number): unknown {
  const value: unknown = JSON.parse(message.payload.toString('utf8'))
  if (message.kind === kind) return value
  const refused = refusedSchema.parse(value)
  throw terminal(refused.code, refused.reason)
}

function blockOf({ payload }: ChildMessage, channels: number): AudioBlock {
  const samples = new Float32Array(payload.buffer, payload.byteOffset, payload.length / Float32Array.BYTES_PER_ELEMENT)
  const size = samples.length / channels
  return Array.from({ length: channels }, (_, index) => samples.subarray(index * size, (index + 1) * size))
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
