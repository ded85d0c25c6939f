import { z } from 'zod'

import type { BatchState } from '../../../actors/batch/state.ts'
import type { ChunkWork } from '../../../actors/chunk/protocol.ts'
import { isBatchId, isFileId, isInquiryId, isOwner } from '../../../actors/ids.ts'
import type { BatchId, FileId, InquiryId, Owner } from '../../../actors/ids.ts'
import type { InquiryWork } from '../../../actors/inquiry/protocol.ts'
import type { SeenHead } from '../../../actors/listing/ports.ts'
import type { RunWork } from '../../../actors/run/ports.ts'
import type { WebhookWork } from '../../../actors/webhook/protocol.ts'
import { inquiryStream, webhookStream, workStreams } from '../topology/queue-names.ts'
import type { WorkRef, WorkStream } from '../topology/queue-names.ts'

/** A kind of work: where it waits and how it travels. */
export interface WorkKind<Work extends WorkRef> {
  readonly primary: WorkStream
  /** Where retries may wait apart. */
  readonly retries?: WorkStream
  /** What tells this work from other work of the same file; two parts of a subject. */
  tailOf(work: Work): string
  /** The work that a subject tells of, without its message. */
  fromTail(ref: WorkRef, tail: string): Work | undefined
  /** Nothing when it is not such work: what came from outside is not trusted. */
  parse(body: unknown): Work | undefined
}

export const fileRefSchema = z.object({
  owner: z.custom<Owner>((value) => typeof value === 'string' && isOwner(value)),
  batchId: z.custom<BatchId>((value) => typeof value === 'string' && isBatchId(value)),
  fileId: z.custom<FileId>((value) => typeof value === 'string' && isFileId(value)),
  index: z.int().nonnegative(),
})

export const stepSchema = z.enum(['plan', 'assemble'])
export const attemptSchema = z.int().positive()
export const chunkIndexSchema = z.int().nonnegative()

/** What is not understood of it is left: it is read then. */
const sentSchema = z.object({ batch: seenSchema(isBatch), listHead: seenSchema(isHead) }).catch({})

const fileWorkSchema = fileRefSchema.extend({
  step: stepSchema,
  attempt: attemptSchema,
  sent: sentSchema.exactOptional(),
  isCancelled: z.literal(true).exactOptional(),
})
const chunkWorkSchema = fileRefSchema.extend({ chunk: chunkIndexSchema, attempt: attemptSchema })

const webhookWorkSchema = fileRefSchema
  .pick({ owner: true, batchId: true })
  .extend({ round: attemptSchema, attempt: attemptSchema })

const inquiryWorkSchema = fileRefSchema.extend({
  inquiryId: z.custom<InquiryId>((value) => typeof value === 'string' && isInquiryId(value)),
  attempt: attemptSchema,
  call: attemptSchema.exactOptional(),
})

/** A record, trusted as far as one that is read. */
function seenSchema<Value>(isOne: (value: object) => value is Value & object) {
  const value = z.custom<Value>((one) => typeof one === 'object' && one !== null && isOne(one))
  return z.object({ value, revision: z.int().positive() }).exactOptional()
}

function isBatch(value: object): value is BatchState {
  return 'batchId' in value && 'settings' in value
}

function isHead(value: object): value is SeenHead['value'] {
  return 'pages' in value && Array.isArray(value.pages)
}

export const fileQueue: WorkKind<RunWork> = {
  primary: workStreams.files,
  retries: workStreams.fileRetries,
  tailOf: ({ step, attempt }) => `${step}.${attempt}`,
  fromTail(ref, tail) {
    const [step, attempt] = tail.split('.')
    return fileQueue.parse({ ...ref, step, attempt: Number(attempt) })
  },
  parse: (body) => fileWorkSchema.safeParse(body).data,
}

export const chunkQueue: WorkKind<ChunkWork> = {
  primary: workStreams.chunks,
  retries: workStreams.chunkRetries,
  tailOf: ({ chunk, attempt }) => `${chunk}.${attempt}`,
  fromTail(ref, tail) {
    const [chunk, attempt] = tail.split('.')
    return chunkQueue.parse({ ...ref, chunk: Number(chunk), attempt: Number(attempt) })
  },
  parse: (body) => chunkWorkSchema.safeParse(body).data,
}

export const webhookQueue: WorkKind<WebhookWork> = {
  primary: webhookStream,
  tailOf: ({ round, attempt }) => `${round}.${attempt}`,
  fromTail(ref, tail) {
    const [round, attempt] = tail.split('.')
    return webhookQueue.parse({ ...ref, round: Number(round), attempt: Number(attempt) })
  },
  parse: (body) => webhookWorkSchema.safeParse(body).data,
}

const callWord = 'call-'

export const inquiryQueue: WorkKind<InquiryWork> = {
  primary: inquiryStream,
  tailOf: ({ inquiryId, attempt, call }) => `${inquiryId}.${call === undefined ? attempt : `${callWord}${call}`}`,
  fromTail(ref, tail) {
    const [inquiryId, at = ''] = tail.split('.')
    const which = at.startsWith(callWord)
      ? { attempt: 1, call: Number(at.slice(callWord.length)) }
      : { attempt: Number(at) }
    return inquiryQueue.parse({ ...ref, inquiryId, ...which })
  },
  parse: (body) => inquiryWorkSchema.safeParse(body).data,
}
