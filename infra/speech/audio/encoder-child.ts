import { spokenRate } from '../../../actors/conversation/ports.ts'
import type { EncodedFormat } from './encoded-format.ts'
import { encodingCalls } from './ffmpeg/encoding-calls.ts'
import type { EncodingRecipe } from './ffmpeg/encoding-calls.ts'

/** One encoding in a process of its own: 16-bit samples come in at standard input, the encoded audio goes out at standard output, and the process ends with it. */

const recipes: Readonly<Record<EncodedFormat, Omit<EncodingRecipe, 'rate'>>> = {
  mp3: { encoder: 'libmp3lame', container: 'mp3', bitRate: 64_000 },
  opus: { encoder: 'libopus', container: 'ogg', bitRate: 32_000 },
  aac: { encoder: 'aac', container: 'adts', bitRate: 64_000 },
  flac: { encoder: 'flac', container: 'flac', bitRate: 0 },
}
const sampleBytes = 2

const recipe = recipes[process.argv[2] as EncodedFormat] // as: the parent gives one of them
const encoding = encodingCalls({ ...recipe, rate: spokenRate }, (bytes) => process.stdout.write(bytes.slice()))
const frameBytes = encoding.frameSamples * sampleBytes
let pending = Buffer.alloc(0)

for await (const piece of process.stdin) {
  pending = pending.length === 0 ? piece : Buffer.concat([pending, piece])
  let at = 0
  for (; pending.length - at >= frameBytes; at += frameBytes) encoding.encode(pending.subarray(at, at + frameBytes))
  pending = pending.subarray(at)
}
if (pending.length >= sampleBytes) encoding.encode(pending.subarray(0, pending.length - (pending.length % sampleBytes)))
encoding.finish()
