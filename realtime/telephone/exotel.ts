import { z } from 'zod'

import { unreachable } from '../../actors/decision.ts'
import { callParameters, carrierId, commonFrames, frameReader, markFrame } from './carrier.ts'
import type { Carrier, CarrierEvent, PhoneAudio } from './carrier.ts'

/** Numbers come as text, in some of its examples as numbers. */
const sampleRate = z.coerce.number().pipe(z.literal([8_000, 16_000, 24_000]))

/** 16-bit samples, unless it says µ-law, which its later applets can be set to. */
const mediaFormat = z
  .object({ encoding: z.string().optional(), sample_rate: sampleRate })
  .transform(({ encoding = '', sample_rate: rate }): PhoneAudio => {
    return { encoding: encoding.includes('mulaw') ? 'mu-law' : 'linear', rate }
  })
  .refine(({ encoding, rate }) => encoding === 'linear' || rate === 8_000)

const start = z
  .object({
    start: z.object({
      stream_sid: carrierId,
      call_sid: carrierId,
      from: carrierId.optional(),
      to: carrierId.optional(),
      custom_parameters: callParameters.nullish(),
      media_format: mediaFormat,
    }),
  })
  .transform(({ start: { stream_sid, call_sid, from, to, custom_parameters, media_format } }): CarrierEvent => {
    const facts = { call: call_sid, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    return {
      type: 'Started',
      call: { streamId: stream_sid, audio: media_format, facts, parameters: custom_parameters ?? {} },
    }
  })

/** Voicebot applet: 16-bit samples, as Exotel documents its messages. It wants pieces of 3,200 bytes at least, in multiples of 320. */
export const exotel: Carrier = {
  name: 'exotel',
  pieceBytes: 3_200,
  read: frameReader({ ...commonFrames, start, mark: markFrame }),
  write(message, { streamId: stream_sid }) {
    switch (message.type) {
      case 'Play':
        return { event: 'media', stream_sid, media: { payload: message.payload } }
      case 'Mark':
        return { event: 'mark', stream_sid, mark: { name: message.name } }
      case 'Clear':
        return { event: 'clear', stream_sid }
      default:
        return unreachable(message)
    }
  },
}
