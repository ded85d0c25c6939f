import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { away, terminal } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import { haltingFetch } from '../../timing/halting-fetch.ts'
import { digestOf } from './digest.ts'
import type { HubSource, Model, ModelFile } from './model.ts'
import { download, giveBack, OtherBytes, DownloadRefusal } from './partial-download.ts'
import type { DownloadOptions, Remote, SendRequest } from './partial-download.ts'

interface HubDownloadOptions extends DownloadOptions {
  /** The address of the hub, or of a mirror of it. */
  readonly hub: string
}

/** Downloads the files of a model, one after the other, and moves them into a folder when all are there and audio. */
export async function downloadFromHub(
  { model, source, into }: { model: Model; source: HubSource; into: string },
  options: HubDownloadOptions,
): Promise<void> {
  const fetched: { readonly file: PinnedFile; readonly path: string }[] = []
  let before = 0
  try {
    for (const file of model.files.filter(isPinned)) {
      const onReceived = (bytes: number): void => options.onReceived(before + bytes)
      const path = await download(remoteOf(file, source, options.hub), { ...options, onReceived }).catch(
        (error: unknown) => {
          throw classify(error, { model, file, place: `${options.hub}/${source.repository}` })
        },
      )
      fetched.push({ file, path })
      before += file.sizeBytes
    }
  } catch (error) {
    // whole files too: the next attempt finds them and asks only for what is missing
    for (const { file, path } of fetched) await giveBack(remoteOf(file, source, options.hub), path, options.folder)
    throw error
  }
  for (const { file, path } of fetched) {
    const target = join(into, ...file.path.split('/'))
    await mkdir(dirname(target), { recursive: true })
    await rename(path, target)
  }
}

interface PinnedFile extends ModelFile {
  readonly sha256: string
}

/** What nobody vouches for is never fetched: it stays missing. */
function isPinned(file: ModelFile): file is PinnedFile {
  return file.sha256 !== null
}

function remoteOf(file: PinnedFile, { repository, revision }: HubSource, hub: string): Remote {
  const path = file.path.split('/').map(encodeURIComponent).join('/')
  const url = `${hub}/${repository}/resolve/${revision}/${path}`
  return {
    slug: file.sha256,
    sizeBytes: file.sizeBytes,
    isAudio: async (copy) => (await digestOf(copy, 'sha256', 'hex')) === file.sha256,
    send: (request) => send(url, request),
  }
}

async function send(url: string, { from, signal, take }: SendRequest): Promise<void> {
  const response = await haltingFetch(url, {
    signal,
    redirect: 'follow',
    // a range of compressed bytes would be a range of other bytes
    headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
  })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    // it has fewer bytes than are here already
    if (response.status === 416) throw new OtherBytes()
    throw isForNow(response.status) ? new Error(`HTTP status ${response.status}`) : new HttpRefusal(response.status)
  }
  // a server that knows no ranges begins at the beginning
  let skip = response.status === 206 ? 0 : from
  for await (const bytes of response.body) {
    const skipped = Math.min(skip, bytes.length)
    skip -= skipped
    if (bytes.length > skipped) await take(bytes.subarray(skipped))
  }
}

const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429])

function isForNow(status: number): boolean {
  return status >= 500 || passingStatuses.has(status)
}

class HttpRefusal extends DownloadRefusal {
  constructor(readonly status: number) {
    super(`HTTP status ${status}`)
  }
}

function classify(error: unknown, input: { model: Model; file: ModelFile; place: string }): FailureError {
  const { model, file, place } = input
  const what = `model ${model.id}: the file ${file.path} of ${place}`
  const elsewhere = `put the model into MODEL_DIR/${model.folder}/ yourself`
  if (error instanceof OtherBytes)
    return terminal('conflict', `${what} cannot be trusted: ${error.message}; correct the catalogue`, error)
  if (error instanceof HttpRefusal && (error.status === 401 || error.status === 403))
    return terminal('forbidden', `${what} is not given to everybody (${error.message}); ${elsewhere}`, error)
  if (error instanceof HttpRefusal)
    return terminal('not_found', `${what} is not to be had (${error.message}); correct the catalogue`, error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return away('disk_full', `${what} finds no room on the disk (${file.sizeBytes} bytes)`, error)
  return away(
    'models_unavailable',
    `${what} could not be fetched: ${reasonOf(error)}; run "vaak models fetch ${model.id}" to go on, or ${elsewhere}`,
    error,
  )
}

/** What `fetch` itself says is only that it failed; the cause knows why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
