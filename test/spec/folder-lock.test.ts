import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { lockFolder } from '../../infra/process/folder-lock.ts'
import { thisProcess } from '../../infra/process/process-identity.ts'
import { aFolder } from '../support/folder.ts'

test('a folder is locked once, and the refusal names the holder and the folder', async (t) => {
  const folder = await aFolder(t)
  await lockFolder(folder, 'vaak up')
  await t.throwsAsync(lockFolder(folder, 'vaak worker'), {
    message: `${folder} is in use by process ${process.pid} (vaak up). Stop that process, or choose another DATA_DIR.`,
  })
})

test('a released folder can be locked again, again and again, and leaves one file behind', async (t) => {
  const folder = await aFolder(t)
  for (let round = 0; round < 3; round += 1) await (await lockFolder(folder, 'round')).release()
  t.is((await readdir(folder)).length, 1)
})

test('the lock of a process that is gone is taken over', async (t) => {
  const folder = await aFolder(t)
  const gone = { ...thisProcess(), startedAt: 'before the pid was given to us' }
  await writeFile(join(folder, '.lock-7'), JSON.stringify({ holder: gone, purpose: 'vaak up', released: false }))
  await lockFolder(folder, 'vaak up')
  t.deepEqual(await readdir(folder), ['.lock-8'])
})

test('a lock file that a power cut left empty is taken over', async (t) => {
  const folder = await aFolder(t)
  await writeFile(join(folder, '.lock-1'), '')
  await t.notThrowsAsync(lockFolder(folder, 'vaak up'))
})

test('of many that find the same dead holder at once, one succeeds it', async (t) => {
  const folder = await aFolder(t)
  const gone = { ...thisProcess(), startedAt: 'before the pid was given to us' }
  await writeFile(join(folder, '.lock-1'), JSON.stringify({ holder: gone, purpose: 'vaak up', released: false }))
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => lockFolder(folder, 'contender')))
  t.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})
