import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { ResumableUpload } from '../../client/api.ts'
import { ApiError } from '../../client/client.ts'
import type { Client } from '../../client/client.ts'

/** Waits double from the first to the longest; after so many in a row that brought nothing further it is given up. */
const triesMax = 10
const firstWaitMs = 500
const longestWaitMs = 30_000
/** Of what a recording is known by when it is sent again: its beginning and its end. */
const sampledBytes = 64 * 1024

const version = { 'Tus-Resumable': '1.0.0' }

interface Sending {
  readonly path: string
  /** Also what the server has already is stored again. */
  readonly isApart: boolean
  /** Told of the share that is safe or on its way. */
  readonly onSent: (fraction: number) => void
  /** Told once of what holds it up, until something has gone on. */
  readonly onHeldUp: (reason: string) => void
}

/** Sends one recording by the tus protocol, from where an earlier attempt broke off; resolves with the upload that it became. */
export async function sendResumably(client: Client, { path, isApart, onSent, onHeldUp }: Sending): Promise<string> {
  const about = await aboutFile(path)
  const id = (await alreadyBegun(client, about)) ?? (await begin(client, about, isApart))
  let safeBytes = 0
  for (let failures = 0; ;) {
    try {
      const standing = await standingOf(client, id)
      if (standing.batch_upload_id !== undefined) return standing.batch_upload_id
      if (standing.received_bytes > safeBytes) failures = 0
      safeBytes = standing.received_bytes
      await sendFrom(client, id, { path, onSent, startBytes: safeBytes, sizeBytes: about.sizeBytes })
    } catch (error) {
      if (!isPassing(error) || ++failures >= triesMax) throw error
      if (failures === 1) onHeldUp(error instanceof ApiError ? error.message : 'The connection broke.')
      await pause(waitMs(error, failures))
    }
  }
}

interface FileToSend {
  readonly sizeBytes: number
  readonly filename: string
  readonly metadata: string
}

async function aboutFile(path: string): Promise<FileToSend> {
  const { size: sizeBytes } = await stat(path)
  const filename = basename(path)
  const values = { filename, fingerprint: await fingerprintOf(path, sizeBytes) }
  const metadata = Object.entries(values).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
  return { sizeBytes, filename, metadata: metadata.join(',') }
}

/** Recordings of one name and size may be different ones; their beginnings and ends then differ. */
async function fingerprintOf(path: string, sizeBytes: number): Promise<string> {
  const file = await open(path)
  try {
    const hash = createHash('sha256')
    for (const position of [0, Math.max(0, sizeBytes - sampledBytes)]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(sampledBytes), 0, sampledBytes, position)
      hash.update(buffer.subarray(0, bytesRead))
    }
    return hash.digest('base64url')
  } finally {
    await file.close()
  }
}

/** By this command, when it ended too early. */
async function alreadyBegun(client: Client, { sizeBytes, metadata }: FileToSend): Promise<string | undefined> {
  const { uploads } = await client.call('listResumableUploads')
  for (const { resumable_upload_id: id, size_bytes: size } of uploads) {
    if (size !== sizeBytes) continue
    const { headers } = await client.open('getResumableUpload', { params: { resumable_upload_id: id } })
    if (headers.get('Upload-Metadata') === metadata) return id
  }
  return undefined
}

async function begin(client: Client, { sizeBytes, metadata }: FileToSend, isApart: boolean): Promise<string> {
  const headers = { ...version, 'Upload-Length': String(sizeBytes), 'Upload-Metadata': metadata }
  const answer = await client.open('beginResumableUpload', {
    headers,
    ...(isApart && { query: { deduplicate: false } }),
  })
  return answer.headers.get('Location')?.split('/').at(-1) ?? ''
}

/** With its version: so the server ends a request of ours that hangs. */
function standingOf(client: Client, id: string): Promise<ResumableUpload> {
  return client.call('getResumableUpload', { params: { resumable_upload_id: id }, headers: version })
}

interface Piece extends Pick<Sending, 'path' | 'onSent'> {
  readonly startBytes: number
  readonly sizeBytes: number
}

async function sendFrom(client: Client, id: string, { path, onSent, startBytes, sizeBytes }: Piece): Promise<void> {
  let sentBytes = startBytes
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(path, { start: startBytes })) {
      const bytes = chunk as Buffer // as: no encoding is set
      yield bytes
      sentBytes += bytes.length
      onSent(sentBytes / sizeBytes)
    }
  }
  await client.open('continueResumableUpload', {
    params: { resumable_upload_id: id },
    // as: the client sends a stream as it is, under the type that says what it is
    body: ReadableStream.from(chunks()) as unknown as FormData,
    headers: { ...version, 'Upload-Offset': String(startBytes), 'Content-Type': 'application/offset+octet-stream' },
  })
}

/** Too slow, elsewhere, locked, too much at once, or away: asked again, the server says where to go on. */
const passing: ReadonlySet<number> = new Set([408, 409, 423, 429])
const serverFault = 500

function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || passing.has(error.status) || error.status >= serverFault
}

function waitMs(error: unknown, failures: number): number {
  const told = error instanceof ApiError ? error.retryAfterSeconds : undefined
  return Math.min(longestWaitMs, told === undefined ? firstWaitMs * 2 ** (failures - 1) : told * 1000)
}
