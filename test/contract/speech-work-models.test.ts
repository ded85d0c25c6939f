import test from 'ava'

import { encodeWav } from '../../infra/speech/audio/wav.ts'
import { openRecognition } from '../../infra/speech/work/open-recognition.ts'
import { composeWork } from '../../infra/speech/work/speech-work.ts'
import type { Recognition } from '../../infra/speech/work/speech-work.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import { cacheFolderForTests } from '../support/nats.ts'
import { speechFixtures } from '../support/recordings.ts'
import { joinedSamples } from '../support/samples.ts'
import { speechWorkContract } from './speech-work.ts'

const pause = new Float32Array(6 * 16_000)

let recognition: Recognition
let speech: Uint8Array
let silence: Uint8Array
test.before(async () => {
  const clips = (await speechFixtures()).map(({ samples }) => samples)
  speech = encodeWav({ samples: joinedSamples([clips[0]!, pause, clips[1]!]), extra: new Map() })
  silence = encodeWav({ samples: pause, extra: new Map() })
  recognition = openRecognition({
    cacheDir: cacheFolderForTests(),
    modelDir: '',
    profile: 'fast',
    maxSeconds: 60,
    fileSlots: 20,
    startProgress: noProgress,
  })
})
test.after.always(() => recognition.close())

speechWorkContract(test, () =>
  Promise.resolve({
    speech,
    silence,
    settings: { script: 'native', channels: 'mix', language: 'hi' },
    // the models stay for the next test
    open: (around) => composeWork({ ...recognition, close: () => Promise.resolve() }, around),
  }),
)
