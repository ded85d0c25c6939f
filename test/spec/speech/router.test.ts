import test from 'ava'

import type { Transcript, Word } from '../../../infra/speech/asr/recogniser.ts'
import { createRouter } from '../../../infra/speech/asr/router.ts'
import type { ClipOptions, Routed, RouterModels } from '../../../infra/speech/asr/task.ts'
import { untilAborted } from '../../../infra/timing/until-aborted.ts'
import { eventually } from '../../support/eventually.ts'
import { aRecogniser, aTranscript, aWord } from '../../support/recognisers.ts'
import type { FakeRecogniser } from '../../support/recognisers.ts'

const clip = new Float32Array(8 * 16_000)
const hindi = aTranscript('हम कल मिलेंगे', { language: 'hi', confidence: 0.8 })

test('a language that was asked for is heard as that, and nothing is detected', async (t) => {
  const models = fakes({ en: aTranscript('good morning') })
  const { model, transcript } = await models.hear({ language: 'en' })
  t.is(model, 'en')
  t.is(transcript.text, 'good morning')
  t.is(models.detections(), 0)
  t.is(models.first.asked.length + models.fallback.asked.length, 0)
})

test('what nobody named a language for is heard in one pass, and nothing is detected', async (t) => {
  const models = fakes({ first: hindi })
  const { model, transcript } = await models.hear()
  t.is(model, 'first')
  t.is(transcript.text, 'हम कल मिलेंगे')
  t.is(models.detections(), 0)
  t.is(models.en.asked.length + models.fallback.asked.length, 0)
})

const mixed = aTranscript(
  [
    inHindi('उसने', 0, 0.4),
    inHindi('कहा', 0.5, 0.9),
    inEnglish('pleese', 1.1, 1.5),
    inEnglish('cal', 1.6, 1.9),
    inEnglish('me', 2, 2.2),
    inEnglish('beck', 2.3, 2.7),
    inHindi('फिर', 3, 3.3),
    inHindi('गया', 3.4, 3.8),
  ],
  { language: 'hi' },
)
const again = aTranscript([
  aWord('Please', 0.1, 0.4),
  aWord('call', 0.5, 0.8),
  aWord('me', 0.9, 1.1),
  aWord('back.', 1.2, 1.5),
])

test('a stretch of English is heard again by who hears English best, and put back in its place', async (t) => {
  const models = fakes({ first: mixed, en: again })
  const { model, transcript } = await models.hear()
  t.is(model, 'first')
  t.is(transcript.text, 'उसने कहा Please call me back. फिर गया')
  t.is(models.en.asked.length, 1)
  t.is(models.en.asked[0]!.language, 'en')
  t.deepEqual(
    transcript.words.map(({ language, model: by }) => `${language} ${by}`),
    ['hi first', 'hi first', 'en en', 'en en', 'en en', 'en en', 'hi first', 'hi first'],
  )
  let at = 0
  for (const { start, end } of transcript.words) {
    t.true(start >= at && end >= start)
    at = end
  }
})

test('the stretch is cut half-way to the words around it', async (t) => {
  const models = fakes({ first: mixed, en: again })
  await models.hear()
  const [heard] = models.en.asked[0]!.clips
  t.is(heard!.length, Math.round(((2.7 + 3) / 2) * 16_000) - Math.round(((0.9 + 1.1) / 2) * 16_000))
})

test('Hindi that a pause parts from a stretch of English is heard again by itself', async (t) => {
  const turns = aTranscript([
    inHindi('सब', 0, 0.4),
    inHindi('कर', 0.5, 0.9),
    inHindi('देखती', 1, 1.4),
    ...['please', 'call', 'me'].map((text, at) => inEnglish(text, 2 + at / 2, 2.4 + at / 2)),
  ])
  const alone = aTranscript([inHindi('सब्र', 0, 0.4), inHindi('करो', 0.5, 0.9), inHindi('देखती', 1, 1.4)])
  const models = fakes({ first: turns, alone })
  t.is((await models.hear()).transcript.text, 'सब्र करो देखती please call me')
  t.deepEqual(
    models.first.asked.map(({ clips }) => clips.map(({ length }) => length / 16_000)),
    [[8], [1.7]],
  )
})

