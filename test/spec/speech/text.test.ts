import { readFileSync } from 'node:fs'

import test from 'ava'
import * as fc from 'fast-check'

import { devanagarise } from '../../../infra/speech/text/devanagarise.ts'
import { romanKey } from '../../../infra/speech/text/roman-key.ts'
import { romanise } from '../../../infra/speech/text/romanise.ts'
import { peel, scriptOf } from '../../../infra/speech/text/script.ts'
import { renderWords } from '../../../infra/speech/text/transliterate.ts'
import type { ScriptChoice } from '../../../infra/speech/text/transliterate.ts'
import { languageMixOf, languagesOfWords } from '../../../infra/speech/text/word-language.ts'

const fixtures = new URL('../../../../test/fixtures/text/', import.meta.url)
const romanised = linesOf('romanised.tsv').map((line) => line.split('\t'))
const hinglish = linesOf('hinglish.txt').map((line) => line.split(' ').map((word) => word.split('/')))
const codes: Readonly<Record<string, string>> = { h: 'hi', e: 'en', u: 'und' }

test('a word has the script of most of its letters', (t) => {
  const scripts = ['नमस्ते', 'Hello', 'مرحبا', 'வணக்கம்', '2024', '…', 'Привет', 'गाड़ी-wala', '१२३'].map(scriptOf)
  t.deepEqual(scripts, ['devanagari', 'latin', 'arabic', 'tamil', 'none', 'none', 'other', 'devanagari', 'none'])
})

test('what surrounds a word comes off and goes on again', (t) => {
  t.deepEqual(peel('“हाँ,”'), { before: '“', core: 'हाँ', after: ',”' })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (word) => {
      const { before, core, after } = peel(word)
      return before + core + after === word
    }),
  )
})

test('silent schwas are left out: at least 95 % of a list of words come out as people type them', (t) => {
  const wrong = romanised.filter(([devanagari, latin]) => romanise(devanagari!) !== latin)
  t.log(
    `${romanised.length - wrong.length} of ${romanised.length} right; wrong: ${wrong.map(([word]) => word).join(' ')}`,
  )
  t.true(wrong.length <= romanised.length * 0.05)
})

test('romanised Hindi finds its way back: at least 85 % of the same list', (t) => {
  const wrong = romanised.filter(
    ([devanagari, latin]) => oneSpelling(devanagarise(latin!)) !== oneSpelling(devanagari!),
  )
  t.log(
    `${romanised.length - wrong.length} of ${romanised.length} right; wrong: ${wrong.map(([, word]) => word).join(' ')}`,
  )
  t.true(wrong.length <= romanised.length * 0.15)
})

test('spellings of one word have one key, spellings of two words have two', (t) => {
  for (const spellings of [
    'zindagi jindagi zindagee',
    'kahaani kahani',
    'chhota chota',
    'pehle pahle',
    'wala vala waala',
  ])
    t.is(new Set(spellings.split(' ').map(romanKey)).size, 1, spellings)
  t.not(romanKey('hai'), romanKey('hain'))
  t.not(romanKey('kal'), romanKey('kaam'))
})

test('words of a Hinglish sentence have their languages: at least 95 % of them', (t) => {
  const words = hinglish.flat()
  const found = hinglish.flatMap((sentence) => languagesOfWords(sentence.map(([word]) => word!)))
  const wrong = words.filter(([, code], at) => found[at]!.language !== codes[code!])
  t.log(`${words.length - wrong.length} of ${words.length} right; wrong: ${wrong.map(([word]) => word).join(' ')}`)
  t.true(wrong.length <= words.length * 0.05)
})

test('a word that both languages have takes the language of its neighbours', (t) => {
  t.is(languageOf('the', 'hum log wahan gaye the'), 'hi')
  t.is(languageOf('the', 'open the door please'), 'en')
  t.is(languageOf('main', 'main ghar jaa raha hoon'), 'hi')
  t.is(languageOf('main', 'the main reason is simple'), 'en')
})

