import { Readable } from 'node:stream'

import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'

import { away, terminal } from '../../actors/failure.ts'
import type { StoredObject } from '../../actors/ports.ts'
import type { ObjectStorage } from '../../actors/upload/ports.ts'
import { identifyStore, knownHere } from './identity.ts'
import type { StoreIdentity } from './identity.ts'
import { checkKey, checkPrefix } from './key.ts'
import { checkRange, isEmpty, noBytes, relay } from './reading.ts'
import type { Range } from './reading.ts'
import { openBody } from './s3-body.ts'
import { classify, isBeyondTheEnd, isMissing } from './s3-classify.ts'
import { connectS3 } from './s3-client.ts'
import type { S3Options } from './s3-client.ts'
import { checkTimeoutMs } from './s3-limits.ts'
import { pagesBelow } from './s3-listing.ts'
import { s3Mark } from './s3-mark.ts'
import { uploadStream } from './s3-stream.ts'
import { uploadObject } from './s3-upload.ts'
import type { S3Store } from './s3-upload.ts'

/** Written by `check` and by nothing else. */
const checkedName = 'vaak-check'

/** Does not speak to the server yet: a service may start while its storage is away, and `check` says so. */
export function openS3Blobs(options: S3Options): ObjectStorage {
  const { bucket, prefix = '', log, known = knownHere() } = options
  if (prefix !== '') checkPrefix(prefix)
  const store = { client: connectS3(options), bucket, log }
  return s3Blobs({ ...store, prefix, identity: identifyStore({ access: s3Mark(store, prefix), known, log }) })
}

interface IdentifiedStore extends S3Store {
  /** Before every key. */
  readonly prefix: string
  readonly identity: StoreIdentity
}

function s3Blobs(store: IdentifiedStore): ObjectStorage {
  const { client, bucket, prefix, identity } = store
  const addressOf = (key: string) => {
    checkKey(key)
    return { Bucket: bucket, Key: prefix + key }
  }
  return {
    put: (key, source, { ifAbsent = false, signal } = {}) =>
      classified(async () => {
        const { Key } = addressOf(key)
        await identity.verified()
        const body = await openBody(source)
        try {
          return await uploadObject(store, { key: Key, body, ifAbsent, signal })
        } finally {
          await body.close()
        }
      }),

    write: (key, source) =>
      classified(async () => {
        const { Key } = addressOf(key)
        await identity.verified()
        await uploadStream(store, { key: Key, source })
      }),

    open: (key, range = { start: 0 }) =>
      classified(async () => {
        const address = addressOf(key)
        checkRange(range)
        if (!isEmpty(range)) return read(store, { ...address, ...rangeHeader(range) })
        if (!(await sizeOf(store, address))) throw terminal('not_found', 'There is no object with this key.')
        return noBytes()
      }),

    stat: (key) => classified(async () => sizeOf(store, addressOf(key))),

    remove: (key) =>
      classified(async () => {
        const address = addressOf(key)
        if (!(await sizeOf(store, address))) return false
        await client.send(new DeleteObjectCommand(address))
        return true
      }),

    removeAll: (below) =>
      classified(async () => {
        checkPrefix(below)
        const removed = await removeAll(store, prefix + below)
        if (removed === 0) await identity.verify()
        return removed
      }),

    list: (below) => list(store, prefix, below),

    check: () => classified(() => checkBucket(store)),

    close: async () => client.destroy(),
  }
}

async function checkBucket({ client, bucket, prefix, identity }: IdentifiedStore): Promise<void> {
  const abortSignal = AbortSignal.timeout(checkTimeoutMs)
  const written = { Bucket: bucket, Key: prefix + checkedName, Body: new Uint8Array() }
  try {
    await identity.verify(abortSignal)
    await client.send(new PutObjectCommand(written), { abortSignal })
  } catch (error) {
    throw abortSignal.aborted ? abortSignal.reason : error
  }
}

type Address = { readonly Bucket: string; readonly Key: string }

async function sizeOf(
  { client, identity }: IdentifiedStore,
  address: Address,
): Promise<{ sizeBytes: number } | undefined> {
  try {
    const { ContentLength } = await client.send(new HeadObjectCommand(address))
    return { sizeBytes: ContentLength ?? 0 }
  } catch (error) {
    if (!isMissing(error)) throw error
    await identity.verify()
    return undefined
  }
}

async function read({ client, identity }: IdentifiedStore, request: Address & { Range?: string }): Promise<Readable> {
  try {
    const { Body } = await client.send(new GetObjectCommand(request))
    if (!(Body instanceof Readable)) throw new Error('the object store answered without a body')
    return relay(Body, classify)
  } catch (error) {
    if (isBeyondTheEnd(error)) return noBytes()
    if (isMissing(error)) await identity.verify()
    throw error
  }
}

/** HTTP counts the last byte in, the port does not. */
function rangeHeader({ start, end }: Range): { Range?: string } {
  if (end !== undefined) return { Range: `bytes=${start}-${end - 1}` }
  return start === 0 ? {} : { Range: `bytes=${start}-` }
}

function list(store: S3Store, prefix: string, below: string): AsyncIterable<StoredObject> {
  checkPrefix(below)
  return listed(store, prefix, below)
}

async function* listed(store: S3Store, prefix: string, below: string): AsyncIterable<StoredObject> {
  try {
    for await (const page of pagesBelow(store, prefix + below))
      for (const { Key = '', Size = 0 } of page) yield { key: Key.slice(prefix.length), sizeBytes: Size }
  } catch (error) {
    throw classify(error)
  }
}

async function removeAll({ client, bucket, log }: S3Store, prefix: string): Promise<number> {
  let removed = 0
  for await (const page of pagesBelow({ client, bucket, log }, prefix)) {
    const objects = page.map(({ Key }) => ({ Key }))
    if (objects.length > 0) await removePage(client, bucket, objects)
    removed += objects.length
  }
  return removed
}

async function removePage(client: S3Client, bucket: string, objects: { Key: string | undefined }[]): Promise<void> {
  const answer = await client.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects, Quiet: true } }),
  )
  const [first] = answer.Errors ?? []
  if (first) throw away('storage_unavailable', `The object store keeps what we want removed (${first.Code}).`)
}

async function classified<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw classify(error)
  }
}
