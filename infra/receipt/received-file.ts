import { z } from 'zod'

/** A file as the service tells it, with its receipt: as much of it as is looked at here. */
export const receivedFile = z.looseObject({
  file_id: z.string(),
  result: z.looseObject({ segments: z.array(z.looseObject({ start: z.number(), end: z.number() })) }),
  edits: z.looseObject({ version: z.int(), edited_at: z.string() }).optional(),
  receipt: z.strictObject({
    content: z.looseObject({
      version: z.literal(1),
      file_id: z.string(),
      audio: z.looseObject({ sha256: z.string(), size_bytes: z.number() }),
      options: z.looseObject({ script: z.string().optional() }),
      result: z.strictObject({ fields: z.record(z.string(), z.string()), segments: z.array(z.string()) }),
    }),
    jws: z.string(),
  }),
})
export type ReceivedFile = z.output<typeof receivedFile>

/** One thing that was looked at. */
export interface ReceiptFinding {
  readonly what: 'signature' | 'audio' | 'transcript'
  readonly holds: boolean
  /** For people: what is proven, or what differs. */
  readonly sentence: string
}
