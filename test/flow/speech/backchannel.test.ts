import test from 'ava'

import { recogniserRate, spokenRate } from '../../../actors/conversation/ports.ts'
import { resample } from '../../../infra/speech/audio/signal/resample.ts'
import { openVoices } from '../../../infra/speech/tts/open-voices.ts'
import { benchSpeak } from '../../bench/tts/speak.ts'
import { silentLog } from '../../support/silent-log.ts'
import { followingListener } from '../../support/following-listener.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { joinedSamples } from '../../support/samples.ts'

const places = { cacheDir: cacheFolderForTests(), modelDir: '' }
const listener = followingListener(places)
const voices = openVoices({ ...places, engine: 'light', voicesFile: '', log: silentLog })
test.after.always(() => Promise.all([listener.close(), voices.close()]))
const { signal } = new AbortController()
const heard = (samples: Float32Array) => listener.backchannelIn!(samples, { signal })
const quiet = new Float32Array(0.1 * recogniserRate)

/** By a light voice, whose words the recogniser understands worse than those of people. */
async function said(text: string, voice: string): Promise<Float32Array> {
  const { samples } = await benchSpeak(voices, voice, text)
  return joinedSamples([quiet, resample(samples, spokenRate, recogniserRate), quiet])
}

test.serial('words by which listeners say that they listen are known', async (t) => {
  t.timeout(300_000, 'the first run fetches the models')
  for (const [word, voice] of [
    ['right', 'maya'],
    ['all right', 'maya'],
    ['all right', 'rohan'],
    ['ठीक है', 'asha'],
    ['अच्छा', 'kabir'],
  ] as const)
    t.is(await heard(await said(word, voice)), word, voice)
})

test.serial('words by which people interrupt are none of them', async (t) => {
  t.timeout(300_000)
  for (const voice of ['maya', 'rohan'])
    for (const word of ['stop', 'no', 'wait', 'what'])
      t.is(await heard(await said(word, voice)), undefined, `${word} by ${voice}`)
  t.is(await heard(await said('एक मिनट', 'asha')), undefined)
})

test.serial('nor is the beginning of what real people say', async (t) => {
  t.timeout(300_000)
  for (const language of ['hindi', 'english'] as const)
    for (const { samples, text } of await speechFixtures(language)) {
      const begins = samples.findIndex((sample) => Math.abs(sample) > 0.03)
      t.is(await heard(samples.slice(begins, begins + 0.6 * recogniserRate)), undefined, text)
    }
})

test.serial('silence says nothing', async (t) => {
  t.is(await heard(new Float32Array(0.5 * recogniserRate)), undefined)
  t.is(await heard(new Float32Array(100)), undefined)
})
