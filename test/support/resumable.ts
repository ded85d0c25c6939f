import type { ExecutionContext } from 'ava'
import { Upload } from 'tus-js-client'
import type { HttpRequest, HttpResponse } from 'tus-js-client'

import { createRandom } from '../sim/random.ts'
import type { Api } from './api.ts'
import { aWav } from './media.ts'
import { head, rawConnection } from './raw-http.ts'
import type { RawConnection } from './raw-http.ts'

/** Resumable uploads, by the client that everybody has and by hand. */

const wavHeaderBytes = 44

/** Sound in which no two places are alike, so that bytes in the wrong place are seen. */
export function aNoisyWav(seed: number, seconds: number): Buffer {
  const random = createRandom(seed, 'noise')
  const wav = Buffer.from(aWav({ seconds }))
  for (let at = wavHeaderBytes; at < wav.length; at += 1) wav[at] = random.below(256)
  return wav
}

interface TusOptions {
  readonly url: string
  readonly token: string
  readonly content: Buffer
  readonly filename?: string
  readonly chunkBytes?: number
  /** The first bytes come with the request that begins it. */
  readonly isAtOnce?: boolean
  readonly onAnswer?: (request: HttpRequest, response: HttpResponse) => void
}

const retriesMax = 40
const retryAfterMs = 10

/** Resolves with the ids in the last answer, however often the connection breaks. */
export function sendByTus(options: TusOptions): Promise<{ fileId: string; resumableUrl: string }> {
  const { url, token, content, filename = 'noise.wav', chunkBytes, isAtOnce = false } = options
  return new Promise((resolve, reject) => {
    let fileId = ''
    const upload = new Upload(content, {
      endpoint: `${url}/files/resumable`,
      headers: { Authorization: `Bearer ${token}` },
      metadata: { filename },
      retryDelays: Array.from({ length: retriesMax }, () => retryAfterMs),
      uploadDataDuringCreation: isAtOnce,
      ...(chunkBytes !== undefined && { chunkSize: chunkBytes }),
      onAfterResponse(request, response) {
        options.onAnswer?.(request, response)
        fileId = response.getHeader('Vaak-File-Id') ?? fileId
      },
      onSuccess: () => resolve({ fileId, resumableUrl: upload.url ?? '' }),
      onError: reject,
    })
    upload.start()
  })
}

export async function beginByHand(api: Api, sizeBytes: number, filename = 'noise.wav'): Promise<string> {
  const { headers } = await api.post('/files/resumable', { headers: announcing(sizeBytes, filename) })
  return headers.get('Location') ?? ''
}

export function announcing(sizeBytes: number, filename = 'noise.wav'): Record<string, string> {
  return {
    'Tus-Resumable': '1.0.0',
    'Upload-Length': String(sizeBytes),
    'Upload-Metadata': `filename ${Buffer.from(filename).toString('base64')}`,
  }
}

export function pieceAt(offset: number): Record<string, string> {
  return {
    'Tus-Resumable': '1.0.0',
    'Upload-Offset': String(offset),
    'Content-Type': 'application/offset+octet-stream',
  }
}

export async function headOf(url: string, token: string): Promise<{ status: number; headers: Headers }> {
  const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0' }
  return fetch(url, { method: 'HEAD', headers })
}

export async function storedBytesOf(api: Api, token: string, fileId: string): Promise<Buffer> {
  const answer = await fetch(`${api.url}/files/${fileId}/audio`, { headers: { Authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`the audio of ${fileId} was answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

interface Hanging {
  readonly url: string
  readonly token: string
  readonly address: string
  readonly offset: number
  readonly content: Uint8Array
}

/** A request that was let in, sends all but the last byte of what it announces, and hangs. */
export async function sendAndHang(t: ExecutionContext, input: Hanging): Promise<RawConnection> {
  const { url, token, address, offset, content } = input
  const connection = await rawConnection(t, url)
  const headers = { Host: 'vaak', Authorization: `Bearer ${token}`, ...pieceAt(offset), Expect: '100-continue' }
  const lines = Object.entries({ ...headers, 'Content-Length': content.length + 1 })
  await connection.send(head(`PATCH ${address} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)))
  const { status } = await connection.answer()
  t.is(status, 100)
  await connection.send(content)
  return connection
}
