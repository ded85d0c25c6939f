import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError } from '../../actors/failure.ts'
import { nameDurably } from '../../infra/blobs/disk-naming.ts'
import { createSyncedFolders } from '../../infra/blobs/synced-folders.ts'
import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { markName } from '../../infra/blobs/identity.ts'
import { abandonedAfterMs, openStaging } from '../../infra/blobs/staging.ts'
import { aBlobFile, blobBytes, terminally, readText } from '../contract/blobs.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'

async function aStore(t: ExecutionContext) {
  const folder = join(await aFolder(t), 'store')
  const log = aLog()
  const open = () => openDiskBlobs({ folder, log })
  return { folder, log, open, blobs: await open(), stored: join(folder, 'stored'), incoming: join(folder, 'incoming') }
}

test('nobody but the owner can read the folders and the files', async (t) => {
  const { folder, blobs, stored, incoming } = await aStore(t)
  await blobs.put('a/memory', blobBytes('x'))
  await blobs.put('a/linked', await aBlobFile(t, Buffer.from('x')))
  await blobs.put('a/copied', await aBlobFile(t, Buffer.from('x'), { mode: 0o644 }))
  for (const path of [folder, stored, incoming, join(stored, 'a')]) t.is((await stat(path)).mode & 0o777, 0o700)
  for (const name of ['memory', 'linked', 'copied']) t.is((await stat(join(stored, 'a', name))).mode & 0o777, 0o600)
})

test('a private file on the same disk is linked, not copied', async (t) => {
  const { blobs, stored } = await aStore(t)
  const source = await aBlobFile(t, Buffer.from('x'))
  await blobs.put('a/linked', source)
  t.is((await stat(join(stored, 'a/linked'))).ino, (await stat(source.path)).ino)
})

test('an object gets a second name on the same disk, without a copy, and only where it is there', async (t) => {
  const { blobs, stored, folder } = await aStore(t)
  await blobs.put('a/1', blobBytes('x'))
  const path = join(folder, 'second')
  t.true(await blobs.linkTo?.('a/1', path))
  t.is((await stat(join(stored, 'a/1'))).ino, (await stat(path)).ino)
  t.false(await blobs.linkTo?.('a/2', join(folder, 'third')))
  t.false(await blobs.linkTo?.('a/1', path), 'the name is taken')
  await blobs.remove('a/1')
  t.is(await readFile(path, 'utf8'), 'x')
})

test('a file that others may read is copied, and its own mode stays', async (t) => {
  const { blobs, stored } = await aStore(t)
  const source = await aBlobFile(t, Buffer.from('x'))
  await chmod(source.path, 0o640)
  await blobs.put('a/copied', source)
  t.not((await stat(join(stored, 'a/copied'))).ino, (await stat(source.path)).ino)
  t.is((await stat(source.path)).mode & 0o777, 0o640)
})

test('behind a symbolic link it is the file that is stored', async (t) => {
  const { blobs, stored } = await aStore(t)
  const source = await aBlobFile(t, Buffer.from('the file'))
  const path = join(await aFolder(t), 'link')
  await symlink(source.path, path)
  await blobs.put('a/followed', { ...source, path })
  t.is(await readFile(join(stored, 'a/followed'), 'utf8'), 'the file')
  await t.throwsAsync(readlink(join(stored, 'a/followed')), { code: 'EINVAL' })
})

test('storing one file twice under one key leaves no temporary name', async (t) => {
  const { blobs, incoming } = await aStore(t)
  const source = await aBlobFile(t, Buffer.from('x'))
  await blobs.put('a/twice', source)
  await blobs.put('a/twice', source)
  t.deepEqual(await readdir(incoming), [])
})

test('a file that is gone is a mistake of the caller, not a missing object', async (t) => {
  const { blobs } = await aStore(t)
  const error = await t.throwsAsync(blobs.put('a/b', { path: '/nowhere/at/all', sizeBytes: 1 }))
  t.is(error?.message, 'the file to store is not there')
})

test('the last object of a folder takes its empty folders along', async (t) => {
  const { blobs, stored } = await aStore(t)
  await blobs.put('a/b/c/1', blobBytes('x'))
  await blobs.put('a/other', blobBytes('x'))
  await blobs.remove('a/b/c/1')
  t.deepEqual(await readdir(join(stored, 'a')), ['other'])
  await blobs.removeAll('a/')
  t.deepEqual(await readdir(stored), [markName])
})

test('a put is stored although removals keep taking its folder away', async (t) => {
  const { blobs, stored } = await aStore(t)
  const comeAndGo = async (key: string): Promise<void> => {
    for (let round = 0; round < 100; round += 1) {
      await blobs.put(key, blobBytes('x'))
      t.true(await blobs.remove(key))
    }
  }
  await Promise.all(['a/b/c/1', 'a/b/c/2', 'a/b/d/3'].map(comeAndGo))
  t.deepEqual(await readdir(stored), [markName])
})

// Alone, as the garbage of other tests would have the runtime close what we forgot.
test.serial('a reader that leaves early closes the file', async (t) => {
  const { blobs, stored } = await aStore(t)
  await blobs.put('left', { bytes: Buffer.alloc(4 * 1024 * 1024) })
  const [untouched, begun] = [await blobs.open('left'), await blobs.open('left')]
  await once(begun, 'readable')
  t.is(await timesOpen(join(stored, 'left')), 2)
  untouched.destroy()
  begun.destroy()
  await eventually('both files closed', async () => (await timesOpen(join(stored, 'left'))) === 0, 5_000)
  t.pass()
})

