import { resolve } from 'node:path'

import type { Log } from '../../actors/ports.ts'
import type { ObjectStorage } from '../../actors/upload/ports.ts'
import { loadOptional } from '../process/optional-package.ts'
import { openDiskBlobs } from './disk.ts'
import type { KnownStore } from './identity.ts'
import { parseStorageUrl } from './storage-url.ts'

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
export async function openBlobs(url: string, options: StorageOptions): Promise<ObjectStorage> {
  const location = parseStorageUrl(url)
  const { log, knownAt, reserveBytes = 0 } = options
  if (location.kind === 'disk') {
    const folder = resolve(location.folder ?? options.defaultFolder)
    return openDiskBlobs({ folder, log, reserveBytes, ...(knownAt && { known: knownAt(folder) }) })
  }
  const credentials = credentialsOf(options)
  // Only who stores in S3 pays for its SDK: to install it, and to load it, a good part of a small service's start.
  const { openS3Blobs } = await loadOptional(() => import('./s3.ts'), s3Part)
  const { endpoint = '', bucket, prefix = '' } = location
  const known = knownAt && { known: knownAt(`s3 ${endpoint} ${bucket} ${prefix}`) }
  return openS3Blobs({ ...location, credentials, log, ...known })
}

function credentialsOf({ accessKeyId = '', secretAccessKey = '' }: StorageOptions) {
  if (accessKeyId === '' && secretAccessKey === '') return undefined
  if (accessKeyId === '' || secretAccessKey === '')
    throw new Error('The object store needs both an access key and a secret key, or neither of them.')
  return { accessKeyId, secretAccessKey }
}