for (const [what, en] of [
  ['nothing', aTranscript('')],
  ['something else altogether', aTranscript('thank you for watching this video')],
  ['hardly anything that it is sure of', { ...again, confidence: 0.3 }],
] as const)
  test(`what was heard first stays where the second hears ${what}`, async (t) => {
    t.is((await fakes({ first: mixed, en }).hear()).transcript.text, mixed.text)
  })

test('English that the first wrote in Devanagari is put into Latin letters, and is English', async (t) => {
  const first = aTranscript([inHindi('कल', 0, 0.4), inHindi('मीटिंग', 0.5, 1), inHindi('है', 1.1, 1.4)])
  const { transcript } = await fakes({ first }).hear()
  t.is(transcript.text, 'कल meeting है')
  t.deepEqual(
    transcript.words.map(({ language }) => language),
    ['hi', 'en', 'hi'],
  )
})

test('a single English word stays with the sentence it was said in', async (t) => {
  const first = aTranscript([inHindi('आज', 0, 0.4), inEnglish('responsibility', 0.5, 1.6), inHindi('है', 1.7, 2)])
  const models = fakes({ first })
  t.is((await models.hear()).transcript.text, first.text)
  t.is(models.en.asked.length, 0)
})

test('the language of a chunk is that of most of its speech', async (t) => {
  t.is((await fakes({ first: mixed, en: again }).hear()).transcript.language, 'hi')
  const english = aTranscript([inHindi('हाँ', 0, 0.2), ...again.words.map((word) => ({ ...word, language: 'en' }))])
  t.is((await fakes({ first: english }).hear()).transcript.language, 'en')
})

test('what the first makes no sense of is heard in another language when the detector is sure of one', async (t) => {
  const models = fakes({ first: doubted(), fallback: aTranscript('வணக்கம்', { language: 'ta' }), detected: { ta: 0.8 } })
  const { model, transcript } = await models.hear()
  t.is(model, 'fallback')
  t.is(transcript.text, 'வணக்கம்')
  t.is(models.fallback.asked[0]!.language, 'ta')
})

test('of what is not finished nobody else is asked, and what makes no sense yet is left out', async (t) => {
  const models = fakes({ first: doubted(), fallback: aTranscript('வணக்கம்', { language: 'ta' }), detected: { ta: 0.8 } })
  const { transcript } = await models.hear({ isUnfinished: () => true })
  t.deepEqual([transcript.text, transcript.words], ['', []])
  t.is(models.detections() + models.fallback.asked.length, 0)
  t.is((await fakes({ first: mixed, en: again }).hear({ isUnfinished: () => true })).transcript.words.length, 8)
})

for (const detected of [{ ta: 0.6 }, { hi: 0.9 }, { en: 0.9 }, { fr: 0.6 }])
  test(`what the first makes no sense of is marked where the detector says ${JSON.stringify(detected)}`, async (t) => {
    const models = fakes({ first: doubted(), detected })
    const { transcript } = await models.hear()
    t.deepEqual(transcript.flags, ['doubtful'])
    t.is(models.fallback.asked.length, 0)
  })

test('what is surely in a language that nobody here knows is left out, and said to be so', async (t) => {
  const models = fakes({ first: doubted(), detected: { fr: 0.9 } })
  const { transcript } = await models.hear()
  t.deepEqual(transcript.words, [])
  t.deepEqual(transcript.flags, ['other-language'])
})

test('a doubtful transcript is heard again by the fallback, and the better of the two is kept unmarked', async (t) => {
  const models = fakes({ en: aTranscript('mumble', { confidence: 0.4 }), fallback: aTranscript('marble') })
  const { model, transcript } = await models.hear({ language: 'en' })
  t.is(model, 'fallback')
  t.is(transcript.text, 'marble')
  t.deepEqual(transcript.flags, [])
  t.is(models.fallback.asked[0]!.language, 'en')
})