test('scripts settle what letters cannot, and the recogniser settles the rest', (t) => {
  t.deepEqual(codesOf(['यह', 'मोबाइल', 'अच्छा', 'है।', '100', 'வணக்கம்']), ['hi', 'en', 'hi', 'hi', 'und', 'ta'])
  t.deepEqual(codesOf(['मी', 'जातो'], 'mr'), ['mr', 'mr'])
  t.deepEqual(codesOf(['bonjour', 'madame'], 'fr'), ['fr', 'fr'])
})

test('confidence is a probability, for any words', (t) => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }), (words) =>
      languagesOfWords(words).every(({ confidence }) => confidence >= 0.5 && confidence <= 1),
    ),
  )
  t.pass()
})

test('shares, switch points and the mixing index follow from the words', (t) => {
  const mix = languageMixOf(languagesOfWords('mujhe kal 5 office jaana hai'.split(' ')))
  t.is(mix.language, 'hi')
  t.deepEqual(mix.languages, [
    { code: 'hi', share: 0.8 },
    { code: 'en', share: 0.2 },
  ])
  t.deepEqual(mix.switchPoints, [3, 4])
  t.is(Math.round(mix.codeMixingIndex), 20)
  t.deepEqual(languageMixOf([]), { language: 'und', languages: [], switchPoints: [], codeMixingIndex: 0 })
})

test('one sentence in three scripts, numbers and punctuation untouched', (t) => {
  const heard = ['मुझे', '“office”', 'जाना', 'है,', '10', 'मिनट', 'में।']
  t.is(rendered(heard, 'native'), 'मुझे “ऑफिस” जाना है, 10 मिनट में।')
  t.is(rendered(heard, 'latin'), 'mujhe “office” jaana hai, 10 minute mein।')
  t.is(rendered(heard, 'mixed'), 'मुझे “office” जाना है, 10 minute में।')
  t.is(rendered('kal meeting hai na?'.split(' '), 'native'), 'कल मीटिंग है न?')
})

test('an English sentence is written in Latin letters whatever was chosen', (t) => {
  for (const choice of ['native', 'latin', 'mixed'] as const)
    t.is(rendered('please open the office door'.split(' '), choice), 'please open the office door')
})

test('nothing is lost or thrown for any text, and the latin rendering of Hindi has no Devanagari left', (t) => {
  const letters = fc.string({
    unit: fc.integer({ min: 0x905, max: 0x94d }).map((code) => String.fromCodePoint(code)),
    minLength: 1,
  })
  fc.assert(
    fc.property(
      fc.array(letters, { maxLength: 5 }),
      (words) => rendered(words, 'latin').split(' ').length >= words.length,
    ),
  )
  for (const [devanagari] of romanised) t.is(scriptOf(romanise(devanagari!)), 'latin')
})

function rendered(words: readonly string[], choice: ScriptChoice): string {
  const languages = languagesOfWords(words)
  return renderWords(
    words.map((word, at) => ({ word, language: languages[at]!.language })),
    choice,
  ).join(' ')
}

function codesOf(words: readonly string[], segmentLanguage?: string): string[] {
  return languagesOfWords(words, segmentLanguage).map(({ language }) => language)
}

function languageOf(word: string, sentence: string): string | undefined {
  const words = sentence.split(' ')
  return codesOf(words)[words.indexOf(word)]
}

/** लम्बा and लंबा, ज़रा and जरा are the same word in two spellings that are both in use. */
function oneSpelling(word: string): string {
  return word
    .normalize('NFC')
    .replaceAll(/[नम]\u094d(?=[क-भ])/g, '\u0902')
    .replaceAll('\u093c', '')
    .replaceAll('\u0901', '\u0902')
}

function linesOf(name: string): string[] {
  return readFileSync(new URL(name, fixtures), 'utf8').trim().split('\n')
}
