import { join } from 'node:path'

import test from 'ava'

import { openEngine } from '../../../infra/speech/engine/open-engine.ts'
import { noProgress } from '../../../infra/telemetry/progress.ts'
import { childProcesses } from '../../support/child-processes.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { joinedSamples } from '../../support/samples.ts'
import { writeWav } from '../../support/wav-file.ts'

const options = { script: 'native', channels: 'mix', speechInformation: false, language: 'hi' } as const

test('an aborted transcription ends and leaves no process, and the engine takes the next file', async (t) => {
  const engine = await openEngine({
    cacheDir: cacheFolderForTests(),
    modelDir: '',
    profile: 'fast',
    startProgress: noProgress,
  })
  t.teardown(() => engine.close())
  const [clip] = await speechFixtures()
  const folder = await aFolder(t)
  const short = await writeWav(join(folder, 'short.wav'), clip!.samples)
  const long = await writeWav(join(folder, 'long.wav'), joinedSamples(Array.from({ length: 150 }, () => clip!.samples)))
  const complaints: Error[] = []
  const complain = (warning: Error): void => void complaints.push(warning)
  process.on('warning', complain)
  t.teardown(() => process.off('warning', complain))
  const stopping = new AbortController()
  const run = engine.transcribe(long, {
    ...options,
    signal: stopping.signal,
    onProgress() {
      if (stopping.signal.aborted) return
      t.not(childProcesses().length, 0, 'it is still being decoded')
      stopping.abort(new Error('the caller has gone'))
    },
  })
  await t.throwsAsync(run, { message: 'the caller has gone' })
  await eventually('the decoder has ended', () => childProcesses().length === 0)
  t.not((await engine.transcribe(short, options)).text, '')
  t.deepEqual(complaints, [])
})
