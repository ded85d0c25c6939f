import test from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { openDecoder } from '../../../infra/speech/asr/decoder.ts'
import { whisperFiles } from '../../../infra/speech/asr/files.ts'
import { openFirstToken } from '../../../infra/speech/asr/first-token.ts'
import type { Recogniser } from '../../../infra/speech/asr/recogniser.ts'
import { openThreaded } from '../../../infra/speech/asr/threaded.ts'
import { openMelEncoder } from '../../../infra/speech/asr/whisper/mel-encoder.ts'
import type { WhisperOptions } from '../../../infra/speech/asr/whisper/whisper.ts'
import { logMel } from '../../../infra/speech/audio/mel.ts'
import { aFetchedModel } from '../../support/models.ts'
import { englishFixture } from '../../support/english.ts'
import { speechFixtures } from '../../support/recordings.ts'

const second = 16_000
let whisper: Recogniser

test.before(async (t) => {
  t.timeout(300_000, 'the first run fetches the model')
  whisper = await open({})
})
test.after.always(() => whisper.close())

test('a sentence comes out as words with times, and the event loop stays free', async (t) => {
  const { samples } = await englishFixture()
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  t.teardown(() => clearInterval(timer))
  const [transcript] = await whisper.transcribe([samples], {})
  t.true(turns > 10, `${turns} turns`)
  t.is(transcript!.language, 'en')
  t.regex(transcript!.text, /^The old clock in the hallway stopped at noon/)
  t.is(transcript!.words.map(({ text }) => text).join(' '), transcript!.text)
  let before = 0
  for (const { start, end } of transcript!.words) {
    t.true(start >= before - 1e-9 && end > start && end <= samples.length / second)
    before = end
  }
  t.true(transcript!.confidence > 0.5 && transcript!.noSpeech < 0.3)
})

test('Hindi comes out in Devanagari, without loops', async (t) => {
  const clips = (await speechFixtures()).map(({ samples }) => samples)
  for (const { text, words } of await whisper.transcribe(clips, { language: 'hi' })) {
    t.notRegex(text, /[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Gujarati}]/u)
    t.true(words.length < 40, text)
  }
})

test('clips that are decoded together come out as they do alone', async (t) => {
  const batching = await open({ batch: 4, wordTimes: false })
  t.teardown(() => batching.close())
  const clips = [...(await speechFixtures()), await englishFixture()].map(({ samples }) => samples)
  const together = await batching.transcribe(clips, { language: 'hi' })
  for (const [index, clip] of clips.entries())
    t.deepEqual(await batching.transcribe([clip], { language: 'hi' }), [together[index]!])
})

test('a few first tokens are as likely as to the whole decoder, to the bit', async (t) => {
  const files = whisperFiles(await aFetchedModel('whisper-tiny'))
  const encoder = await openMelEncoder(files.encoder, { config: { melBins: 80, encoderFrames: 1500 }, threads: 1 })
  const [english, hindi, start] = [50_259, 50_276, 50_258]
  const first = await openFirstToken(files, { threads: 1, after: start, among: [hindi, english] })
  const whole = await openDecoder({ ...files, batch: false }, 1)
  t.teardown(() => Promise.all([encoder.close(), first.close(), whole.close()]))
  const { samples } = await englishFixture()
  const heard = await encoder.encode(logMel(samples, { bins: 80, padToSeconds: 30 }).data)
  const { logits } = await whole.prompt(await whole.attend(heard), [start], { positions: [0], attentionOf: [] })
  const likely = await first.logitsOf(heard)
  t.deepEqual([...likely], [logits[hindi], logits[english]])
  t.true(likely[1]! > likely[0]!)
})

test('nothing is written for silence, noise and tones', async (t) => {
  let state = 1
  const noise = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5
  const sounds = {
    silence: new Float32Array(3 * second),
    hum: Float32Array.from({ length: 3 * second }, (_, i) => 0.0003 * Math.sin((2 * Math.PI * 50 * i) / second)),
    noise: Float32Array.from({ length: 3 * second }, () => 0.05 * noise()),
    tone: Float32Array.from({ length: 3 * second }, (_, i) => 0.3 * Math.sin((2 * Math.PI * 440 * i) / second)),
  }
  const transcripts = await whisper.transcribe(Object.values(sounds), { language: 'en' })
  for (const [index, name] of Object.keys(sounds).entries()) t.is(transcripts[index]!.text, '', name)
})

test('what the model cannot take is refused with a sentence', async (t) => {
  await t.throwsAsync(whisper.transcribe([new Float32Array(31 * second)], {}), {
    instanceOf: FailureError,
    message: /31.0 s is longer than the 30 s/,
  })
  await t.throwsAsync(whisper.transcribe([], { language: 'tlh' }), {
    instanceOf: FailureError,
    message: /does not know the language tlh/,
  })
  t.deepEqual(await whisper.transcribe([], {}), [])
})

test('an aborted request is given up at once', async (t) => {
  const { samples } = await englishFixture()
  const controller = new AbortController()
  const asked = whisper.transcribe([samples], { signal: controller.signal })
  controller.abort(new Error('no longer wanted'))
  await t.throwsAsync(asked, { message: 'no longer wanted' })
})

async function open(options: Partial<WhisperOptions>): Promise<Recogniser> {
  const files = whisperFiles(await aFetchedModel('whisper-tiny'))
  return openThreaded({
    kind: 'whisper',
    options: { id: 'whisper-tiny', files, threads: 1, languages: ['en', 'hi'], ...options },
    lanes: 1,
  })
}
