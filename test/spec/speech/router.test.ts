import test from 'ava'

import type { Transcript } from '../../../infra/speech/asr/recogniser.ts'
import { createRouter } from '../../../infra/speech/asr/router.ts'
import type { HearOptions, Routed, RouterModels } from '../../../infra/speech/asr/router.ts'
import { aRecogniser, aTranscript } from '../../support/recognisers.ts'
import type { FakeRecogniser } from '../../support/recognisers.ts'

const clip = new Float32Array(16_000)
const sure = { hi: 0.95, en: 0.05 }
const torn = { hi: 0.5, en: 0.5 }

test('a language that was asked for is heard as that, and nothing is detected', async (t) => {
  const models = fakes({ en: aTranscript('good morning') })
  const { model, transcript } = await models.hear({ language: 'en' })
  t.is(model, 'en')
  t.is(transcript.text, 'good morning')
  t.is(models.detections(), 0)
  t.is(models.hi.asked.length + models.fallback.asked.length, 0)
})

test('a language that is clear is heard by its recogniser alone', async (t) => {
  const models = fakes({ hi: aTranscript('नमस्ते', { language: 'hi' }), detected: sure })
  t.is((await models.hear()).model, 'hi')
  t.is(models.detections(), 1)
  t.is(models.hi.asked[0]!.language, 'hi')
  t.is(models.en.asked.length, 0)
})

test('where two languages are close, both recognisers hear it and the surer is kept', async (t) => {
  const hi = aTranscript('नमस्ते', { confidence: 0.6 })
  t.is((await fakes({ hi, en: aTranscript('numb stay', { confidence: 0.5 }) }).hear()).model, 'hi')
  t.is((await fakes({ hi, en: aTranscript('no must day', { confidence: 0.7 }) }).hear()).model, 'en')
})

test('a recogniser that hears no words in a foreign language does not silence the one that does', async (t) => {
  const hi = aTranscript('कल उन्होंने', { confidence: 0.84 })
  const en = aTranscript('', { confidence: 0.88, noSpeech: 0 })
  t.is((await fakes({ hi, en }).hear()).transcript.text, 'कल उन्होंने')
})

test('a recogniser that is sure that nobody speaks outweighs words in doubt', async (t) => {
  const hi = aTranscript('', { noSpeech: 0.9, flags: ['no-speech'] })
  const en = aTranscript('you', { confidence: 0.5 })
  t.is((await fakes({ hi, en }).hear()).transcript.text, '')
})

test('a doubtful transcript is heard again by the fallback, and the better of the two is kept unmarked', async (t) => {
  const models = fakes({ en: aTranscript('mumble', { confidence: 0.4 }), fallback: aTranscript('marble') })
  const { model, transcript } = await models.hear({ language: 'en' })
  t.is(model, 'fallback')
  t.is(transcript.text, 'marble')
  t.deepEqual(transcript.flags, [])
  t.is(models.fallback.asked[0]!.language, 'en')
})

test('a transcript in no doubt gets no second opinion', async (t) => {
  const models = fakes({ en: aTranscript('clear', { confidence: 0.5 }) })
  await models.hear({ language: 'en' })
  t.is(models.fallback.asked.length, 0)
})

test('what neither could make sense of is marked doubtful, in the better version', async (t) => {
  const { model, transcript } = await fakes({
    en: aTranscript('mumble', { confidence: 0.4 }),
    fallback: aTranscript('jumble', { confidence: 0.3 }),
  }).hear({ language: 'en' })
  t.is(model, 'en')
  t.is(transcript.text, 'mumble')
  t.deepEqual(transcript.flags, ['doubtful'])
})

