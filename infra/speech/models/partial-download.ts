import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const maxAttempts = 5
export const stallMs = 60_000
/** A part that nobody has written to for this long belongs to a process that is gone: a live one stalls out before. */
const orphanedMs = 3 * stallMs
const partSuffix = '.part'

/** Known bytes that lie somewhere else. */
export interface Remote {
  /** The same for the same bytes and for no others: by it a process finds what another one left. */
  readonly slug: string
  readonly sizeBytes: number
  /** Passes on what comes after the first `from` bytes. One that cannot passes on everything: that is caught. */
  send(request: SendRequest): Promise<void>
  isAudio(path: string): Promise<boolean>
}

export interface SendRequest {
  readonly from: number
  readonly signal: AbortSignal
  readonly take: (bytes: Uint8Array) => Promise<void>
}

export interface DownloadOptions {
  /** Kept between runs: what a broken download leaves here is continued by the next one. */
  readonly folder: string
  readonly retryDelayMs: number
  readonly onReceived: (receivedBytes: number) => void
  readonly signal?: AbortSignal
}

/** What came is not what the catalogue expects. */
export class OtherBytes extends Error {
  constructor() {
    super('other bytes are offered than the catalogue expects')
  }
}

/** Asking again would get the same answer. */
export class DownloadRefusal extends Error {}

/**
 * Downloads and returns the path of a verified copy, which the caller moves, removes or gives back. Every process writes
 * a file of its own; taking over a part of somebody else's is one rename, which only one can win.
 */
export async function download(remote: Remote, options: DownloadOptions): Promise<string> {
  await mkdir(options.folder, { recursive: true })
  const own = join(options.folder, `${remote.slug}.${randomUUID()}${partSuffix}`)
  await adoptOrphan(options.folder, remote.slug, own)
  try {
    await receive(remote, own, options)
    return own
  } catch (error) {
    await giveBack(remote, own, options.folder)
    throw error
  }
}

/** Leaves a part for the next process that wants the same bytes. */
export async function giveBack({ slug }: Remote, path: string, folder: string): Promise<void> {
  await rename(path, join(folder, slug + partSuffix)).catch(() => {})
}

async function receive(remote: Remote, path: string, options: DownloadOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await append(remote, path, options)
    } catch (error) {
      if (attempt === maxAttempts || error instanceof DownloadRefusal || options.signal?.aborted) throw error
      await pause(options.retryDelayMs * attempt, undefined, options.signal && { signal: options.signal })
      continue
    }
    if (await remote.isAudio(path)) return
    await rm(path, { force: true })
    if (attempt === maxAttempts) throw new OtherBytes()
  }
}

/** Asks for what is still missing. A server that sends everything again is caught by the size, then by the hash. */
async function append(remote: Remote, path: string, options: DownloadOptions): Promise<void> {
  let receivedBytes = await sizeOf(path)
  if (receivedBytes > remote.sizeBytes) {
    await truncate(path)
    receivedBytes = 0
  }
  options.onReceived(receivedBytes)
  if (receivedBytes === remote.sizeBytes) return
  const stalled = new AbortController()
  const watchdog = setTimeout(() => stalled.abort(new Error(`nothing arrived for ${stallMs / 1000} s`)), stallMs)
  const signal = options.signal ? AbortSignal.any([options.signal, stalled.signal]) : stalled.signal
  const file = await open(path, 'a')
  try {
    await remote.send({
      from: receivedBytes,
      signal,
      async take(bytes) {
        watchdog.refresh()
        if (receivedBytes + bytes.length > remote.sizeBytes) throw new OtherBytes()
        await file.write(bytes)
        receivedBytes += bytes.length
        options.onReceived(receivedBytes)
      },
    })
    if (receivedBytes < remote.sizeBytes) throw new Error(`only ${receivedBytes} of ${remote.sizeBytes} bytes arrived`)
  } catch (error) {
    if (error instanceof OtherBytes) await file.truncate()
    throw error
  } finally {
    clearTimeout(watchdog)
    await file.close()
  }
}

/** Continues one part that was given up, and clears away the others. */
async function adoptOrphan(folder: string, slug: string, own: string): Promise<void> {
  let adopted = false
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${slug}.`) || !name.endsWith(partSuffix)) continue
    const path = join(folder, name)
    const writtenMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now()
    if (name !== slug + partSuffix && Date.now() - writtenMs < orphanedMs) continue
    if (adopted) await rm(path, { force: true })
    else
      adopted = await rename(path, own).then(
        () => true,
        () => false,
      )
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}
