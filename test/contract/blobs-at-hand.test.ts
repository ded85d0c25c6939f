import test from 'ava'

import { keepAtHand } from '../../infra/blobs/at-hand.ts'
import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { systemTimer } from '../../infra/timing/timer.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'
import { blobsContract } from './blobs.ts'

blobsContract(test, async (t) => {
  const disk = await openDiskBlobs({ folder: await aFolder(t), log: aLog() })
  const blobs = keepAtHand(disk, { mostBytes: 1024 * 1024, keepMs: 60_000, timer: systemTimer })
  t.teardown(() => blobs.close())
  return blobs
})
