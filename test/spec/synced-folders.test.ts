import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { createSyncedFolders } from '../../infra/blobs/synced-folders.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'

test('of folders that are known to be safe only the one in which something was named is synced', async (t) => {
  const { synced, put, folders } = await aTree(t)
  await put()
  t.deepEqual(synced.splice(0), [folders.file, folders.user, folders.root])
  await put()
  t.deepEqual(synced, [folders.file])
})

test('a folder beside one that is known is synced with what holds its name, and nothing above', async (t) => {
  const { synced, put, folders } = await aTree(t)
  await put()
  synced.splice(0)
  const beside = join(folders.user, 'beside')
  await mkdir(beside)
  await put(beside)
  t.deepEqual(synced, [beside, folders.user])
})

test('a folder that was made anew is not taken for the one that was there', async (t) => {
  const { synced, put, folders } = await aTree(t)
  await put()
  synced.splice(0)
  await rm(folders.user, { recursive: true })
  await mkdir(folders.file, { recursive: true })
  await put()
  t.deepEqual(synced, [folders.file, folders.user, folders.root])
})

test('who comes while the folders above are not synced yet does not rely on them', async (t) => {
  const { put, folders, holdUp } = await aTree(t)
  const goOn = holdUp(folders.root)
  const first = put()
  await eventually('it is at the last of them', () => goOn.waiting() === 1)
  let isDone = false
  const second = put().then(() => (isDone = true))
  await eventually('the second is there too', () => goOn.waiting() === 2)
  t.false(isDone)
  goOn.release()
  await Promise.all([first, second])
})

async function aTree(t: ExecutionContext) {
  const root = await aFolder(t)
  const user = join(root, 'user')
  const file = join(user, 'file')
  await mkdir(file, { recursive: true })
  const synced: string[] = []
  let held: { folder: string; waiting: number; until: Promise<void> } | undefined
  const folders = createSyncedFolders(async (folder) => {
    synced.push(folder)
    if (held?.folder !== folder) return
    held.waiting += 1
    await held.until
  })
  let names = 0
  const put = async (folder = file): Promise<void> => {
    await writeFile(join(folder, String((names += 1))), '')
    await folders.upTo(root, folder)
  }
  await eventually('the folders are older than a step of the clock', async () => {
    await writeFile(join(file, 'clock'), '')
    await rm(join(file, 'clock'))
    const facts = await stat(file)
    return facts.ctimeMs - facts.birthtimeMs > 150
  })
  const holdUp = (folder: string) => {
    let release = (): void => undefined
    const until = new Promise<void>((resolve) => (release = resolve))
    const now = (held = { folder, waiting: 0, until })
    return { waiting: () => now.waiting, release: () => release() }
  }
  return { synced, put, holdUp, folders: { root, user, file } }
}
