import { readFileSync } from 'node:fs'

import test from 'ava'
import * as fc from 'fast-check'

import { romanKey } from '../../../infra/speech/text/roman-key.ts'
import { peel, writingSystemOf } from '../../../infra/speech/text/script.ts'
import { renderWords } from '../../../infra/speech/text/transliterate.ts'
import type { ScriptChoice } from '../../../infra/speech/text/transliterate.ts'
import { englishInLatin } from '../../../infra/speech/text/code-mixed.ts'
import { languageMixOf, languagesOfWords } from '../../../infra/speech/text/word-language.ts'

const fixtures = new URL('../../../../test/fixtures/text/', import.meta.url)
const hinglish = linesOf('hinglish.txt').map((line) => line.split(' ').map((word) => word.split('/')))
const codes: Readonly<Record<string, string>> = { h: 'hi', e: 'en', u: 'und' }

test('a word has the script of most of its letters', (t) => {
  const scripts = ['नमस्ते', 'Hello', 'مرحبا', 'வணக்கம்', '2024', '…', 'Привет', 'गाड़ी-wala', '१२३'].map(writingSystemOf)
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

test('spellings of one word have one key, spellings of two words have two', (t) => {
  for (const spellings of [
    'zindagi jindagi zindagee',
    'kahaani kahani',
    'chhota chota',
    'pehle pahle',
    'wala vala waala',
    'gayi gai gayee',
    'jayega jaega',
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
  t.deepEqual(codesOf(['यह', 'मोबाइल', 'अच्छा', 'है।', '100', 'வணக்கம்']), ['hi', 'hi', 'hi', 'hi', 'und', 'ta'])
  t.deepEqual(codesOf(['मी', 'जातो'], 'mr'), ['mr', 'mr'])
  t.deepEqual(codesOf(['bonjour', 'madame'], 'fr'), ['fr', 'fr'])
})

test('a borrowed word in Devanagari is Hindi', (t) => {
  for (const word of ['कार', 'सर', 'बस', 'रन', 'मेल', 'लाइट', 'ऑफिस'])
    for (const heardAs of ['hi', 'en', undefined])
      t.deepEqual(codesOf(['वह', word, 'में', 'है'], heardAs), ['hi', 'hi', 'hi', 'hi'])
})

test('among Devanagari, Latin letters are English whatever they would be by themselves', (t) => {
  for (const word of ['to', 'the', 'main', 'hi', 'are', 'kal', 'Hello,'])
    for (const heardAs of ['hi', 'en', undefined])
      t.deepEqual(codesOf(['मुझे', word, 'चाहिए।'], heardAs), ['hi', 'en', 'hi'])
})

test('a stray that looks like Hindi is English in an English sentence, a common Hindi word is not', (t) => {
  t.is(languageOf('fool', 'you are a fool and he knows it'), 'en')
  t.is(languageOf('kya', 'kya you said that he will come'), 'hi')
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

test('one sentence in three scripts, numbers and marks kept, with a full stop for the danda among Latin letters', (t) => {
  const heard = ['मुझे', '“office”', 'जाना', 'है,', '10', 'मिनट', 'में।']
  t.is(rendered(heard, 'native'), 'मुझे “ऑफिस” जाना है, 10 मिनट में।')
  t.is(rendered(heard, 'latin'), 'mujhe “office” jana hai, 10 minute mein.')
  t.is(rendered(heard, 'mixed'), heard.join(' '))
  t.is(rendered('kal meeting hai na?'.split(' '), 'native'), 'कल मीटिंग है न?')
})

test('mixed leaves what is in its script as it was heard', (t) => {
  for (const heard of ['मेरी कार office में है', 'the main reason is traffic', 'सर please send me the file'])
    t.is(rendered(heard.split(' '), 'mixed'), heard)
  t.is(rendered('kal meeting hai'.split(' '), 'mixed'), 'कल meeting है')
})

test('native borrows single words in a Hindi sentence, and leaves English that runs on', (t) => {
  const native = (heard: string): string => rendered(heard.split(' '), 'native')
  t.is(native('कल office में meeting है'), 'कल ऑफिस में मीटिंग है')
  t.is(native('उसने कहा the office is closed'), 'उसने कहा the office is closed')
  t.is(native('मेरा blockchain वाला project'), 'मेरा blockchain वाला प्रोजेक्ट')
  t.is(native('please ask my office भैया about the project'), 'please ask my office भैया about the project')
})

test('an English sentence is written in Latin letters whatever was chosen', (t) => {
  for (const choice of ['native', 'latin', 'mixed'] as const)
    t.is(rendered('please open the office door'.split(' '), choice), 'please open the office door')
})

test('nothing is lost or thrown for any text', (t) => {
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
  t.pass()
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

function linesOf(name: string): string[] {
  return readFileSync(new URL(name, fixtures), 'utf8').trim().split('\n')
}

test('English words of a mixed sentence are written in Latin letters, and Hindi ones that were borrowed long ago too', (t) => {
  const written = (sentence: string): string => englishInLatin(sentence.split(' ')).join(' ')
  t.is(written('कल की मीटिंग है प्लीज सबको ईमेल भेज दो'), 'कल की meeting है please सबको email भेज दो')
  t.is(written('मेरा charger स्कूल में रह गया'), 'मेरा charger school में रह गया')
})

test('a Hindi sentence keeps the words that it borrowed, and what is another word in Hindi always stays', (t) => {
  const sentences = ['स्कूल के पास पुलिस की गाड़ी खड़ी थी', 'बस अब घर चलो', 'सर पर टोपी रखो और अब office चलो बस']
  for (const sentence of sentences) t.is(englishInLatin(sentence.split(' ')).join(' '), sentence)
})
