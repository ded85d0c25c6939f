import test from 'ava'

import { doubtfulChunks } from '../../../infra/speech/vocabulary/doubtful-chunks.ts'

type Transcript = Parameters<typeof doubtfulChunks>[0]

/** One chunk of ten seconds a sentence; a word with a question mark is not sure. */
function heard(...sentences: readonly string[]): Transcript {
  const segments = sentences.map((sentence, chunk) => ({
    start: 10 * chunk,
    end: 10 * chunk + 9,
    text: sentence,
    language: 'hi',
    confidence: 1,
    words: sentence.split(' ').map((text, at) => ({
      word: text.replace('?', ''),
      start: 10 * chunk + at,
      end: 10 * chunk + at + 1,
      language: 'hi',
      confidence: text.endsWith('?') ? 0.4 : 0.95,
    })),
    tags: [],
    model: 'm',
  }))
  const result = {
    text: '',
    language: 'hi',
    languages: [],
    duration_seconds: 99,
    segments,
    model: 'm',
    script: 'mixed' as const,
    warnings: [],
  }
  const chunks = segments.map(({ start, end }, chunk) => ({
    chunk,
    start,
    end,
    text: '',
    language: 'hi',
    confidence: 1,
    model: 'm',
    attempts: 1,
    startedAtMs: 0,
    tookMs: 0,
  }))
  return { result, chunks }
}

const meera = [{ text: 'Meera', spoken: ['मेरा'] }]
const nobody = (): boolean => false

test('what is the same as the form that was corrected is in doubt, however sure', async (t) => {
  t.deepEqual(await doubtfulChunks(heard('वह मेरा है', 'वह घर है', 'यह mera है'), meera, nobody), [0, 2])
})

test('what only sounds like it is in doubt where the recogniser was', async (t) => {
  t.deepEqual(await doubtfulChunks(heard('वह मीरा? है', 'वह मीरा है', 'वह बाज़ार? है'), meera, nobody), [0])
})

test('a name of two words may have been taken for one, or for three', async (t) => {
  const depot = [{ text: 'Kurla Depot' }]
  t.deepEqual(await doubtfulChunks(heard('हम करलाडिपो? गए', 'हम कुर ला? डिपो? गए', 'हम घर? गए'), depot, nobody), [0, 1])
})

test('what a person has seen to is not looked at', async (t) => {
  t.deepEqual(await doubtfulChunks(heard('वह मेरा है', 'यह मेरा है'), meera, (segment) => segment === 0), [1])
})
