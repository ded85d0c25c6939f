import test from 'ava'

import { openListener } from '../../../infra/speech/engine/listener.ts'
import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import { noProgress } from '../../../infra/telemetry/progress.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { joinedSamples } from '../../support/samples.ts'

const rate = 16_000
const pause = new Float32Array(0.4 * rate)
/** What the recogniser gets wrong of these clips one by one is less than half of it: lost turns would be all wrong. */
const mostWrong = 0.4

const listener = openListener({
  profile: 'balanced',
  whisperModel: '',
  cacheDir: cacheFolderForTests(),
  modelDir: '',
  follows: false,
  startProgress: noProgress,
})
test.after.always(() => listener.close())

for (const seconds of [31, 45, 240])
  test(`a turn of ${seconds} seconds in a language that nobody named keeps its words, to the last`, async (t) => {
    const { samples, said } = await aTurn(seconds)
    const { text } = await listener.transcribe(samples, { signal: new AbortController().signal })
    const lastWords = (words: string): string => words.split(' ').slice(-12).join(' ')
    t.true(errorRates([{ said, heard: text }]).wordErrorRate < mostWrong, text)
    t.true(errorRates([{ said: lastWords(said), heard: lastWords(text) }]).wordErrorRate < 1, lastWords(text))
  })

/** Clips in both languages, again and again, until it lasts that long. */
async function aTurn(seconds: number): Promise<{ samples: Float32Array; said: string }> {
  const clips = (await Promise.all([speechFixtures('hindi'), speechFixtures('english')])).flat()
  const parts: Float32Array[] = []
  const texts: string[] = []
  for (let at = 0, length = 0; length < seconds * rate; at += 1) {
    const { samples, text } = clips[at % clips.length]!
    parts.push(samples, pause)
    texts.push(text)
    length += samples.length + pause.length
  }
  return { samples: joinedSamples(parts), said: texts.join(' ') }
}
