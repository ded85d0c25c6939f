import { randomUUID } from 'node:crypto'

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3'

import { away, terminal } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import type { ObjectBody } from './s3-body.ts'
import { classify, isMissing, isTaken } from './s3-classify.ts'
import {
  answerTimeoutMs,
  partBytes,
  partConcurrency,
  partsMax,
  requestMaxBytes,
  slowestBytesPerMs,
} from './s3-limits.ts'

/**
 * Why not lib-storage's `Upload`: when aborted it resolves while requests are still on their way, so that an object may
 * appear afterwards; and when the last step fails it leaves the parts behind, which are paid for and never seen.
 */
export interface S3Store {
  readonly client: S3Client
  readonly bucket: string
  readonly log: Log
}

interface S3Upload {
  readonly key: string
  readonly body: ObjectBody
  readonly ifAbsent: boolean
  readonly signal?: AbortSignal | undefined
}

export async function uploadObject(store: S3Store, what: S3Upload): Promise<'stored' | 'exists'> {
  what.signal?.throwIfAborted()
  if (what.ifAbsent) return putIfAbsent(store, what)
  if (what.body.sizeBytes > partBytes)
    await putInParts(store, { ...what, pieces: piecesOf(what.body), senders: partConcurrency })
  else await putWhole(store, what, {})
  return 'stored'
}

async function* piecesOf(body: ObjectBody): AsyncGenerator<Uint8Array> {
  const size = Math.max(partBytes, Math.ceil(body.sizeBytes / partsMax))
  for (let from = 0; from < body.sizeBytes; from += size)
    yield await body.read(from, Math.min(from + size, body.sizeBytes))
}

/**
 * In one request whatever its size: older Ceph takes `If-None-Match` there only, and ignores it when an upload in parts
 * is completed. The mark tells our own object from another's when an answer was lost and the request repeated.
 */
async function putIfAbsent(store: S3Store, what: S3Upload): Promise<'stored' | 'exists'> {
  if (what.body.sizeBytes > requestMaxBytes)
    throw terminal('too_large', `An object that must not replace another has at most ${requestMaxBytes} bytes.`)
  const mark = randomUUID()
  try {
    await putWhole(store, what, { IfNoneMatch: '*', Metadata: { mark } })
    return 'stored'
  } catch (error) {
    if (what.signal?.aborted) throw error
    const winner = await markOf(store, what.key).catch(() => undefined)
    if (winner === mark) return 'stored'
    if (!isTaken(error)) throw error
    if (winner !== undefined) return 'exists'
    throw away('storage_unavailable', 'Another writer was about to store this object; try again.', error)
  }
}

export async function putWhole(
  store: S3Store,
  { key, body, signal }: Omit<S3Upload, 'ifAbsent'>,
  conditions: { IfNoneMatch?: string; Metadata?: Record<string, string> },
): Promise<void> {
  // What is small is read first: the SDK can repeat a request with bytes, not one with a stream.
  const content = body.sizeBytes > partBytes ? body.whole() : await body.read(0, body.sizeBytes)
  const about = { Bucket: store.bucket, Key: key, ContentLength: body.sizeBytes, ...conditions }
  await store.client.send(new PutObjectCommand({ ...about, Body: content }), sending(body.sizeBytes, signal))
}

interface UploadInParts {
  readonly key: string
  /** Each but the last as large as the others; read as they are sent. */
  readonly pieces: AsyncGenerator<Uint8Array>
  /** How many are on their way at the same time. */
  readonly senders: number
  readonly signal?: AbortSignal | undefined
}

export async function putInParts(store: S3Store, what: UploadInParts): Promise<void> {
  const { client, bucket } = store
  const mark = randomUUID()
  const about = { Bucket: bucket, Key: what.key }
  const begun = await client.send(
    new CreateMultipartUploadCommand({ ...about, Metadata: { mark } }),
    sending(0, what.signal),
  )
  const parts = { ...about, UploadId: begun.UploadId }
  try {
    const sent = await sendParts(client, parts, what)
    what.signal?.throwIfAborted()
    // From here on an abort comes too late: a request that is under way cannot be taken back.
    await client.send(new CompleteMultipartUploadCommand({ ...parts, MultipartUpload: { Parts: sent } }), sending(0))
  } catch (error) {
    if (!what.signal?.aborted && (await markOf(store, what.key).catch(() => undefined)) === mark) return
    await client.send(new AbortMultipartUploadCommand(parts), sending(0)).catch((reason: unknown) => {
      store.log.warn('parts of a failed upload stay in the bucket', { key: what.key, reason: classify(reason).message })
    })
    throw error
  }
}

type Parts = { readonly Bucket: string; readonly Key: string; readonly UploadId: string | undefined }

/** Resolves or rejects when no request is under way any more, so that nothing arrives after the upload is abandoned. */
async function sendParts(client: S3Client, parts: Parts, what: UploadInParts): Promise<CompletedPart[]> {
  const { pieces, senders, signal } = what
  const failed = new AbortController()
  const halt = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const sent: CompletedPart[] = []
  let asked = 0
  const sendOneAfterAnother = async (): Promise<void> => {
    while (!halt.aborted) {
      // a generator answers in the order in which it was asked
      const PartNumber = (asked += 1)
      const { value: piece, done } = await pieces.next()
      if (done) return
      if (PartNumber > partsMax) throw tooManyParts()
      const command = new UploadPartCommand({ ...parts, PartNumber, Body: piece })
      sent[PartNumber - 1] = { PartNumber, ETag: (await client.send(command, sending(piece.length, halt))).ETag }
    }
  }
  await Promise.all(
    Array.from({ length: senders }, () => sendOneAfterAnother().catch((error: unknown) => failed.abort(error))),
  )
  await pieces.return(undefined)
  signal?.throwIfAborted()
  failed.signal.throwIfAborted()
  return sent
}

function tooManyParts(): Error {
  return terminal(
    'too_large',
    `An object whose size is not known beforehand has at most ${partsMax * partBytes} bytes.`,
  )
}

/** The mark of the object that is there now; empty for one without, undefined when there is none. */
async function markOf({ client, bucket }: S3Store, key: string): Promise<string | undefined> {
  try {
    const { Metadata } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), sending(0))
    return Metadata?.['mark'] ?? ''
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function sending(sizeBytes: number, signal?: AbortSignal) {
  const requestTimeout = answerTimeoutMs + Math.ceil(sizeBytes / slowestBytesPerMs)
  return signal ? { requestTimeout, abortSignal: signal } : { requestTimeout }
}
