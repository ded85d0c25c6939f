import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { isRetryable } from '../../../actors/failure.ts'
import type { StoredBytes } from '../../../actors/upload/ports.ts'
import { withOpenFile } from '../../../infra/speech/audio/header/file-bytes.ts'
import { audioProbe } from '../../../infra/speech/audio/header/probe.ts'
import { aFolder } from '../../support/folder.ts'
import { aWav } from '../../support/media.ts'

const probe = (bytes: StoredBytes) => audioProbe().probe(bytes)

test('a file on disk is what its content says, whatever its name says', async (t) => {
  const path = join(await aFolder(t), 'holiday.png')
  await writeFile(path, aWav({ seconds: 2 }))
  t.deepEqual(await withOpenFile(path, probe), { audio: true, contentType: 'audio/wav', durationSeconds: 2 })
})

test('a file that cannot be read back is worth another try', async (t) => {
  const broken = Object.assign(new Error('input/output error'), { syscall: 'read', code: 'EIO' })
  const error = await t.throwsAsync(probe({ sizeBytes: 100, read: () => Promise.reject(broken) }))
  t.true(isRetryable(error))
})
