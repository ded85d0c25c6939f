import { createResampler } from '../../infra/speech/audio/signal/resample.ts'
import { englishFixture } from './english.ts'
import { speechFixtures } from './recordings.ts'
import { joinedSamples } from './samples.ts'

const clientRate = 24_000
const recordedRate = 16_000
const speechShare = 0.4
/** As quiet as a quiet room: silence that is nothing but zeros would be too easy. */
const roomLevel = 0.0005

/** Conversational sound, over and over: recordings, and after each so much room that it is speech for 40 % of the time. */
export async function conversation(pieceMs: number): Promise<readonly Buffer[]> {
  const recordings = [...(await speechFixtures()), await englishFixture()]
  const parts = recordings.flatMap(({ samples: speech }) => [
    speech,
    new Float32Array(Math.round(speech.length / speechShare - speech.length)),
  ])
  const samples = joinedSamples(parts).map((sample) => sample + roomLevel * (Math.random() - 0.5))
  return appends(atClientRate(samples), pieceMs).map(frameOf)
}

/** As it goes over the wire, with a mask of zeros: every session sends the same bytes. */
function frameOf(event: string): Buffer {
  const payload = Buffer.from(event)
  const head = Buffer.of(0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0)
  return Buffer.concat([head, payload])
}

/** What somebody says, in pieces, and where its last loud sample is, in milliseconds. */
export interface ClientSpeech {
  readonly pieces: readonly string[]
  readonly spokenMs: number
}

/** One sentence. */
export async function sentence(pieceMs: number): Promise<ClientSpeech> {
  return clientSpeech((await englishFixture()).samples, pieceMs)
}

/** A recording up to its last loud sample. */
export function clientSpeech(speech: Float32Array, pieceMs: number): ClientSpeech {
  const last = speech.findLastIndex((sample) => Math.abs(sample) > 0.02)
  return {
    pieces: appends(atClientRate(speech.subarray(0, last + 1)), pieceMs),
    spokenMs: last / (recordedRate / 1000),
  }
}

export function silence(pieceMs: number): string {
  return appends(new Float32Array((clientRate * pieceMs) / 1000), pieceMs)[0]!
}

function atClientRate(samples: Float32Array): Float32Array {
  return createResampler(recordedRate, clientRate).push(samples)
}

/** As a client would write them: made once, so that the load costs the sender little. */
function appends(samples: Float32Array, pieceMs: number): string[] {
  const length = (clientRate * pieceMs) / 1000
  return Array.from({ length: Math.ceil(samples.length / length) }, (_, at) => {
    const piece = Int16Array.from(samples.subarray(at * length, (at + 1) * length), (sample) => sample * 32_767)
    return JSON.stringify({ type: 'input_audio_buffer.append', audio: Buffer.from(piece.buffer).toString('base64') })
  })
}