test('speech of which a recogniser says nothing is heard again by the fallback', async (t) => {
  const nothing = aTranscript('', { confidence: 0.7, noSpeech: 0 })
  const models = fakes({ en: nothing, fallback: aTranscript('the quick brown fox', { confidence: 0.8 }) })
  const { model, transcript } = await models.hear({ language: 'en' })
  t.deepEqual([model, transcript.text], ['fallback', 'the quick brown fox'])
})

test('speech of which the first says nothing, for no reason, may be in another language', async (t) => {
  const first = aTranscript('', { confidence: 0.7, noSpeech: 0 })
  const fallback = aTranscript('வணக்கம்', { language: 'ta', confidence: 0.6 })
  t.is((await fakes({ first, fallback, detected: { ta: 0.9 } }).hear()).transcript.text, 'வணக்கம்')
})

test('where the first says why it wrote no word, nobody else is asked', async (t) => {
  const models = fakes({ first: aTranscript('', { noSpeech: 0.1, flags: ['no-speech'] }), detected: { ta: 0.9 } })
  t.is((await models.hear()).transcript.text, '')
  t.is(models.detections() + models.fallback.asked.length, 0)
})

test('what a recogniser surely takes for silence gets no second opinion', async (t) => {
  const models = fakes({ en: aTranscript('', { noSpeech: 0.9 }) })
  t.is((await models.hear({ language: 'en' })).transcript.text, '')
  t.is(models.fallback.asked.length, 0)
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
    again: [],
    first: () => Promise.resolve(only),
    recogniser: () => Promise.resolve(only),
    fallback: () => Promise.resolve(only),
    detector: () => Promise.reject(new Error('the language was given')),
    close: () => Promise.resolve(),
  })
  const { transcript } = await router.transcribe(clip, { language: 'en' })
  t.deepEqual(transcript.flags, ['doubtful'])
  t.is(only.asked.length, 1)
})

test('what the first hears of a language that it knows gets no second opinion, in doubt or not', async (t) => {
  const models = fakes({ first: doubted(), fallback: aTranscript('', { noSpeech: 0.9 }) })
  const { transcript } = await models.hear({ language: 'hi' })
  t.deepEqual([transcript.text, transcript.flags], ['mumble', ['doubtful']])
  t.is(models.fallback.asked.length, 0)
})

const ending = aTranscript(
  [
    inHindi('उसने', 5.5, 5.9),
    inEnglish('pleese', 6.2, 6.6),
    inEnglish('cal', 6.7, 7),
    inEnglish('me', 7.1, 7.3),
    inEnglish('beck', 7.4, 7.8),
  ],
  { language: 'hi' },
)

test('a stretch that was foreseen is heard while the first hears the clip, and put where it was heard', async (t) => {
  const models = fakes({ first: ending, en: again })
  const { transcript } = await models.hear({ foreseen: { language: 'en', start: 6.1 } })
  t.is(transcript.text, 'उसने Please call me back.')
  t.is(transcript.words[1]!.start, 6.1 + 0.1)
  t.is(models.en.asked.length, 1)
  t.is(models.en.asked[0]!.clips[0]!.length, clip.length - 6.1 * 16_000)
})

for (const [what, foreseen] of [
  ['somewhere else', { language: 'en', start: 2 }],
  ['in another language', { language: 'hi', start: 6.1 }],
] as const)
  test(`a stretch that is foreseen ${what} is heard as it is`, async (t) => {
    const models = fakes({ first: ending, en: again })
    t.deepEqual(
      (await models.hear({ foreseen })).transcript,
      (await fakes({ first: ending, en: again }).hear()).transcript,
    )
  })

test('what fails in a stretch that was foreseen and is not there fails nothing', async (t) => {
  const models = fakes({ first: aTranscript([inHindi('उसने', 0, 0.4)]), en: new Error('out of memory') })
  t.is((await models.hear({ foreseen: { language: 'en', start: 0 } })).transcript.text, 'उसने')
})

test('what the first heard is told before anybody hears a part of it again', async (t) => {
  const models = fakes({ first: mixed, en: again })
  const told: string[] = []
  await models.hear({ heardFirst: ({ text }) => told.push(`${text}, ${models.en.asked.length} asked`) })
  t.deepEqual(told, [`${mixed.text}, 0 asked`])
})

