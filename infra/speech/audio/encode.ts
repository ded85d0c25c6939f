import { retryable } from '../../../actors/failure.ts'
import type { SpeechFormat } from '../../../actors/conversation/ports.ts'
import { lazily } from '../threads/lazily.ts'
import { openWorkerPool } from '../threads/pool.ts'
import type { WorkerPool } from '../threads/pool.ts'
import type { EncodedFormat } from './encoded-format.ts'
import type { EncoderOrder } from './encoder-order.ts'
import { spokenWavHeader } from './signal/wav-header.ts'

/** Speech at 24 kHz into bytes of a format, as it comes. */
export interface AudioEncoder {
  /** Leaving the loop early ends the encoding, and whatever makes the samples. */
  readonly encode: (format: SpeechFormat, samples: AsyncIterable<Int16Array>) => AsyncIterable<Uint8Array>
  close(): Promise<void>
}

interface EncoderLimits {
  /** Encodings at the same time: each has memory of its own. */
  readonly encodings: number
}

type EncoderThread = WorkerPool<EncoderOrder, Uint8Array>

const defaultEncoderLimits: EncoderLimits = { encodings: 64 }
/** A second: who encodes a long answer leaves the thread to the others between two pieces. */
const mostSamples = 24_000

/** One thread has all encodings, so that the event loop has none; it is started by the first who asks. */
export function openAudioEncoder(given: Partial<EncoderLimits> = {}): AudioEncoder {
  const limits = { ...defaultEncoderLimits, ...given }
  const thread = lazily(() =>
    openWorkerPool<EncoderOrder, Uint8Array>({
      entry: new URL('./encoder-thread.js', import.meta.url),
      workerData: undefined,
      size: 1,
      decode: (answer) => answer as Uint8Array, // as: our own thread made it
    }),
  )
  let running = 0
  let latest = 0

  async function* encodeApart(format: EncodedFormat, samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
    if (running >= limits.encodings)
      throw retryable('overloaded', `${limits.encodings} answers are being encoded at once, which is the limit.`)
    running += 1
    try {
      yield* throughThread(await thread.get(), { encoding: (latest += 1), format }, samples)
    } finally {
      running -= 1
    }
  }

  return {
    encode(format, samples) {
      if (format === 'pcm') return rawBytes(samples)
      return format === 'wav' ? wavBytes(samples) : encodeApart(format, samples)
    },
    close: () => thread.close(),
  }
}

async function* throughThread(
  thread: EncoderThread,
  { encoding, format }: Pick<EncoderOrder, 'encoding'> & { readonly format: EncodedFormat },
  samples: AsyncIterable<Int16Array>,
): AsyncGenerator<Uint8Array> {
  async function* ready(order: EncoderOrder): AsyncGenerator<Uint8Array> {
    const bytes = await thread.run(order)
    if (bytes.length > 0) yield bytes
  }
  try {
    yield* ready({ encoding, what: 'begin', format })
    for await (const some of samples)
      for (let at = 0; at < some.length; at += mostSamples)
        yield* ready({ encoding, what: 'go on', samples: some.slice(at, at + mostSamples) })
    yield* ready({ encoding, what: 'finish' })
  } finally {
    // it may have ended, and its thread with it
    thread.run({ encoding, what: 'forget' }).catch(() => undefined)
  }
}

async function* rawBytes(samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
  for await (const some of samples)
    if (some.length > 0) yield new Uint8Array(some.buffer, some.byteOffset, some.byteLength)
}

async function* wavBytes(samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
  yield spokenWavHeader()
  yield* rawBytes(samples)
}
