import { Readable } from 'node:stream'

import pacote from 'pacote'

import { away, terminal } from '../../../actors/failure.ts'
import { digestOf } from './digest.ts'
import type { Model, PackageSource } from './model.ts'
import { download, OtherBytes, stallMs } from './partial-download.ts'
import type { DownloadOptions, Remote } from './partial-download.ts'

interface PackageDownloadOptions extends DownloadOptions {
  readonly registry?: string
}

/** Downloads a tarball and returns the path of a verified copy, which the caller removes. */
export async function downloadPackage(
  model: Model,
  source: PackageSource,
  options: PackageDownloadOptions,
): Promise<string> {
  try {
    const url = await tarballOf(source, options)
    return await download(remoteOf(source, url, options), options)
  } catch (error) {
    throw classify(error, model, source)
  }
}

function remoteOf(source: PackageSource, url: string, options: PackageDownloadOptions): Remote {
  return {
    slug: `${source.name}-${source.version}`.replace(/[^a-z0-9.-]/gi, '_'),
    sizeBytes: source.sizeBytes,
    isAudio: async (path) => `sha512-${await digestOf(path, 'sha512', 'base64')}` === source.integrity,
    send: ({ from, signal, take }) =>
      pacote.tarball.stream(
        url,
        async (stream) => {
          // pacote's own iterator listens for errors only while it waits for data; one in between would end the process
          for await (const bytes of new Readable().wrap(stream)) await take(bytes)
        },
        { ...registryOptions(options), signal, ...(from > 0 && { headers: { range: `bytes=${from}-` } }) },
      ),
  }
}

async function tarballOf(source: PackageSource, options: PackageDownloadOptions): Promise<string> {
  const manifest = await pacote.manifest(`${source.name}@${source.version}`, registryOptions(options))
  if (manifest._integrity !== source.integrity) throw new OtherBytes()
  return manifest._resolved
}

/** No cache of pacote's own: the unpacked model is the cache, and a tarball is never wanted twice. */
function registryOptions(options: PackageDownloadOptions) {
  return {
    ...(options.registry !== undefined && { registry: options.registry }),
    preferOnline: true,
    fetchRetries: 2,
    fetchRetryMintimeout: options.retryDelayMs,
    fetchRetryMaxtimeout: 10 * options.retryDelayMs,
    timeout: stallMs,
  }
}

function classify(error: unknown, model: Model, source: PackageSource): unknown {
  const what = `model ${model.id}: the package ${source.name}@${source.version}`
  if (error instanceof OtherBytes) return terminal('conflict', `${what} cannot be trusted: ${error.message}`, error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'E404' || code === 'ETARGET')
    return terminal('not_found', `${what} is not in the npm registry that this machine uses`, error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return away('disk_full', `${what} finds no room on the disk (${source.sizeBytes} bytes)`, error)
  const reason = error instanceof Error ? error.message : String(error)
  return away(
    'models_unavailable',
    `${what} could not be fetched: ${reason}; run "vaak models fetch ${model.id}" to go on`,
    error,
  )
}
