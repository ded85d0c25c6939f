import { retryable } from '../../../actors/failure.ts'
import { startLimitedChild } from '../../process/limited-child.ts'
import type { SpeechFormat } from '../../../actors/conversation/ports.ts'
import type { EncodedFormat } from './encoded-format.ts'
import { spokenWavHeader } from './signal/wav-header.ts'

/** Speech at 24 kHz into bytes of a format, as it comes. */
interface AudioEncoder {
  /** Leaving the loop early ends the encoding, and whatever makes the samples. */
  readonly encode: (format: SpeechFormat, samples: AsyncIterable<Int16Array>) => AsyncIterable<Uint8Array>
}

interface EncoderLimits {
  /** Encodings that have a process of their own, at the same time. */
  readonly processes: number
  /** How long the encoder may take over what it was given, before it is ended. */
  readonly stallMs: number
}

const defaultEncoderLimits: EncoderLimits = { processes: 8, stallMs: 30_000 }

const childModule = new URL('./encoder-child.js', import.meta.url)
const childLimits = { name: 'encoder', heapMegabytes: 96, cpuSeconds: 10 * 60, memoryBytes: 512 * 1024 * 1024 }

export function createAudioEncoder(given: Partial<EncoderLimits> = {}): AudioEncoder {
  const limits = { ...defaultEncoderLimits, ...given }
  let running = 0

  async function* encodeApart(format: EncodedFormat, samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
    if (running >= limits.processes)
      throw retryable('overloaded', `${limits.processes} answers are being encoded at once, which is the limit.`)
    running += 1
    try {
      yield* throughChild(format, samples, limits.stallMs)
    } finally {
      running -= 1
    }
  }

  return {
    encode(format, samples) {
      if (format === 'pcm') return rawBytes(samples)
      return format === 'wav' ? wavBytes(samples) : encodeApart(format, samples)
    },
  }
}

async function* throughChild(
  format: EncodedFormat,
  samples: AsyncIterable<Int16Array>,
  stallMs: number,
): AsyncGenerator<Uint8Array> {
  const child = startLimitedChild(childModule, { ...childLimits, words: [format] })
  let feeding: unknown
  const fed = feed(child.stdin, samples).catch((error: unknown) => {
    feeding = error
    child.kill()
  })
  let timer: NodeJS.Timeout | undefined
  const impatient = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => child.kill(), stallMs)
  }
  void fed.then(impatient) // before that it may have nothing to do
  try {
    for await (const bytes of child.stdout) yield bytes
    await fed
    if (feeding !== undefined) throw feeding
    const { code, cause } = await child.ended
    if (code !== 0) throw cause
  } finally {
    clearTimeout(timer)
    child.discard()
  }
}

/** Holds back whoever makes the samples until the encoder has taken the earlier ones, and lets go of it in any case. */
async function feed(into: NodeJS.WritableStream & { destroyed: boolean }, samples: AsyncIterable<Int16Array>) {
  for await (const bytes of rawBytes(samples)) {
    if (into.destroyed) return
    await new Promise<void>((resolve) => into.write(bytes, () => resolve()))
  }
  into.end()
}

async function* rawBytes(samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
  for await (const some of samples)
    if (some.length > 0) yield new Uint8Array(some.buffer, some.byteOffset, some.byteLength)
}

async function* wavBytes(samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
  yield spokenWavHeader()
  yield* rawBytes(samples)
}
