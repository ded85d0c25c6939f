import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { isRetryable } from '../../actors/failure.ts'
import type { Blobs } from '../../actors/ports.ts'
import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { aBlobFile, blobBytes, readBytes, readText } from '../contract/blobs.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'
import { aSmallDisk, testWithSmallDisk } from '../support/small-disk.ts'

const testOnSmallDisk = await testWithSmallDisk()

const mebibyte = 1024 * 1024
const pageBytes = 4096

testOnSmallDisk('a full disk is a reason to try again, and leaves nothing half-written', async (t) => {
  const disk = await aSmallDisk(t, mebibyte)
  const blobs = await openDiskBlobs({ folder: disk, log: aLog() })
  await blobs.put('kept', blobBytes('kept'))
  const large = await aBlobFile(t, randomBytes(2 * mebibyte))
  for (const source of [{ bytes: randomBytes(2 * mebibyte) }, large]) {
    const error = await t.throwsAsync(blobs.put('too/large', source))
    t.true(isRetryable(error))
    t.regex(error?.message ?? '', /^storage_unavailable: The storage disk is full/)
  }
  t.deepEqual(await readdir(join(disk, 'incoming')), [])
  t.is(await readText(blobs, 'kept'), 'kept')

  const half = await aBlobFile(t, randomBytes(mebibyte / 2))
  t.is(await blobs.put('fits/now', half), 'stored')
  t.deepEqual(await blobs.stat('fits/now'), { sizeBytes: half.sizeBytes })
})

testOnSmallDisk('a full disk fails its check and passes it when there is room again', async (t) => {
  const disk = await aSmallDisk(t, mebibyte)
  const blobs = await openDiskBlobs({ folder: disk, log: aLog() })
  for (const sizeBytes of [100_000, pageBytes]) while (await fits(blobs, sizeBytes));
  t.true(isRetryable(await t.throwsAsync(blobs.check())))
  await blobs.removeAll('filler/')
  await t.notThrowsAsync(blobs.check())
})

test('an object whose writer is killed at any moment is one version, whole', async (t) => {
  const folder = await aFolder(t)
  const sizeBytes = 4 * mebibyte
  for (let round = 0; round < 10; round += 1) {
    const writer = fork(join(import.meta.dirname, '../support/endless-putter.js'), [folder, String(sizeBytes)])
    t.teardown(() => void writer.kill('SIGKILL'))
    const [version] = await once(writer, 'message')
    setTimeout(() => writer.kill('SIGKILL'), round * 3)
    await once(writer, 'exit')
    const blobs = await openDiskBlobs({ folder, log: aLog() })
    const content = await readBytes(blobs, 'killed/while/written')
    t.true(content.length === sizeBytes && content.every((byte) => byte === content[0]), `after version ${version}`)
    t.deepEqual(await readdir(join(folder, 'incoming')), [])
  }
})

async function fits(blobs: Blobs, sizeBytes: number): Promise<boolean> {
  try {
    await blobs.put(`filler/${randomUUID()}`, { bytes: randomBytes(sizeBytes) })
    return true
  } catch {
    return false
  }
}
