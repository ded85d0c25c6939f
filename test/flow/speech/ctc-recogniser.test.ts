import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { openCtcRecogniser } from '../../../infra/speech/asr/ctc/recogniser.ts'
import type { CtcRecogniserOptions } from '../../../infra/speech/asr/ctc/recogniser.ts'
import type { Recogniser } from '../../../infra/speech/asr/recogniser.ts'
import { bundledModels } from '../../../infra/speech/models/bundled.ts'
import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import { speechFixtures } from '../../support/recordings.ts'

const second = 16_000
let recogniser: Recogniser

test.before(async () => {
  recogniser = await openCtcRecogniser(files())
})

test.after.always(() => recogniser.close())

test('Hindi speech comes out as text that one recognises', async (t) => {
  const clips = await speechFixtures()
  const heard = await recogniser.transcribe(samplesOf(clips), {})
  const rates = errorRates(clips.map(({ text }, i) => ({ said: text, heard: heard[i]!.text })))
  t.true(rates.characterErrorRate < 0.3, `character error rate ${rates.characterErrorRate}`)
  for (const { language, confidence, noSpeech } of heard) {
    t.is(language, 'hi')
    t.true(confidence > 0.3 && confidence <= 1 && noSpeech < 0.01)
  }
})

test('the language model helps', async (t) => {
  const { lmPath: _, ...greedy } = files()
  const clips = await speechFixtures()
  const rateOf = async (opened: Recogniser) => {
    const heard = await opened.transcribe(samplesOf(clips), {})
    return errorRates(clips.map(({ text }, i) => ({ said: text, heard: heard[i]!.text }))).wordErrorRate
  }
  t.true((await rateOf(recogniser)) < (await rateOf(await aRecogniser(t, greedy))))
})

test('a batch gives exactly what its clips give one by one, whatever the threads', async (t) => {
  const clips = samplesOf(await speechFixtures())
  const together = await aRecogniser(t, { ...files(), workers: 2, threadsEach: 2 })
  const singles = []
  for (const clip of clips) singles.push(...(await recogniser.transcribe([clip], {})))
  t.deepEqual(await together.transcribe(clips, {}), singles)
  t.deepEqual(await together.transcribe(clips.toReversed(), {}), singles.toReversed())
})

test('words follow each other within the clip and make up the text', async (t) => {
  for (const { samples } of await speechFixtures()) {
    const [heard] = await recogniser.transcribe([samples], {})
    t.is(heard!.words.map(({ text }) => text).join(' '), heard!.text)
    let at = 0
    for (const word of heard!.words) {
      t.true(word.start >= at && word.end > word.start && word.confidence > 0 && word.confidence <= 1)
      at = word.end
    }
    t.true(at <= samples.length / second + 0.03)
  }
})

test('words come later by as much as silence was put before them', async (t) => {
  const [clip] = samplesOf(await speechFixtures())
  const later = new Float32Array(clip!.length + 2 * second)
  later.set(clip!, 2 * second)
  const [now, then] = await recogniser.transcribe([clip!, later], {})
  t.true(Math.abs(then!.words[0]!.start - now!.words[0]!.start - 2) < 0.1)
})

for (const [name, audio] of Object.entries(inputsWithoutSpeech()))
  test(`${name} has no words`, async (t) => {
    const [heard] = await recogniser.transcribe([audio], {})
    t.deepEqual([heard!.text, heard!.words], ['', []])
  })

test('a clip beyond the window is refused with the limit', async (t) => {
  await t.throwsAsync(recogniser.transcribe([new Float32Array(31 * second)], {}), {
    message: /31\.0 s is longer than the 30 s/,
  })
})

test('a full window and the shortest clips are taken', async (t) => {
  const clips = [30 * second, 1700, 100, 0].map((length) => new Float32Array(length))
  t.is((await recogniser.transcribe(clips, {})).length, 4)
})

test('recognising does not hold up the event loop', async (t) => {
  const working = recogniser.transcribe([new Float32Array(30 * second)], {})
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  t.teardown(() => clearInterval(timer))
  await working
  t.true(turns > 20, `only ${turns} turns of the event loop while a thread was computing`)
})

test('an aborted request is rejected at once and the recogniser goes on', async (t) => {
  const abort = new AbortController()
  const working = recogniser.transcribe([new Float32Array(20 * second)], { signal: abort.signal })
  abort.abort(new Error('the caller has gone'))
  await t.throwsAsync(working, { message: 'the caller has gone' })
  t.is((await recogniser.transcribe([new Float32Array(second)], {})).length, 1)
})

test('a model that is not there, or not a model, is an error when it is opened', async (t) => {
  await t.throwsAsync(openCtcRecogniser(withFiles({ modelPath: '/nowhere/model.onnx' })), { message: /nowhere/ })
  await t.throwsAsync(openCtcRecogniser(withFiles({ lmPath: files().vocabularyPath })), {
    message: /not a language model/,
  })
  await t.throwsAsync(openCtcRecogniser(withFiles({ modelPath: files().vocabularyPath })))
})

async function aRecogniser(t: ExecutionContext, given: CtcRecogniserOptions): Promise<Recogniser> {
  const opened = await openCtcRecogniser(given)
  t.teardown(() => opened.close())
  return opened
}

function files() {
  const folder = join(bundledModels(), 'hinglish-ctc')
  return {
    id: 'vaak-hinglish-base',
    workers: 1,
    threadsEach: 1,
    modelPath: join(folder, 'base.int8.onnx'),
    vocabularyPath: join(folder, 'vocab.json'),
    lmPath: join(folder, 'lm.bin'),
  }
}

function withFiles(other: Partial<CtcRecogniserOptions>): CtcRecogniserOptions {
  return { ...files(), ...other }
}

function samplesOf(clips: readonly { samples: Float32Array }[]): Float32Array[] {
  return clips.map(({ samples }) => samples)
}

function inputsWithoutSpeech(): Record<string, Float32Array> {
  const audio = (at: (i: number) => number) => Float32Array.from({ length: 6 * second }, (_, i) => at(i))
  const tone = (hertz: number) => (i: number) => 0.3 * Math.sin((2 * Math.PI * hertz * i) / second)
  let state = 1
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  return {
    silence: audio(() => 0),
    'white noise': audio(() => 0.3 * noise()),
    'noise that swells like speech': audio((i) => noise() * (0.15 + 0.15 * Math.sin((2 * Math.PI * 4 * i) / second))),
    'a tone': audio(tone(425)),
    'a tone that swells like speech': audio(
      (i) => tone(300)(i) * (0.5 + 0.5 * Math.sin((2 * Math.PI * 4 * i) / second)),
    ),
  }
}
