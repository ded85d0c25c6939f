import { join } from 'node:path'

import type { Blobs, Log } from '../../actors/ports.ts'
import { openBlobs } from '../blobs/open.ts'
import type { Config } from './config.ts'

export function openStorage(config: Config, log: Log): Promise<Blobs> {
  return openBlobs(config.storageUrl, {
    defaultFolder: join(config.dataDir, 'objects'),
    accessKeyId: config.storageAccessKeyId,
    secretAccessKey: config.storageSecretAccessKey,
    log,
  })
}
