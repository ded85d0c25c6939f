import test from 'ava'

import { languageSwitch, modelSymbols } from '../../../infra/speech/tts/neural/phonemes.ts'
import { mixStyles, styleFor, styleRows, styleWidth } from '../../../infra/speech/tts/neural/styles.ts'
import { tokensAtOnce, tokensMax, utterancesOf } from '../../../infra/speech/tts/neural/utterance.ts'
import { spaceToken, tokensOf } from '../../../infra/speech/tts/neural/vocabulary.ts'
import { lineUp } from '../../../infra/speech/tts/light.ts'
import { spokenText } from '../../../infra/speech/tts/spoken-text.ts'

for (const [language, phoneme, symbols] of [
  ['en', 'ˈeɪ', 'ˈA'],
  ['en', 'oʊ', 'O'],
  ['en', 'tʃ', 'ʧ'],
  ['en', 'ˈɜː', 'ˈɜɹ'],
  ['en', 'ɚ', 'əɹ'],
  ['en', 'ˈɔːɹ', 'ˈɔɹ'],
  ['en', 'ɾ', 'T'],
  ['hi', 'ˈaː', 'ˈaː'],
  ['hi', 'ɛ̃', 'ɛ̃'],
  ['hi', 'r.', 'ɽ'],
  ['ta', 'aɪ', 'I'],
  ['ta', 'ɭ', 'l'],
] as const)
  test(`${language}: the model reads ${phoneme} as ${symbols}`, (t) => {
    t.is(modelSymbols(phoneme, language), symbols.normalize('NFD'))
    t.is(tokensOf(modelSymbols(phoneme, language)).length, Array.from(symbols.normalize('NFD')).length)
  })

test('what is spoken as another language is read by its rules', (t) => {
  t.is(languageSwitch('(en)'), 'en')
  t.is(languageSwitch('(hi)'), 'hi')
  t.is(languageSwitch('(en-us)'), 'en')
  t.is(languageSwitch('e'), undefined)
})

/** What the phoneme engine answers: the words by where they begin, and their phonemes. */
function answerOf(words: readonly (readonly [at: number, phonemes: string])[]) {
  return {
    words: words.map(([at]) => ({ at, ms: 0 })),
    phonemes: words.flatMap(([, phonemes], word) => phonemes.split(' ').map((text) => ({ text, ms: 0, word }))),
  }
}

test('words are parted by a space, keep their places and end in the pause that is written', (t) => {
  const clause = spokenText('Hi, you.', 'en')
  const { offsets } = lineUp(clause)
  const [utterance, ...more] = utterancesOf(
    clause,
    offsets,
    answerOf([
      [0, 'h ˈaɪ'],
      [4, 'j uː'],
    ]),
  )
  t.deepEqual(more, [])
  t.deepEqual(utterance!.tokens, [...tokensOf('hˈI,'), spaceToken, ...tokensOf('ju.')])
  t.deepEqual(utterance!.words, [
    { word: 0, token: 0 },
    { word: 1, token: 5 },
  ])
})

test('an r that links two words is said once', (t) => {
  const clause = spokenText('doctor asked', 'en')
  const answer = answerOf([
    [0, 'd ˈɑː k t ɚ ɹ'],
    [7, 'ˈæ s k t'],
  ])
  const [utterance] = utterancesOf(clause, lineUp(clause).offsets, answer)
  t.deepEqual(utterance!.tokens, [...tokensOf('dˈɑktəɹ'), spaceToken, ...tokensOf('ˈæskt')])
})

test('a clause that is long once its numbers are words becomes several utterances, none of them too long', (t) => {
  const clause = spokenText('one '.repeat(50).trim(), 'en')
  const { offsets } = lineUp(clause)
  const long = answerOf(clause.words.map((_, word) => [offsets[word]!, 'w ˈʌ n '.repeat(5).trim()]))
  const utterances = utterancesOf(clause, offsets, long)
  t.true(utterances.length > 1)
  for (const { tokens } of utterances) t.true(tokens.length <= tokensMax)
  t.deepEqual(
    utterances.flatMap(({ words }) => words.map(({ word }) => word)),
    clause.words.map((_, word) => word),
  )
})

test('styles are mixed by weight, and one has a row for each length', (t) => {
  const flat = (value: number) => new Float32Array(styleRows * styleWidth).fill(value)
  const mixed = mixStyles({ low: 3, high: 1 }, (name) => flat(name === 'low' ? 0 : 4))
  t.true(mixed.every((value) => value === 1))
  t.is(styleFor(mixed, 10_000).length, styleWidth)
})

test('what is said slowly is given to the model in smaller pieces, and at no other speed', (t) => {
  const clause = spokenText('one '.repeat(24).trim(), 'en')
  const { offsets } = lineUp(clause)
  const spelt = answerOf(clause.words.map((_, word) => [offsets[word]!, 'w ˈʌ n']))
  t.is(utterancesOf(clause, offsets, spelt).length, 1)
  t.is(utterancesOf(clause, offsets, { ...spelt, speed: 0.9 }).length, 1)
  const slow = utterancesOf(clause, offsets, { ...spelt, speed: 0.25 })
  for (const { tokens } of slow) t.true(tokens.length <= tokensAtOnce(0.25))
  t.deepEqual(
    slow.flatMap(({ words }) => words.map(({ word }) => word)),
    clause.words.map((_, word) => word),
  )
  t.true(tokensAtOnce(0.25) < tokensAtOnce(0.5) && tokensAtOnce(0.5) < tokensAtOnce(1))
})
