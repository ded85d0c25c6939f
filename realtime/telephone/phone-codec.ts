import { decodeG711, encodeG711 } from '../../infra/speech/audio/signal/g711.ts'
import { toFloat, toPcm } from '../../infra/speech/audio/signal/pcm.ts'
import { createResampler } from '../../infra/speech/audio/signal/resample.ts'
import { rateOf } from '../session/audio-clip.ts'
import { createInputDecoder } from '../session/input/audio-in.ts'
import type { WireAudioFormat } from '../session/settings/settings.ts'
import type { PhoneAudio } from './carrier.ts'

/** Between the audio of a carrier and the audio of a session; µ-law goes through as it is. */
interface PhoneCodec {
  readonly format: WireAudioFormat
  readonly bytesPerMs: number
  /** The byte of which silence is made. */
  readonly silence: number
  /** Base64 to base64; what is no base64 stays as it is, and the session refuses it. */
  toSession(base64: string): string
  toCarrier(base64: string): Buffer
}

const muLawSilence = 0xff

export function createPhoneCodec({ encoding, rate }: PhoneAudio): PhoneCodec {
  if (encoding === 'mu-law')
    return {
      format: 'g711_ulaw',
      bytesPerMs: rate / 1_000,
      silence: muLawSilence,
      toSession: (base64) => base64,
      toCarrier: (base64) => Buffer.from(base64, 'base64'),
    }
  const linear = { bytesPerMs: (2 * rate) / 1_000, silence: 0 }
  return rate === 8_000 ? { ...linear, ...narrowBand() } : { ...linear, ...wideBand(rate) }
}

/** What came over a telephone network was G.711 on its way, and a session at 8 kHz is half the work of one at 24 kHz. */
function narrowBand(): Pick<PhoneCodec, 'format' | 'toSession' | 'toCarrier'> {
  const decoder = createInputDecoder('pcm16')
  return {
    format: 'g711_ulaw',
    toSession(base64) {
      const pcm = decoder.decode(base64)
      return pcm ? Buffer.from(encodeG711(toFloat(pcm), 'mu-law')).toString('base64') : base64
    },
    toCarrier: (base64) => bytesOf(decodeG711(Buffer.from(base64, 'base64'), 'mu-law')),
  }
}

function wideBand(rate: number): Pick<PhoneCodec, 'format' | 'toSession' | 'toCarrier'> {
  const format = 'pcm16'
  const [decoder, ours] = [createInputDecoder(format), createInputDecoder(format)]
  const up = createResampler(rate, rateOf(format))
  const down = createResampler(rateOf(format), rate)
  return {
    format,
    toSession(base64) {
      const pcm = decoder.decode(base64)
      return pcm ? bytesOf(toPcm(up.push(toFloat(pcm)))).toString('base64') : base64
    },
    toCarrier: (base64) => bytesOf(toPcm(down.push(toFloat(ours.decode(base64) ?? new Int16Array())))),
  }
}

function bytesOf(pcm: Int16Array): Buffer {
  return Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)
}
