import { spokenRate } from '../../../actors/conversation/ports.ts'
import { serveThread } from '../threads/serve.ts'
import type { EncodedFormat } from './encoded-format.ts'
import { encoderOrderSchema } from './encoder-order.ts'
import type { EncoderOrder } from './encoder-order.ts'
import { encodingCalls } from './ffmpeg/encoding-calls.ts'
import type { EncodingCalls, EncodingRecipe } from './ffmpeg/encoding-calls.ts'

/** The encodings of a process, each in an FFmpeg of its own. */

const recipes: Readonly<Record<EncodedFormat, Omit<EncodingRecipe, 'rate'>>> = {
  mp3: { encoder: 'libmp3lame', container: 'mp3', bitRate: 64_000 },
  opus: { encoder: 'libopus', container: 'ogg', bitRate: 32_000 },
  aac: { encoder: 'aac', container: 'adts', bitRate: 64_000 },
  flac: { encoder: 'flac', container: 'flac', bitRate: 0 },
}

class Encoding {
  readonly #calls: EncodingCalls
  #made: Uint8Array[] = []
  /** That make no whole frame yet. */
  #pending = new Int16Array(0)

  constructor(format: EncodedFormat) {
    this.#calls = encodingCalls({ ...recipes[format], rate: spokenRate }, (bytes) => this.#made.push(bytes.slice()))
  }

  goOn(samples: Int16Array): void {
    const all = new Int16Array(this.#pending.length + samples.length)
    all.set(this.#pending)
    all.set(samples, this.#pending.length)
    const { frameSamples } = this.#calls
    let at = 0
    for (; all.length - at >= frameSamples; at += frameSamples) this.#calls.encode(all.subarray(at, at + frameSamples))
    this.#pending = all.slice(at)
  }

  finish(): void {
    if (this.#pending.length > 0) this.#calls.encode(this.#pending)
    this.#calls.finish()
  }

  taken(): Uint8Array {
    const bytes = Buffer.concat(this.#made)
    this.#made = []
    return bytes
  }
}

const encodings = new Map<number, Encoding>()

await serveThread(() => Promise.resolve((request) => Promise.resolve(answered(encoderOrderSchema.parse(request)))))

function answered(order: EncoderOrder): Uint8Array {
  if (order.what === 'forget') {
    encodings.delete(order.encoding)
    return new Uint8Array(0)
  }
  if (order.what === 'begin') encodings.set(order.encoding, new Encoding(order.format))
  const encoding = encodings.get(order.encoding)
  if (!encoding) throw new Error('its encoding was lost with the thread before this one')
  if (order.what === 'go on') encoding.goOn(order.samples)
  if (order.what === 'finish') encoding.finish()
  return encoding.taken()
}
