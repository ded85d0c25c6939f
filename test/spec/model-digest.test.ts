import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { threadTimeMs } from '../../infra/process/thread-time.ts'
import { digestOf } from '../../infra/speech/models/digest.ts'
import { codeOf } from '../../infra/process/error-code.ts'
import { aFolder } from '../support/folder.ts'

const mebibyte = 1024 * 1024

for (const size of [0, 1, mebibyte, mebibyte + 1, 3 * mebibyte + 17])
  test(`a file of ${size} bytes is hashed as it is`, async (t) => {
    const path = join(await aFolder(t), 'file')
    const content = randomBytes(size)
    await writeFile(path, content)
    t.is(await digestOf(path, 'sha256', 'hex'), createHash('sha256').update(content).digest('hex'))
    t.is(await digestOf(path, 'sha512', 'base64'), createHash('sha512').update(content).digest('base64'))
  })

test('while a large file is hashed the event loop serves others', async (t) => {
  const path = join(await aFolder(t), 'file')
  const content = Buffer.alloc(400 * mebibyte)
  await writeFile(path, content)
  const beforeMs = threadTimeMs()
  const hash = createHash('sha256').update(content).digest('hex')
  const hashedMs = threadTimeMs()
  t.is(await digestOf(path, 'sha256', 'hex'), hash)
  t.true(threadTimeMs() - hashedMs < (hashedMs - beforeMs) / 2)
})

test('a file that is not there is told from one that cannot be read', async (t) => {
  const error = await t.throwsAsync(digestOf(join(await aFolder(t), 'none'), 'sha256', 'hex'))
  t.is(codeOf(error), 'ENOENT')
})
