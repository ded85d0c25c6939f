import test from 'ava'
import * as fc from 'fast-check'

import { sentencesOf } from '../../../infra/speech/transcript/sentences.ts'
import { aWord } from '../../support/recognisers.ts'

test('no words are no sentences', (t) => {
  t.deepEqual(sentencesOf([]), [])
})

test('words that follow each other are one sentence', (t) => {
  t.deepEqual(read([aWord('a', 0, 1), aWord('b', 1.2, 2), aWord('c', 2.6, 3)]), ['a b c'])
})

test('a pause begins a new one', (t) => {
  t.deepEqual(read([aWord('a', 0, 1), aWord('b', 1.7, 2)]), ['a', 'b'])
})

for (const end of ['.', '?', '!', '।', '…', '."', '!)'])
  test(`what ends in ${end} is a sentence`, (t) => {
    t.deepEqual(read([aWord('go', 0, 1), aWord(`on${end}`, 1, 2), aWord('then', 2, 3)]), [`go on${end}`, 'then'])
  })

test('a full stop after the first word is an abbreviation', (t) => {
  t.deepEqual(read([aWord('Dr.', 0, 1), aWord('Rao', 1, 2), aWord('came.', 2, 3), aWord('Yes', 3, 4)]), [
    'Dr. Rao came.',
    'Yes',
  ])
})

test('the full stop of an abbreviation ends no sentence', (t) => {
  const words = [aWord('and', 0, 1), aWord('Mr.', 1, 2), aWord('Rao', 2, 3), aWord('came.', 3, 4), aWord('Yes', 4, 5)]
  t.deepEqual(read(words), ['and Mr. Rao came.', 'Yes'])
})

test('a sentence that grew long ends at the next small pause', (t) => {
  const long = Array.from({ length: 16 }, (_, i) => aWord(`w${i}`, i, i + 1))
  t.is(read([...long, aWord('on', 16.1, 17)]).length, 1)
  t.is(read([...long, aWord('on', 16.2, 17)]).length, 2)
})

test('every word is in exactly one sentence, in its order', (t) => {
  const words = fc.array(fc.record({ gap: fc.double({ min: 0, max: 2, noNaN: true }), text: fc.string() }))
  fc.assert(
    fc.property(words, (given) => {
      let at = 0
      const all = given.map(({ gap, text }) => aWord(text, (at += gap), (at += 0.3)))
      t.deepEqual(sentencesOf(all).flat(), all)
    }),
  )
})

function read(words: Parameters<typeof sentencesOf>[0]): string[] {
  return sentencesOf(words).map((sentence) => sentence.map(({ text }) => text).join(' '))
}
