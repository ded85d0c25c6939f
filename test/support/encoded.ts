import { buffer } from 'node:stream/consumers'

import type { ExecutionContext } from 'ava'

import type { SpeechFormat } from '../../actors/conversation/ports.ts'
import { openAudioEncoder } from '../../infra/speech/audio/encode.ts'

const pieceSamples = 5_000

/** Samples at the rate of our voices, as Vaak writes them down when they come in pieces. */
export async function encodedAs(t: ExecutionContext, format: SpeechFormat, samples: Int16Array): Promise<Buffer> {
  const encoder = openAudioEncoder()
  t.teardown(() => encoder.close())
  return buffer(encoder.encode(format, inPieces(samples)))
}

export async function* inPieces(samples: Int16Array): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples.length; at += pieceSamples)
    yield await Promise.resolve(samples.subarray(at, at + pieceSamples))
}
