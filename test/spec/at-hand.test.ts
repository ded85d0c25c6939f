import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { awayCodeOf } from '../../actors/failure.ts'
import type { Timer } from '../../actors/ports.ts'
import { keepAtHand } from '../../infra/blobs/at-hand.ts'
import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { blobBytes, readText, terminally } from '../contract/blobs.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'
import { outages } from '../support/storage-outages.ts'

test('what was stored a moment ago is read once from memory, and then from storage', async (t) => {
  const { blobs, opened } = await aStore(t)
  await blobs.put('a/1', blobBytes('one'))
  t.is(await readText(blobs, 'a/1'), 'one')
  t.deepEqual(opened, [])
  t.is(await readText(blobs, 'a/1'), 'one')
  t.deepEqual(opened, ['a/1'])
})

test('a part of an object is read from storage', async (t) => {
  const { blobs, opened } = await aStore(t)
  await blobs.put('a/1', blobBytes('one'))
  for await (const bytes of await blobs.open('a/1', { start: 1 })) t.is(String(bytes), 'ne')
  t.deepEqual(opened, ['a/1'])
})

test('who came second reads what the first one stored', async (t) => {
  const { blobs, disk } = await aStore(t)
  await disk.put('a/1', blobBytes('first'))
  t.is(await blobs.put('a/1', blobBytes('second'), { ifAbsent: true }), 'exists')
  t.is(await readText(blobs, 'a/1'), 'first')
})

test('the oldest makes room', async (t) => {
  const { blobs, opened } = await aStore(t, { mostBytes: 6 })
  for (const key of ['a/1', 'a/2', 'a/3']) await blobs.put(key, blobBytes('one'))
  for (const key of ['a/1', 'a/2', 'a/3']) t.is(await readText(blobs, key), 'one')
  t.deepEqual(opened, ['a/1'])
})

test('what is larger than all the room is read from storage', async (t) => {
  const { blobs, opened } = await aStore(t, { mostBytes: 2 })
  await blobs.put('a/1', blobBytes('one'))
  t.is(await readText(blobs, 'a/1'), 'one')
  t.deepEqual(opened, ['a/1'])
})

test('what was removed is not in memory either', async (t) => {
  const { blobs } = await aStore(t)
  for (const key of ['a/1', 'a/b/2', 'a/b/3']) await blobs.put(key, blobBytes('one'))
  await blobs.remove('a/1')
  await blobs.removeAll('a/b/')
  for (const key of ['a/1', 'a/b/2', 'a/b/3']) await t.throwsAsync(blobs.open(key), terminally('not_found'))
})

test('what nobody asked for leaves memory after a while', async (t) => {
  const { blobs, opened, timesUp } = await aStore(t)
  await blobs.put('a/1', blobBytes('one'))
  timesUp()
  t.is(await readText(blobs, 'a/1'), 'one')
  t.deepEqual(opened, ['a/1'])
})

test('a copy hides no store that went: what comes of it cannot be stored, and who asks again is told', async (t) => {
  const { blobs, folder } = await aStore(t)
  await blobs.put('a/1', blobBytes('one'))
  await outages.vanished(folder)
  t.is(await readText(blobs, 'a/1'), 'one')
  t.is(awayCodeOf(await t.throwsAsync(blobs.put('a/2', blobBytes('two')))), 'storage_unavailable')
  t.is(awayCodeOf(await t.throwsAsync(blobs.open('a/1'))), 'storage_unavailable')
})

async function aStore(t: ExecutionContext, { mostBytes = 1_000 } = {}) {
  const folder = join(await aFolder(t), 'objects')
  await mkdir(folder)
  const disk = await openDiskBlobs({ folder, log: aLog() })
  const opened: string[] = []
  const watched: typeof disk = {
    ...disk,
    open(key, range) {
      opened.push(key)
      return disk.open(key, range)
    },
  }
  let timesUp = (): void => t.fail('nobody waits')
  const timer: Timer = {
    after(_ms, run) {
      timesUp = run
      return () => undefined
    },
  }
  const blobs = keepAtHand(watched, { mostBytes, keepMs: 60_000, timer })
  t.teardown(() => blobs.close())
  return { blobs, disk, folder, opened, timesUp: () => timesUp() }
}
