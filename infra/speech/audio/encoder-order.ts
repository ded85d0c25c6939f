import { z } from 'zod'

import type { EncodedFormat } from './encoded-format.ts'

/** What the encoders' thread is asked, in this order for each encoding; each is answered by the bytes that are ready. */
export const encoderOrderSchema = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('begin'),
    encoding: z.int(),
    format: z.enum(['mp3', 'opus', 'aac', 'flac']) satisfies z.ZodType<EncodedFormat>,
  }),
  z.object({ what: z.literal('go on'), encoding: z.int(), samples: z.instanceof(Int16Array) }),
  z.object({ what: z.literal('finish'), encoding: z.int() }),
  /** Said after the end as well. */
  z.object({ what: z.literal('forget'), encoding: z.int() }),
])
export type EncoderOrder = z.infer<typeof encoderOrderSchema>
