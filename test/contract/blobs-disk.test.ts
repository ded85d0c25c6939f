import test from 'ava'

import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'
import { blobsContract } from './blobs.ts'

blobsContract(test, async (t) => {
  const blobs = await openDiskBlobs({ folder: await aFolder(t), log: aLog() })
  t.teardown(() => blobs.close())
  return blobs
})