test('a key cannot go through an object, nor replace a folder', async (t) => {
  const { blobs } = await aStore(t)
  await blobs.put('a/object', blobBytes('x'))
  for (const options of [{}, { ifAbsent: true }]) {
    await t.throwsAsync(blobs.put('a/object/below', blobBytes('y'), options), terminally('conflict'))
    await t.throwsAsync(blobs.put('a/object/below/it', blobBytes('y'), options), terminally('conflict'))
    await t.throwsAsync(blobs.put('a', blobBytes('y'), options), terminally('conflict'))
  }
  t.is(await readText(blobs, 'a/object'), 'x')
})

test('what a killed process left half-written is removed, what a live one still writes is not', async (t) => {
  const { incoming, log, open } = await aStore(t)
  const writer = fork(join(import.meta.dirname, '../support/half-writer.js'), [incoming])
  t.teardown(() => void writer.kill('SIGKILL'))
  await once(writer, 'message')

  await open()
  t.is((await readdir(incoming)).length, 1)
  t.deepEqual(log.lines, [])

  writer.kill('SIGKILL')
  await once(writer, 'exit')
  await open()
  t.deepEqual(await readdir(incoming), [])
  t.like(log.lines, [{ level: 'warn', facts: { files: 1 } }])
})

test('a process that got the number of a dead one does not keep its leftovers', async (t) => {
  const { incoming, open } = await aStore(t)
  const [realm, pid, start] = basename((await openStaging(incoming, Date.now())).nextPath()).split('.')
  await writeFile(join(incoming, [realm, pid, `${start}0`, 'x'].join('.')), 'half')
  await writeFile(join(incoming, [realm, pid, start, 'x'].join('.')), 'half')
  await open()
  t.deepEqual(await readdir(incoming), [[realm, pid, start, 'x'].join('.')])
})

test('what another container left is removed when nothing has happened to it for a while', async (t) => {
  const { incoming } = await aStore(t)
  await writeFile(join(incoming, '0123456789abcdef.1.5.x'), 'half')
  await openStaging(incoming, Date.now())
  t.is((await readdir(incoming)).length, 1)
  await openStaging(incoming, Date.now() + 2 * abandonedAfterMs)
  t.deepEqual(await readdir(incoming), [])
})

test('a store whose disk is not mounted says so, and is not made anew in the wrong place', async (t) => {
  const { blobs, folder } = await aStore(t)
  await rename(folder, `${folder}-away`)
  const gone = { instanceOf: FailureError, message: /^storage_unavailable: The storage folder is gone/ }
  await t.throwsAsync(blobs.check(), gone)
  await t.throwsAsync(blobs.put('a/b', blobBytes('x')), gone)
  await t.throwsAsync(blobs.open('a/b'), gone)
  await t.throwsAsync(blobs.stat('a/b'), gone)
  await t.throwsAsync(blobs.remove('a/b'), gone)
  await t.throwsAsync(blobs.removeAll('a/'), gone)
  await t.throwsAsync(stat(folder), { code: 'ENOENT' })
  await rename(`${folder}-away`, folder)
  await t.notThrowsAsync(blobs.check())
})

test('a store that goes while something is put there is not made anew', async (t) => {
  const { folder, stored, incoming } = await aStore(t)
  await rename(folder, `${folder}-away`)
  const naming = {
    staged: join(incoming, 'x'),
    target: join(stored, 'a/b/c'),
    root: stored,
    synced: createSyncedFolders(),
  }
  for (const ifAbsent of [true, false])
    await t.throwsAsync(nameDurably({ ...naming, ifAbsent }), {
      instanceOf: FailureError,
      message: /^storage_unavailable: The storage folder is gone/,
    })
  await t.throwsAsync(stat(folder), { code: 'ENOENT' })
})

for (const part of ['folder', 'stored'] as const)
  test(`a store whose ${part} becomes a file while something is put there is away, and no key is to blame`, async (t) => {
    const store = await aStore(t)
    await rename(store[part], `${store[part]}-away`)
    await writeFile(store[part], '')
    const target = join(store.stored, 'a/b/c')
    const naming = { staged: join(store.incoming, 'x'), target, root: store.stored, synced: createSyncedFolders() }
    for (const ifAbsent of [true, false])
      await t.throwsAsync(nameDurably({ ...naming, ifAbsent }), {
        instanceOf: FailureError,
        message: /^storage_unavailable: The storage folder is gone/,
      })
  })

test('a folder that is made where a store was is not taken for it', async (t) => {
  const { blobs, folder, stored, incoming } = await aStore(t)
  await rename(folder, `${folder}-away`)
  for (const each of [stored, incoming]) await mkdir(each, { recursive: true })
  const another = { instanceOf: FailureError, message: /^storage_unavailable: Storage is not the one that it was/ }
  await t.throwsAsync(blobs.stat('a/b'), another)
  await t.throwsAsync(blobs.put('a/b', blobBytes('x')), another)
  t.deepEqual(await readdir(stored), [])
})

async function timesOpen(path: string): Promise<number> {
  const handles = await readdir('/proc/self/fd')
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')))
  return targets.filter((target) => target === path).length
}
