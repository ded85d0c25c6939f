import { z } from 'zod'

import type { BatchCommand } from '../../../actors/batch/protocol.ts'
import type { BatchId, RunRef, Owner } from '../../../actors/ids.ts'
import type { RunCommand } from '../../../actors/run/protocol.ts'
import { attemptSchema, chunkIndexSchema, fileRefSchema, stepSchema } from '../queue/work-kinds.ts'

/** A report as it travels. */
export type Report =
  | { readonly to: 'file'; readonly ref: RunRef; readonly command: RunCommand }
  | { readonly to: 'batch'; readonly owner: Owner; readonly batchId: BatchId; readonly command: BatchCommand }

/** Nothing when it is no report: what came from outside is not trusted. */
export function parseReport(body: unknown): Report | undefined {
  return reportSchema.safeParse(body).data
}

const count = z.int().nonnegative()
const atMs = z.number()
const error = z.object({
  chunk: chunkIndexSchema.exactOptional(),
  code: z.string(),
  message: z.string(),
  attempts: count,
  atMs,
})
const step = stepSchema
const attempt = attemptSchema
const chunk = chunkIndexSchema

const fileCommand: z.ZodType<RunCommand> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Begin'), step, attempt, atMs }),
  z.object({ type: z.literal('Planned'), total: count, seconds: z.number() }),
  z.object({ type: z.literal('StepFailed'), step, attempt, error, delayMs: z.number().exactOptional() }),
  z.object({ type: z.literal('FanOutFailed'), error }),
  z.object({ type: z.literal('GaveUp'), error }),
  z.object({ type: z.literal('ChunkStarted'), chunk, attempt, atMs }),
  z.object({ type: z.literal('ChunkRetrying'), chunk, attempt, error }),
  z.object({ type: z.literal('ChunkDone'), chunk, atMs }),
  z.object({ type: z.literal('ChunkFailed'), chunk, error }),
  z.object({ type: z.literal('ChunksLost'), chunks: z.array(chunk), atMs }),
  z.object({
    type: z.literal('Assembled'),
    atMs,
    wordlessSeconds: z.number().exactOptional(),
    language: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('Cancel'), atMs }),
  z.object({ type: z.literal('Purge') }),
  z.object({ type: z.literal('Wake'), isSaidAgain: z.literal(true).exactOptional() }),
])

const batchCommand: z.ZodType<BatchCommand> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('FileMoved'),
    index: count,
    standing: z.enum(['started', 'completed', 'partial', 'failed', 'gone']),
    chunks: count,
    seconds: z.number(),
    // a file that the version before issued does not know it
    estimatedSeconds: z.number().default(0),
    atMs,
  }),
  z.object({ type: z.literal('Wake') }),
])

const reportSchema: z.ZodType<Report> = z.discriminatedUnion('to', [
  z.object({ to: z.literal('file'), ref: fileRefSchema, command: fileCommand }),
  z.object({
    to: z.literal('batch'),
    owner: fileRefSchema.shape.owner,
    batchId: fileRefSchema.shape.batchId,
    command: batchCommand,
  }),
])
