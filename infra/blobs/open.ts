import type { Blobs, Log } from '../../actors/ports.ts'
import { openDiskBlobs } from './disk.ts'
import { parseStorageUrl } from './storage-url.ts'

interface StorageOptions {
  /** Where objects go when the URL is only `disk:`. */
  readonly defaultFolder: string
  /** Both empty: the SDK looks for keys by itself. */
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly log: Log
}

/** The object store that STORAGE_URL names. A mistake in it is an Error whose message is a sentence. */
export async function openBlobs(url: string, options: StorageOptions): Promise<Blobs> {
  const location = parseStorageUrl(url)
  const { log } = options
  if (location.kind === 'disk') return openDiskBlobs({ folder: location.folder ?? options.defaultFolder, log })
  const credentials = credentialsOf(options)
  // Only who stores in S3 pays for loading its SDK: a good part of a small service's start.
  const { openS3Blobs } = await import('./s3.ts')
  return openS3Blobs({ ...location, credentials, log })
}

function credentialsOf({ accessKeyId = '', secretAccessKey = '' }: StorageOptions) {
  if (accessKeyId === '' && secretAccessKey === '') return undefined
  if (accessKeyId === '' || secretAccessKey === '')
    throw new Error('The object store needs both an access key and a secret key, or neither of them.')
  return { accessKeyId, secretAccessKey }
}
