import { join } from 'node:path'

import test from 'ava'

import type { SpeechEngine } from '../../../infra/speech/engine/engine.ts'
import { openEngine } from '../../../infra/speech/engine/open-engine.ts'
import { noProgress } from '../../../infra/telemetry/progress.ts'
import { aFolder } from '../../support/folder.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { noises } from '../../support/noises.ts'
import { writeWav } from '../../support/wav-file.ts'

let engine: SpeechEngine
test.before(async () => {
  engine = await openEngine({
    cacheDir: cacheFolderForTests(),
    modelDir: '',
    profile: 'fast',
    startProgress: noProgress,
  })
})
test.after.always(() => engine.close())

for (const [name, make] of Object.entries(noises))
  test.serial(`${name} is written down as no words, in whatever language it is heard`, async (t) => {
    const path = await writeWav(join(await aFolder(t), 'noise.wav'), make())
    for (const language of [undefined, 'hi', 'en']) {
      const result = await engine.transcribe(path, {
        script: 'native',
        channels: 'mix',
        speechInformation: false,
        ...(language && { language }),
      })
      t.is(result.text, '', language ?? 'auto')
      t.deepEqual(result.segments, [])
      t.is(result.duration_seconds, 6)
    }
  })
