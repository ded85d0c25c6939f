import { z } from 'zod'

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ examples: ['736ba03f9c1fa6e09d437650d690d86638ce4353b3007dc0b3f89b1c8d114c38'] })
const instant = z.string().meta({ format: 'date-time' })

const receiptContent = z
  .strictObject({
    version: z.literal(1),
    file_id: z.string(),
    batch_id: z.string(),
    audio: z.strictObject({ sha256, size_bytes: z.number() }).describe('The recording as it was cut and transcribed.'),
    options: z.looseObject({ script: z.string() }).describe('What was asked for.'),
    models: z
      .array(z.strictObject({ id: z.string(), files: z.array(z.strictObject({ path: z.string(), sha256 })) }))
      .describe('Those that wrote the words, each file with its hash.'),
    chunks: z.array(
      z.strictObject({
        chunk_index: z.int(),
        start: z.number(),
        end: z.number(),
        status: z.enum(['completed', 'failed']),
        attempts: z.int(),
        models: z.array(z.string()).optional(),
        transcribed_at: instant.optional(),
        earlier: z
          .strictObject({ transcribed_at: instant, attempts: z.int(), changed: z.boolean() })
          .optional()
          .describe(
            'Only where the chunk was transcribed again for some words: its other words are from this transcription, and all of them unless it is `changed`.',
          ),
        code: z.string().optional().describe('Why it failed.'),
      }),
    ),
    result: z
      .strictObject({ fields: z.record(z.string(), sha256), segments: z.array(sha256) })
      .describe(
        'Of `result` as it was transcribed: the sha256 of the canonical JSON (RFC 8785) of each field, and of each segment without `speech_information`.',
      ),
  })
  .meta({ id: 'ReceiptContent' })

export const receipt = z
  .strictObject({
    content: receiptContent,
    jws: z
      .string()
      .describe(
        'A detached JWS (RFC 7515, appendix F) over the canonical JSON (RFC 8785) of `content`; its key is at `/.well-known/jwks.json`.',
      ),
  })
  .meta({ id: 'Receipt' })
  .optional()
  .describe(
    'Only when it was asked for. It is of what was transcribed, whatever was edited since; absent where an older version transcribed.',
  )
