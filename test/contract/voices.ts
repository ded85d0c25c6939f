import type { ExecutionContext, TestFn } from 'ava'

import { FailureError } from '../../actors/failure.ts'
import type { SpokenClause, Voices } from '../../actors/conversation/ports.ts'

const texts = [
  { language: 'hi', voice: 'asha', text: 'नमस्ते, आप कैसे हैं? मेरे पास ₹500 हैं।' },
  { language: 'ta', voice: 'kavya', text: 'வணக்கம், எப்படி இருக்கிறீர்கள்? என்னிடம் 500 ரூபாய் உள்ளது.' },
  {
    language: 'en',
    voice: 'tara',
    text: 'Good morning, Dr. Rao. It is half past ten, and the train leaves at 11:15.',
  },
] as const

const greetings: Readonly<Record<string, string>> = {
  hi: 'आप कैसे हैं?',
  ta: 'நீங்கள் எப்படி இருக்கிறீர்கள்?',
  en: 'How are you today?',
}

/** What every engine owes whoever speaks. `open` may give the same voices to every test. */
export function voicesContract(test: TestFn, open: (t: ExecutionContext) => Promise<Voices>): void {
  test('there are four Hindi, three Tamil and five English voices', async (t) => {
    const voices = (await open(t)).list()
    const count = (language: string, gender: string) =>
      voices.filter((voice) => voice.language === language && voice.gender === gender).length
    t.deepEqual([count('hi', 'female'), count('hi', 'male')], [1, 3])
    t.deepEqual([count('ta', 'female'), count('ta', 'male')], [2, 1])
    t.deepEqual([count('en', 'female'), count('en', 'male')], [2, 3])
    t.is(new Set(voices.map(({ id }) => id)).size, 12)
  })

  test('a voice is found by its id, in any case, and by the names that clients send', async (t) => {
    const voices = await open(t)
    for (const { id } of voices.list()) t.is(voices.find(id.toUpperCase())?.id, id)
    for (const name of 'alloy ash ballad coral echo sage shimmer verse marin cedar nova onyx fable'.split(' '))
      t.truthy(voices.find(name), name)
    t.is(voices.find('nobody'), undefined)
    t.is(voices.find('constructor'), undefined)
  })

  /** Once for all tests: the neural engine takes seconds of both cores for each. */
  const saidBy = new Map<string, Promise<SpokenClause[]>>()
  const said = (voices: Voices, { text, voice }: (typeof texts)[number]): Promise<SpokenClause[]> => {
    const clauses = saidBy.get(voice) ?? spoken(voices, [text], { voice })
    saidBy.set(voice, clauses)
    return clauses
  }

  for (const one of texts)
    test(`${one.language}: the clauses are the whole text, and each of its words is heard in its turn`, async (t) => {
      const voices = await open(t)
      t.is(voices.find(one.voice)?.language, one.language)
      const clauses = await said(voices, one)
      t.is(clauses.map((clause) => clause.text).join(''), one.text)
      for (const clause of clauses) {
        t.true(clause.samples.length > 24_000 * 0.2)
        t.true(
          clause.samples.some((sample) => Math.abs(sample) > 1_000),
          'it is not silence',
        )
        t.deepEqual(
          clause.words.map((word) => word.text),
          clause.text.trim().split(/\s+/),
        )
        const lengthMs = (clause.samples.length * 1_000) / 24_000
        let lastMs = 0
        for (const { startMs, endMs } of clause.words) {
          t.true(startMs >= lastMs && endMs >= startMs && endMs <= lengthMs + 1, `${startMs} to ${endMs}`)
          lastMs = startMs
        }
      }
    })

  test('the first clause is spoken before the rest of the text is written', async (t) => {
    const voices = await open(t)
    let pulled = 0
    async function* writing() {
      for (const piece of ['Yes. ', 'And then ', 'there ', 'is ', 'more. ', 'Much more.']) {
        pulled += 1
        yield piece
      }
    }
    for await (const clause of voices.speak(writing(), { voice: 'maya', signal: never() })) {
      t.is(clause.text, 'Yes. ')
      break
    }
    t.true(pulled <= 2, `${pulled} pieces were pulled`)
  })

  test('a voice at twice the speed takes about half the time, and at half the speed twice', async (t) => {
    const voices = await open(t)
    const text = 'The train leaves at a quarter past eleven.'
    const seconds = async (speed: number) => lengthOf(await spoken(voices, [text], { voice: 'rohan', speed }))
    const natural = await seconds(1)
    const share = { fast: (await seconds(2)) / natural, slow: (await seconds(0.5)) / natural }
    t.true(share.fast > 0.35 && share.fast < 0.75, `${share.fast}`)
    t.true(share.slow > 1.5 && share.slow < 2.5, `${share.slow}`)
  })

  test('a text without anything to say has no sound, and is still whole', async (t) => {
    const clauses = await spoken(await open(t), ['😀 … ', '🎉'], { voice: 'asha' })
    t.is(clauses.map(({ text }) => text).join(''), '😀 … 🎉')
    t.is(lengthOf(clauses), 0)
  })

  test('no text at all has no clauses', async (t) => {
    t.deepEqual(await spoken(await open(t), [], { voice: 'asha' }), [])
    t.deepEqual(await spoken(await open(t), ['', ''], { voice: 'asha' }), [])
  })

  test('clauses begin and end near silence, so that a join is not heard', async (t) => {
    const voices = await open(t)
    for (const one of texts)
      for (const { samples } of await said(voices, one)) {
        t.true(Math.abs(samples[0]!) < 200, `begins at ${samples[0]}`)
        t.true(Math.abs(samples.at(-1)!) < 200, `ends at ${samples.at(-1)}`)
      }
  })

  test('every voice is about as loud as the others', async (t) => {
    const voices = await open(t)
    const decibels: number[] = []
    for (const { id, language } of voices.list())
      decibels.push(decibelsOf(await spoken(voices, [greetings[language]!], { voice: id })))
    t.true(Math.max(...decibels) - Math.min(...decibels) < 6, decibels.map((level) => level.toFixed(1)).join(' '))
  })

  test('a voice sounds the same whatever voice and language were spoken before it', async (t) => {
    const voices = await open(t)
    const seconds = async (voice: string, language: string) =>
      lengthOf(await spoken(voices, [greetings[language]!], { voice })) / 24_000
    const alone = await seconds('asha', 'hi')
    // not to the sample: the light engine begins where its last sound left its filters
    const isAlike = (again: number): boolean => Math.abs(again / alone - 1) < 0.02
    await seconds('kavya', 'ta')
    await seconds('vikram', 'en')
    t.true(isAlike(await seconds('asha', 'hi')))
    const [again] = await Promise.all([seconds('asha', 'hi'), seconds('vikram', 'en'), seconds('kavya', 'ta')])
    t.true(isAlike(again))
  })

  test('an abort ends the speech within one clause, with its reason', async (t) => {
    const voices = await open(t)
    const abort = new AbortController()
    const heard: string[] = []
    const reason = new Error('barge-in')
    const speaking = (async () => {
      for await (const clause of voices.speak(from(['One. ', 'Two. ', 'Three. ', 'Four. ']), {
        voice: 'maya',
        signal: abort.signal,
      })) {
        heard.push(clause.text)
        abort.abort(reason)
      }
    })()
    t.is(await t.throwsAsync(speaking), reason)
    t.deepEqual(heard, ['One. '])
  })

  test('an abort is heard while the text stands still', async (t) => {
    const voices = await open(t)
    const abort = new AbortController()
    async function* writing() {
      yield 'Wait for '
      queueMicrotask(() => abort.abort(new Error('gone')))
      await new Promise(() => undefined)
    }
    const speaking = collected(voices.speak(writing(), { voice: 'maya', signal: abort.signal }))
    await t.throwsAsync(speaking, { message: 'gone' })
  })

  test('a voice that does not exist and a speed out of bounds are refused in a sentence', async (t) => {
    const voices = await open(t)
    for (const options of [{ voice: 'nobody' }, { voice: 'asha', speed: 5 }, { voice: 'asha', speed: Number.NaN }]) {
      const error = await t.throwsAsync(spoken(voices, ['Hello.'], options), { instanceOf: FailureError })
      t.is(error?.failure.kind, 'terminal')
    }
  })
}

