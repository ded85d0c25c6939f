import { z } from 'zod'

import { unreachable } from '../../actors/decision.ts'
import { callParameters, carrierId, commonFrames, frameReader, markFrame } from './carrier.ts'
import type { Carrier, CarrierEvent } from './carrier.ts'

const start = z
  .object({
    start: z.object({
      streamSid: carrierId,
      callSid: carrierId,
      customParameters: callParameters.optional(),
      mediaFormat: z.object({ encoding: z.literal('audio/x-mulaw'), sampleRate: z.literal(8_000) }),
    }),
  })
  .transform(({ start: { streamSid, callSid, customParameters = {} } }): CarrierEvent => {
    const audio = { encoding: 'mu-law', rate: 8_000 } as const
    return {
      type: 'Started',
      call: { streamId: streamSid, audio, facts: { call: callSid }, parameters: customParameters },
    }
  })

/** Media Streams (`<Connect><Stream>`): 8 kHz µ-law in both directions, as Twilio documents its messages. */
export const twilio: Carrier = {
  name: 'twilio',
  pieceBytes: 1,
  read: frameReader({ ...commonFrames, start, mark: markFrame }),
  write(message, { streamId: streamSid }) {
    switch (message.type) {
      case 'Play':
        return { event: 'media', streamSid, media: { payload: message.payload } }
      case 'Mark':
        return { event: 'mark', streamSid, mark: { name: message.name } }
      case 'Clear':
        return { event: 'clear', streamSid }
      default:
        return unreachable(message)
    }
  },
}