for (const [what, better] of [
  ['hardly any confidence', { confidence: 0.15 }],
  ['little confidence and no voice', { confidence: 0.4, noSpeech: 0.7 }],
] as const)
  test(`words with ${what} are taken for noise and left out`, async (t) => {
    const { transcript } = await fakes({
      en: aTranscript('thank you', better),
      fallback: aTranscript('you', { confidence: 0.1 }),
    }).hear({ language: 'en' })
    t.is(transcript.text, '')
    t.deepEqual(transcript.words, [])
    t.deepEqual(transcript.flags, ['not speech'])
  })

for (const flag of ['looped', 'capped', 'repetitive', 'foreign-script'])
  test(`a transcript that a guard found ${flag} counts half`, async (t) => {
    const models = fakes({
      en: aTranscript('la la la', { confidence: 0.8, flags: [flag] }),
      fallback: aTranscript('a song', { confidence: 0.5 }),
    })
    t.is((await models.hear({ language: 'en' })).model, 'fallback')
  })

for (const flag of ['unsure', 'no-speech', 'stock-phrase', 'silent'])
  test(`'${flag}' does not count against the words that came with it: their confidence says enough`, async (t) => {
    const models = fakes({ en: aTranscript('hello again', { confidence: 0.5, flags: [flag] }) })
    const { transcript } = await models.hear({ language: 'en' })
    t.is(transcript.text, 'hello again')
    t.is(models.fallback.asked.length, 0)
  })

test('a recogniser is no second opinion on its own words: they are marked without asking it again', async (t) => {
  const only = aRecogniser({ id: 'only' }, doubted)
  const router = createRouter({
    languages: ['hi', 'en'],
    recogniser: () => Promise.resolve(only),
    fallback: () => Promise.resolve(only),
    detector: () => Promise.reject(new Error('the language was given')),
    close: () => Promise.resolve(),
  })
  const { transcript } = await router.hear(clip, { language: 'en' })
  t.deepEqual(transcript.flags, ['doubtful'])
  t.is(only.asked.length, 1)
})

test('hotwords and the signal reach every recogniser that is asked', async (t) => {
  const models = fakes({ hi: doubted(), en: doubted(), fallback: doubted() })
  const { signal } = new AbortController()
  await models.hear({ hotwords: ['Vaak'], signal })
  for (const { asked } of [models.hi, models.en, models.fallback]) {
    t.deepEqual(asked[0]!.hotwords, ['Vaak'])
    t.is(asked[0]!.signal, signal)
  }
})

test('a recogniser is not told of a language that it does not know', async (t) => {
  const models = fakes({ en: aTranscript('vanakkam') })
  await models.hear({ language: 'ta' })
  t.false('language' in models.en.asked[0]!)
})

function doubted(): Transcript {
  return aTranscript('mumble', { confidence: 0.3 })
}

interface Given {
  readonly hi?: Transcript
  readonly en?: Transcript
  readonly fallback?: Transcript
  readonly detected?: Readonly<Record<string, number>>
}

interface Fakes {
  readonly hi: FakeRecogniser
  readonly en: FakeRecogniser
  readonly fallback: FakeRecogniser
  detections(): number
  hear(options?: HearOptions): Promise<Routed>
}

function fakes(given: Given): Fakes {
  const nothing = aTranscript('')
  const hi = aRecogniser({ id: 'hi', languages: ['hi'] }, () => given.hi ?? nothing)
  const en = aRecogniser({ id: 'en', languages: ['en'] }, () => given.en ?? nothing)
  const fallback = aRecogniser({ id: 'fallback' }, () => given.fallback ?? nothing)
  let detections = 0
  const models: RouterModels = {
    languages: ['hi', 'en'],
    recogniser: (language) => Promise.resolve(language === 'hi' ? hi : en),
    fallback: () => Promise.resolve(fallback),
    detector: () =>
      Promise.resolve({
        identify: () => {
          detections += 1
          return Promise.resolve(given.detected ?? torn)
        },
        close: () => Promise.resolve(),
      }),
    close: () => Promise.resolve(),
  }
  const router = createRouter(models)
  return { hi, en, fallback, detections: () => detections, hear: (options = {}) => router.hear(clip, options) }
}
