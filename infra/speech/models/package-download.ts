import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import pacote from 'pacote'

import { retryable, terminal } from '../../../actors/failure.ts'
import { digestOf } from './digest.ts'
import type { FetchProgress, PackageSource } from './model.ts'

const maxAttempts = 5
const stallMs = 60_000
/** A part that nobody has written to for this long belongs to a process that is gone: a live one stalls out before. */
const orphanedMs = 3 * stallMs
const partSuffix = '.part'

export interface DownloadOptions {
  /** Kept between runs: what a broken download leaves here is continued by the next one. */
  readonly folder: string
  readonly registry?: string
  readonly retryDelayMs: number
  readonly onProgress: (progress: FetchProgress) => void
  readonly signal?: AbortSignal
}

/**
 * Downloads a tarball and returns the path of a verified copy, which the caller removes. Every process writes a file
 * of its own; taking over a part of somebody else's is one rename, which only one can win.
 */
export async function downloadPackage(source: PackageSource, options: DownloadOptions): Promise<string> {
  await mkdir(options.folder, { recursive: true })
  const shared = join(options.folder, slugOf(source) + partSuffix)
  const own = join(options.folder, `${slugOf(source)}.${randomUUID()}${partSuffix}`)
  await adoptOrphan(options.folder, slugOf(source), own)
  try {
    const url = await tarballOf(source, options)
    await receive({ source, url, path: own }, options)
    return own
  } catch (error) {
    await rename(own, shared).catch(() => {})
    throw classify(error, source)
  }
}

interface Part {
  readonly source: PackageSource
  readonly url: string
  readonly path: string
}

async function receive(part: Part, options: DownloadOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await append(part, options)
    } catch (error) {
      if (attempt === maxAttempts || options.signal?.aborted) throw error
      await pause(options.retryDelayMs * attempt, undefined, options.signal && { signal: options.signal })
      continue
    }
    if ((await integrityOf(part.path)) === part.source.integrity) return
    await rm(part.path, { force: true })
    if (attempt === maxAttempts) throw new CorruptPackage()
  }
}

/** Asks for what is still missing. A server that sends everything again is caught by the size, then by the hash. */
async function append({ source, url, path }: Part, options: DownloadOptions): Promise<void> {
  let receivedBytes = await sizeOf(path)
  if (receivedBytes > source.sizeBytes) {
    await truncate(path)
    receivedBytes = 0
  }
  options.onProgress({ receivedBytes, totalBytes: source.sizeBytes })
  if (receivedBytes === source.sizeBytes) return
  const stalled = new AbortController()
  const watchdog = setTimeout(() => stalled.abort(new Error(`nothing arrived for ${stallMs / 1000} s`)), stallMs)
  const signal = options.signal ? AbortSignal.any([options.signal, stalled.signal]) : stalled.signal
  const file = await open(path, 'a')
  try {
    await pacote.tarball.stream(
      url,
      async (stream) => {
        // pacote's own iterator listens for errors only while it waits for data; one in between would end the process
        for await (const chunk of new Readable().wrap(stream)) {
          watchdog.refresh()
          if (receivedBytes + chunk.length > source.sizeBytes) throw new CorruptPackage()
          await file.write(chunk)
          receivedBytes += chunk.length
          options.onProgress({ receivedBytes, totalBytes: source.sizeBytes })
        }
      },
      {
        ...registryOptions(options),
        signal,
        ...(receivedBytes > 0 && { headers: { range: `bytes=${receivedBytes}-` } }),
      },
    )
    if (receivedBytes < source.sizeBytes) throw new Error(`only ${receivedBytes} of ${source.sizeBytes} bytes arrived`)
  } catch (error) {
    if (error instanceof CorruptPackage) await file.truncate()
    throw error
  } finally {
    clearTimeout(watchdog)
    await file.close()
  }
}

async function tarballOf(source: PackageSource, options: DownloadOptions): Promise<string> {
  const manifest = await pacote.manifest(`${source.name}@${source.version}`, registryOptions(options))
  if (manifest._integrity !== source.integrity) throw new CorruptPackage()
  return manifest._resolved
}

/** No cache of pacote's own: the unpacked model is the cache, and a tarball is never wanted twice. */
function registryOptions(options: DownloadOptions) {
  return {
    ...(options.registry !== undefined && { registry: options.registry }),
    preferOnline: true,
    fetchRetries: 2,
    fetchRetryMintimeout: options.retryDelayMs,
    fetchRetryMaxtimeout: 10 * options.retryDelayMs,
    timeout: stallMs,
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

class CorruptPackage extends Error {
  constructor() {
    super('the registry offers other bytes than the catalogue expects')
  }
}

function classify(error: unknown, source: PackageSource): unknown {
  const spec = `${source.name}@${source.version}`
  if (error instanceof CorruptPackage)
    return terminal('conflict', `the package ${spec} cannot be trusted: ${error.message}`, error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'E404' || code === 'ETARGET')
    return terminal('not_found', `the package ${spec} is not in the npm registry that this machine uses`, error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return retryable('disk_full', `no room for the package ${spec} (${source.sizeBytes} bytes)`, error)
  const reason = error instanceof Error ? error.message : String(error)
  return retryable('storage_unavailable', `the package ${spec} could not be fetched: ${reason}`, error)
}

function slugOf(source: PackageSource): string {
  return `${source.name}-${source.version}`.replace(/[^a-z0-9.-]/gi, '_')
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}

async function integrityOf(path: string): Promise<string> {
  return `sha512-${await digestOf(path, 'sha512', 'base64')}`
}
