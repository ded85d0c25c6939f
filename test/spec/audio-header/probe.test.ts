import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { isRetryable } from '../../../actors/failure.ts'
import { audioProbe } from '../../../infra/speech/audio/header/probe.ts'
import { aFolder } from '../../support/folder.ts'
import { aWav } from '../../support/media.ts'

test('a file on disk is what its content says, whatever its name says', async (t) => {
  const path = join(await aFolder(t), 'holiday.png')
  await writeFile(path, aWav({ seconds: 2 }))
  t.deepEqual(await audioProbe().probe(path), { audio: true, contentType: 'audio/wav', durationSeconds: 2 })
})

test('a file that cannot be read back is worth another try', async (t) => {
  const error = await t.throwsAsync(audioProbe().probe(join(await aFolder(t), 'gone')))
  t.true(isRetryable(error))
})
