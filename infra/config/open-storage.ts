import { join } from 'node:path'

import type { Log } from '../../actors/ports.ts'
import type { ObjectStorage } from '../../actors/upload/ports.ts'
import { openBlobs } from '../blobs/open.ts'
import type { StorageOptions } from '../blobs/open.ts'
import { parseStorageUrl } from '../blobs/storage-url.ts'
import type { Config } from './config.ts'

/** Recordings come first to the end of the room, then transcripts, and what they leave is the broker's. */
const objectsReserve = 1 / 4

export function openStorage(
  config: Config,
  input: { readonly log: Log } & Required<Pick<StorageOptions, 'knownAt'>>,
): Promise<ObjectStorage> {
  return openBlobs(config.storageUrl, { ...storageOptions(config, input.log), ...input })
}

/** All that a store needs, but who knows it. */
export function storageOptions(config: Config, log: Log): StorageOptions {
  return {
    log,
    defaultFolder: defaultFolder(config),
    accessKeyId: config.storageAccessKeyId,
    secretAccessKey: config.storageSecretAccessKey,
    reserveBytes: Math.floor(config.spoolReserveBytes * objectsReserve),
  }
}

/** Where objects are on a disk of this machine; undefined when they are elsewhere. */
export function storageFolder(config: Config): string | undefined {
  const location = parseStorageUrl(config.storageUrl)
  return location.kind === 'disk' ? (location.folder ?? defaultFolder(config)) : undefined
}

/** Whether uploads go straight into storage: by default where that is not a folder, which takes a file of the spool by a link. */
export function goesToStorage(config: Config): boolean {
  return config.uploadTo === 'auto' ? storageFolder(config) === undefined : config.uploadTo === 'storage'
}

/** Below it each gateway has a folder of its own. */
export function spoolFolder({ spoolDir, dataDir }: Config): string {
  return spoolDir === '' ? join(dataDir, 'spool') : spoolDir
}

function defaultFolder({ dataDir }: Config): string {
  return join(dataDir, 'objects')
}