test('what is not heard again in time stays as it was heard first, and nobody hears it to its end', async (t) => {
  for (const foreseen of [undefined, { language: 'en', start: 6.1 }]) {
    const late = new AbortController()
    const models = fakes({ first: ending, en: 'never' })
    const hearing = models.hear({ foreseen, late: late.signal })
    await eventually('English is heard', () => models.en.asked.length === 1)
    late.abort()
    t.is((await hearing).transcript.text, ending.text)
    t.true(models.en.asked[0]!.signal?.aborted)
  }
})

test('a detector that does not answer in time is not waited for, and what was heard is marked', async (t) => {
  const late = new AbortController()
  const models = fakes({ first: doubted(), detected: 'never' })
  const hearing = models.hear({ late: late.signal })
  await eventually('the detector is asked', () => models.detections() === 1)
  late.abort()
  const { transcript } = await hearing
  t.deepEqual([transcript.text, transcript.flags], ['mumble', ['doubtful']])
  const inTime = fakes({ first: doubted(), fallback: aTranscript('வணக்கம்', { language: 'ta' }), detected: { ta: 0.8 } })
  t.is((await inTime.hear({ late: new AbortController().signal })).transcript.text, 'வணக்கம்')
})

test('hotwords and the signal reach every recogniser that is asked', async (t) => {
  const { signal } = new AbortController()
  const models = fakes({ first: mixed, en: again })
  await models.hear({ hotwords: ['Vaak'], signal })
  const inDoubt = fakes({ first: doubted(), fallback: doubted(), detected: { ta: 0.9 } })
  await inDoubt.hear({ hotwords: ['Vaak'], signal })
  for (const { asked } of [models.first, models.en, inDoubt.fallback]) {
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

function inHindi(text: string, start: number, end: number): Word {
  return { ...aWord(text, start, end), language: 'hi' }
}

function inEnglish(text: string, start: number, end: number): Word {
  return { ...aWord(text, start, end), language: 'en' }
}

function endless(recogniser: FakeRecogniser): FakeRecogniser {
  return {
    ...recogniser,
    async transcribe(clips, options) {
      await recogniser.transcribe(clips, options)
      return untilAborted(options.signal!, () => new Promise(() => undefined))
    },
  }
}

interface Given {
  readonly first?: Transcript
  /** What the first hears in less than the clip. */
  readonly alone?: Transcript
  /** Never: it hears until nobody wants it any more. */
  readonly en?: Transcript | Error | 'never'
  readonly fallback?: Transcript
  /** Never: it does not come to an end. */
  readonly detected?: Readonly<Record<string, number>> | 'never'
}

interface Fakes {
  readonly first: FakeRecogniser
  readonly en: FakeRecogniser
  readonly fallback: FakeRecogniser
  detections(): number
  hear(options?: ClipOptions): Promise<Routed>
}

function fakes(given: Given): Fakes {
  const nothing = aTranscript('')
  const first = aRecogniser({ id: 'first', languages: ['hi', 'en'] }, ({ length }) =>
    length < clip.length && given.alone ? given.alone : (given.first ?? nothing),
  )
  const answering = aRecogniser({ id: 'en', languages: ['en'] }, () => {
    if (given.en instanceof Error) throw given.en
    return given.en === undefined || given.en === 'never' ? nothing : given.en
  })
  const en = given.en === 'never' ? endless(answering) : answering
  const fallback = aRecogniser({ id: 'fallback', languages: ['hi', 'en', 'ta'] }, () => given.fallback ?? nothing)
  let detections = 0
  const models: RouterModels = {
    again: ['en'],
    first: () => Promise.resolve(first),
    recogniser: (language) => Promise.resolve(language === 'hi' ? first : en),
    fallback: () => Promise.resolve(fallback),
    detector: () =>
      Promise.resolve({
        identify: () => {
          detections += 1
          return given.detected === 'never' ? new Promise(() => undefined) : Promise.resolve(given.detected ?? {})
        },
        close: () => Promise.resolve(),
      }),
    close: () => Promise.resolve(),
  }
  const router = createRouter(models)
  return { first, en, fallback, detections: () => detections, hear: (options = {}) => router.transcribe(clip, options) }
}
