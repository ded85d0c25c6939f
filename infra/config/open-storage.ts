import { join } from 'node:path'

import type { Blobs, Log } from '../../actors/ports.ts'
import { openBlobs } from '../blobs/open.ts'
import type { StorageOptions } from '../blobs/open.ts'
import type { Config } from './config.ts'

export function openStorage(
  config: Config,
  input: { readonly log: Log } & Required<Pick<StorageOptions, 'knownAt'>>,
): Promise<Blobs> {
  return openBlobs(config.storageUrl, {
    ...input,
    defaultFolder: join(config.dataDir, 'objects'),
    accessKeyId: config.storageAccessKeyId,
    secretAccessKey: config.storageSecretAccessKey,
  })
}
