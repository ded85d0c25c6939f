import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import test from 'ava'

import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { markName } from '../../infra/blobs/identity.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'
import { blobsContract } from './blobs.ts'
import { storeMarkContract } from './store-mark.ts'

blobsContract(test, async (t) => {
  const blobs = await openDiskBlobs({ folder: await aFolder(t), log: aLog() })
  t.teardown(() => blobs.close())
  return blobs
})

storeMarkContract(test, async (t) => {
  const folder = await aFolder(t)
  const path = join(folder, 'stored', markName)
  return {
    open: (known) => openDiskBlobs({ folder, known, log: aLog() }),
    readMark: () => readFile(path, 'utf8').catch(() => undefined),
    async writeMark(name) {
      await mkdir(dirname(path), { recursive: true })
      await (name === undefined ? rm(path) : writeFile(path, name))
    },
  }
})
