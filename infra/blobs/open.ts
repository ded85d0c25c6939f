import { resolve } from 'node:path'

import type { Log } from '../../actors/ports.ts'
import type { ObjectStorage } from '../../actors/upload/ports.ts'
import { loadOptional } from '../process/optional-package.ts'
import { openDiskBlobs, rootOf } from './disk.ts'
import type { KnownStore } from './identity.ts'
import { readDiskMark } from './disk-folder.ts'
import { parseStorageUrl } from './storage-url.ts'
import type { StorageLocation } from './storage-url.ts'

const s3Part = { part: 'Storage in S3', packageName: '@aws-sdk/client-s3', version: '3' }

export interface StorageOptions {
  /** Where objects go when the URL is only `disk:`. */
  readonly defaultFolder: string
  /** Both empty: the SDK looks for keys by itself. */
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly log: Log
  /** Of a disk of this machine, what objects never use. */
  readonly reserveBytes?: number
  /** What the whole service knows of the store at a place; without it, what this process has seen. */
  readonly knownAt?: (place: string) => KnownStore
}

/** The object store that STORAGE_URL names. A mistake in it is an Error whose message is a sentence. */
export function openBlobs(url: string, options: StorageOptions): Promise<ObjectStorage> {
  return openAt(parseStorageUrl(url), options)
}

export async function openAt(location: StorageLocation, options: StorageOptions): Promise<ObjectStorage> {
  const { log, knownAt, reserveBytes = 0 } = options
  const known = knownAt && { known: knownAt(placeOf(location, options)) }
  if (location.kind === 'disk')
    return openDiskBlobs({ folder: folderOf(location, options), log, reserveBytes, ...known })
  const credentials = credentialsOf(options)
  // Only who stores in S3 pays for its SDK: to install it, and to load it, a good part of a small service's start.
  const { openS3Blobs } = await loadOptional(() => import('./s3.ts'), s3Part)
  return openS3Blobs({ ...location, credentials, log, ...known })
}

/** What the store that is there now is known by, and what the service calls the place; nothing is made or changed. */
export async function readMark(
  url: string,
  options: StorageOptions,
): Promise<{ readonly place: string; readonly name: string | undefined }> {
  const location = parseStorageUrl(url)
  const place = placeOf(location, options)
  if (location.kind === 'disk') return { place, name: await readDiskMark(rootOf(folderOf(location, options))) }
  const credentials = credentialsOf(options)
  const { readS3Mark } = await loadOptional(() => import('./s3-mark.ts'), s3Part)
  return { place, name: await readS3Mark({ ...location, credentials, log: options.log }) }
}

function placeOf(location: StorageLocation, options: StorageOptions): string {
  if (location.kind === 'disk') return folderOf(location, options)
  const { endpoint = '', bucket, prefix = '' } = location
  return `s3 ${endpoint} ${bucket} ${prefix}`
}

function folderOf(location: { readonly folder: string | undefined }, { defaultFolder }: StorageOptions): string {
  return resolve(location.folder ?? defaultFolder)
}

function credentialsOf({ accessKeyId = '', secretAccessKey = '' }: StorageOptions) {
  if (accessKeyId === '' && secretAccessKey === '') return undefined
  if (accessKeyId === '' || secretAccessKey === '')
    throw new Error('The object store needs both an access key and a secret key, or neither of them.')
  return { accessKeyId, secretAccessKey }
}
