import { z } from 'zod'

import { unreachable } from '../../actors/decision.ts'
import { carrierId, callParameters, commonFrames, frameReader } from './carrier.ts'
import type { Carrier, CarrierEvent, PhoneAudio } from './carrier.ts'

const mediaFormat = z.union([
  z
    .object({ encoding: z.literal('audio/x-mulaw'), sampleRate: z.literal(8_000) })
    .transform(({ sampleRate: rate }): PhoneAudio => ({ encoding: 'mu-law', rate })),
  z
    .object({ encoding: z.literal('audio/x-l16'), sampleRate: z.literal([8_000, 16_000]) })
    .transform(({ sampleRate: rate }): PhoneAudio => ({ encoding: 'linear', rate })),
])

/** Written `name=value;other=value`, and in XML with commas. */
const extraHeaders = z
  .string()
  .transform((text) => {
    const pairs = text.split(/[;,]/).map((pair) => /^\s*([^=\s]+)=(.*)$/s.exec(pair))
    return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1]!, pair[2]!]] : [])))
  })
  .pipe(callParameters)

const start = z
  .object({
    start: z.object({ streamId: carrierId, callId: carrierId, mediaFormat }),
    extra_headers: extraHeaders.optional(),
  })
  .transform(({ start: { streamId, callId, mediaFormat: audio }, extra_headers: parameters = {} }): CarrierEvent => {
    return { type: 'Started', call: { streamId, audio, facts: { call: callId }, parameters } }
  })

const playedStream = z
  .object({ name: carrierId })
  .transform(({ name }): CarrierEvent => ({ type: 'Reached', mark: name }))

/** Audio Streaming (`<Stream bidirectional="true">`): µ-law or 16-bit samples, as Plivo documents its messages. */
export const plivo: Carrier = {
  name: 'plivo',
  pieceBytes: 1,
  read: frameReader({ ...commonFrames, start, playedStream }),
  write(message, { streamId, audio: { encoding, rate } }) {
    switch (message.type) {
      case 'Play': {
        const contentType = encoding === 'mu-law' ? 'audio/x-mulaw' : 'audio/x-l16'
        return { event: 'playAudio', media: { contentType, sampleRate: rate, payload: message.payload } }
      }
      case 'Mark':
        return { event: 'checkpoint', streamId, name: message.name }
      case 'Clear':
        return { event: 'clearAudio', streamId }
      default:
        return unreachable(message)
    }
  },
}
