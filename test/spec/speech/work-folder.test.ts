import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { openWorkFolder } from '../../../infra/speech/work/work-folder.ts'
import { aFolder } from '../../support/folder.ts'
import { aLog } from '../../support/log.ts'

test('a file is there while it is used, and gone when that has ended or failed', async (t) => {
  const path = join(await aFolder(t), 'work', 'deep')
  const folder = await openWorkFolder(path, aLog())
  t.is((await stat(path)).mode & 0o77, 0, 'nobody else reads recordings')
  await folder.withFile(async (file) => {
    await writeFile(file, 'sound')
    t.is((await readdir(path)).length, 1)
  })
  t.deepEqual(await readdir(path), [])
  const failing = folder.withFile(async (file) => {
    await writeFile(file, 'sound')
    throw new Error('it broke')
  })
  await t.throwsAsync(failing, { message: 'it broke' })
  t.deepEqual(await readdir(path), [])
})

test('two files at the same time have paths of their own', async (t) => {
  const folder = await openWorkFolder(await aFolder(t), aLog())
  await folder.withFile((one) => folder.withFile((other) => Promise.resolve(t.not(one, other))))
})

test('what a killed process left is cleared at the next start, and what a living one has is not', async (t) => {
  const path = await aFolder(t)
  const writer = fork(join(import.meta.dirname, '../../support/half-writer.js'), [path])
  t.teardown(() => writer.kill('SIGKILL'))
  await once(writer, 'message')
  const log = aLog()
  await openWorkFolder(path, log)
  t.is((await readdir(path)).length, 1)
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  await openWorkFolder(path, log)
  t.deepEqual(await readdir(path), [])
  t.deepEqual(log.lines, [
    { level: 'warn', message: 'removed recordings that a crash left behind', facts: { files: 1 } },
  ])
})
