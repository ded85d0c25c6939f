import test from 'ava'

import type { Word } from '../../../infra/speech/asr/recogniser.ts'
import { listenedAgainOf, listenedOf, spellChunk, spellingsIn } from '../../../infra/speech/vocabulary/spell.ts'
import { aTranscribedChunk } from '../../support/transcribed-chunk.ts'

type Entries = Parameters<typeof spellingsIn>[0]

const sentence = (written: string): Word[] =>
  written.split(' ').map((one, at) => ({
    text: one.replaceAll(/[,.।?]/gu, '').toLowerCase(),
    written: one,
    start: at,
    end: at + 1,
    confidence: 1 - at / 10,
    language: /[a-z]/i.test(one) ? 'en' : 'hi',
  }))

const spelt = (written: string, entries: Entries) =>
  spellChunk(aTranscribedChunk({ words: sentence(written) }), spellingsIn(entries)).transcript.words

test('what is heard as a spoken form is written as the entry says, with its time, its marks and what was heard', (t) => {
  const words = spelt('यह वाक, है।', [{ text: 'Vaak', spoken: ['वाक'] }])
  t.deepEqual(words[1], {
    text: 'Vaak',
    written: 'Vaak,',
    start: 1,
    end: 2,
    confidence: 0.9,
    // Hindi in Latin letters would be written in Devanagari
    language: 'en',
    heard: 'वाक',
  })
  t.deepEqual(
    words.map(({ written }) => written),
    ['यह', 'Vaak,', 'है।'],
  )
})

test('words are joined and divided, and share the time that they took', (t) => {
  const joined = spelt('we use data base here.', [{ text: 'DataBase', spoken: ['data base'] }])
  t.like(joined[2], { text: 'DataBase', start: 2, end: 4, confidence: 0.7, heard: 'data base' })
  const divided = spelt('go to newdelhi.', [{ text: 'New Delhi', spoken: ['newdelhi'] }])
  t.like(divided.slice(2), [
    { written: 'New', start: 2, end: 2.5, heard: 'newdelhi' },
    { written: 'Delhi.', start: 2.5, end: 3, heard: 'newdelhi' },
  ])
})

test('the longest form holds, and none goes over the end of a sentence', (t) => {
  const entries = [
    { text: 'State Bank', spoken: ['state bank'] },
    { text: 'SBI', spoken: ['state bank of india'] },
  ]
  t.is(spelt('the state bank of india here', entries)[1]?.text, 'SBI')
  t.deepEqual(
    spelt('the state. Bank of india', entries).map(({ written }) => written),
    ['the', 'state.', 'Bank', 'of', 'india'],
  )
})

test('an entry restores capitals, and says nothing of what was heard where only these differ', (t) => {
  const words = spelt('my hdfc account. Roti is here.', [{ text: 'HDFC' }, { text: 'roti' }])
  t.like(words[1], { text: 'HDFC', written: 'HDFC', heard: undefined })
  t.is(words[3]?.written, 'Roti')
})

test('a word of the other script is another word: हम is not written Hum', (t) => {
  const words = sentence('हम यहाँ हैं।')
  t.is(spellChunk(aTranscribedChunk({ words }), spellingsIn([{ text: 'Hum' }])).transcript.words, words)
})

test('what has no weight is spelt and not listened for', (t) => {
  const entries = [
    { text: 'Vaak', weight: 0, spoken: ['वाक'] },
    { text: 'Kurla', weight: 1.5, spoken: ['करला'] },
  ]
  t.deepEqual(listenedOf(entries, 'hash'), {
    key: 'hash',
    words: [
      { text: 'Kurla', weight: 1.5 },
      { text: 'करला', weight: 1.5 },
    ],
  })
  t.is(spelt('वाक है', entries)[0]?.text, 'Vaak')
})

test('who transcribes again listens more for the words that are sought, unless their user said how much, and makes a tree of its own', (t) => {
  const entries = [{ text: 'Meera', spoken: ['मेरा'] }, { text: 'Kurla', weight: 0.5 }, { text: 'Vaak' }]
  const { key, words } = listenedAgainOf(entries, { sha256: 'hash', sought: ['Meera', 'Kurla'] })
  t.deepEqual(words, [
    { text: 'Meera', weight: 1.5 },
    { text: 'मेरा', weight: 1.5 },
    { text: 'Kurla', weight: 0.5 },
    { text: 'Vaak', weight: 1 },
  ])
  t.not(key, listenedOf(entries, 'hash').key)
  t.not(key, listenedAgainOf(entries, { sha256: 'hash', sought: ['Vaak'] }).key)
})
