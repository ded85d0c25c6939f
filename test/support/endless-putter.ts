import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { aLog } from './log.ts'

/** Run with `fork`: overwrites one object with one version after another until it is killed. */
const [folder = '', sizeBytes = ''] = process.argv.slice(2)
const blobs = await openDiskBlobs({ folder, log: aLog() })
process.once('disconnect', () => process.exit())
for (let version = 1; ; version = (version % 255) + 1) {
  await blobs.put('killed/while/written', { bytes: Buffer.alloc(Number(sizeBytes), version) })
  process.send?.(version)
}
