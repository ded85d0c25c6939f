import { spokenRate } from '../../../actors/conversation/ports.ts'
import { encodeG711 } from '../../../infra/speech/audio/signal/g711.ts'
import { toFloat, toPcm } from '../../../infra/speech/audio/signal/pcm.ts'
import { createResampler, resample } from '../../../infra/speech/audio/signal/resample.ts'
import { rateOf } from '../audio-clip.ts'
import type { AudioClip } from '../audio-clip.ts'
import type { WireAudioFormat } from '../settings/settings.ts'

/** Brings spoken audio into the client's format, without a trace of how it was cut into clauses. */
interface OutputEncoder {
  encode(pcm: Int16Array): Buffer
  /** The last few milliseconds. */
  flush(): Buffer
}

export function createOutputEncoder(format: WireAudioFormat): OutputEncoder {
  if (format === 'pcm16') return { encode: bytesOf, flush: () => Buffer.alloc(0) }
  const resampler = createResampler(spokenRate, rateOf(format))
  return {
    encode: (pcm) => toLaw(resampler.push(toFloat(pcm)), format),
    flush: () => toLaw(resampler.flush(), format),
  }
}

/** A whole clip at any rate, as base64. */
export function encodeClip({ pcm, rate }: AudioClip, format: WireAudioFormat): string {
  if (rate === rateOf(format) && format === 'pcm16') return bytesOf(pcm).toString('base64')
  const samples = resample(toFloat(pcm), rate, rateOf(format))
  return (format === 'pcm16' ? bytesOf(toPcm(samples)) : toLaw(samples, format)).toString('base64')
}

function toLaw(samples: Float32Array, format: Exclude<WireAudioFormat, 'pcm16'>): Buffer {
  return Buffer.from(encodeG711(samples, format === 'g711_ulaw' ? 'mu-law' : 'a-law').buffer)
}

/** Shares the memory. */
function bytesOf(pcm: Int16Array): Buffer {
  return Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)
}