export async function spoken(
  voices: Voices,
  pieces: readonly string[],
  options: { readonly voice: string; readonly speed?: number },
): Promise<SpokenClause[]> {
  return collected(voices.speak(from(pieces), { ...options, signal: never() }))
}

export async function collected(clauses: AsyncIterable<SpokenClause>): Promise<SpokenClause[]> {
  const all: SpokenClause[] = []
  for await (const clause of clauses) all.push(clause)
  return all
}

async function* from(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

function lengthOf(clauses: readonly SpokenClause[]): number {
  return clauses.reduce((sum, { samples }) => sum + samples.length, 0)
}

/** Of the loudest tenth of the frames: pauses have no loudness. */
function decibelsOf(clauses: readonly SpokenClause[]): number {
  const frame = 480
  const powers: number[] = []
  for (const { samples } of clauses)
    for (let at = 0; at + frame <= samples.length; at += frame)
      powers.push(samples.subarray(at, at + frame).reduce((sum, sample) => sum + sample * sample, 0) / frame)
  powers.sort((one, other) => other - one)
  const loudest = powers.slice(0, Math.ceil(powers.length / 10))
  return 10 * Math.log10(loudest.reduce((sum, power) => sum + power, 0) / loudest.length)
}

export function never(): AbortSignal {
  return new AbortController().signal
}
