import test from 'ava'

import { errorRates, normalisedForScoring } from '../../../infra/speech/text/error-rate.ts'

test('equal texts have no errors', (t) => {
  const rates = errorRates([{ said: 'कल उन्होंने मुरमुरे बनाए', heard: 'कल उन्होंने मुरमुरे बनाए' }])
  t.is(rates.wordErrorRate, 0)
  t.is(rates.characterErrorRate, 0)
})

test('a wrong word of four is a word error rate of a quarter', (t) => {
  t.is(errorRates([{ said: 'a b c d', heard: 'a x c d' }]).wordErrorRate, 0.25)
})

test('insertions count, so that a rate may exceed one', (t) => {
  t.is(errorRates([{ said: 'a', heard: 'a b c' }]).wordErrorRate, 2)
})

test('words where nobody spoke are all wrong, and nothing heard in silence is right', (t) => {
  t.is(errorRates([{ said: '', heard: 'x y' }]).wordErrorRate, 1)
  t.is(errorRates([{ said: '', heard: '' }]).wordErrorRate, 0)
})

test('rates of several recordings are weighed by their length', (t) => {
  const rates = errorRates([
    { said: 'a', heard: 'x' },
    { said: 'a b c', heard: 'a b c' },
  ])
  t.is(rates.wordErrorRate, 0.25)
  t.deepEqual([rates.words, rates.characters], [4, 6])
})

test('punctuation, case, white space and the way letters are composed do not count', (t) => {
  t.is(normalisedForScoring('  Hello,\n“World”…  ।'), 'hello world')
  t.is(normalisedForScoring('लड़का'), normalisedForScoring('लड\u093Cका'))
  t.is(normalisedForScoring('क्\u200Dष'), normalisedForScoring('क्ष'))
})

test('a hyphen joins two words, and a title is read as it is spoken', (t) => {
  t.is(normalisedForScoring('Mr. Dashwood was ill-disposed'), 'mister dashwood was ill disposed')
})
