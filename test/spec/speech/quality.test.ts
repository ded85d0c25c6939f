import test from 'ava'

import { qualityOf } from '../../../infra/speech/evaluate/quality.ts'

test('a loanword counts in either script, and in one script only as it is written', (t) => {
  const quality = qualityOf({ said: 'मेरा प्रोजेक्ट office में है', heard: 'मेरा project ऑफिस में है' })
  t.is(quality.word_error_rate, 0.4)
  t.is(quality.either_script.word_error_rate, 0)
  t.is(quality.either_script.character_error_rate, 0)
  t.is(qualityOf({ said: 'काम', heard: 'कम' }).either_script.word_error_rate, 1)
})

test('Hindi in Latin letters counts where it sounds the same, however it is spelt', (t) => {
  const quality = qualityOf({ said: 'मैं घर नहीं जाऊंगा', heard: 'main ghar nahin soya' })
  t.is(quality.word_error_rate, 1)
  t.is(quality.either_script.word_error_rate, 0.25)
})

test('a word of Hindi that sounds like an English one counts as either', (t) => {
  for (const said of ['bas', 'bus', 'BUS'])
    t.is(qualityOf({ said, heard: 'बस' }).either_script.word_error_rate, 0, said)
  t.is(qualityOf({ said: 'boss', heard: 'बस' }).either_script.word_error_rate, 1)
})

test('what is wrong in both scripts is wrong', (t) => {
  t.like(qualityOf({ said: 'a b c d', heard: 'a x c d' }), {
    words: 4,
    characters: 7,
    word_error_rate: 0.25,
    character_error_rate: 0.1429,
    either_script: { word_error_rate: 0.25, character_error_rate: 0.1429 },
  })
  t.is(qualityOf({ said: '', heard: '' }).either_script.word_error_rate, 0)
})

test('either script never finds more errors than one', (t) => {
  const pairs = [
    ['कल मीटिंग है', 'kal meeting hai'],
    ['hello doctor', 'हेलो डॉक्टर'],
    ['एक दो तीन', 'दो तीन चार'],
  ] as const
  for (const [said, heard] of pairs) {
    const { word_error_rate: plain, either_script: either } = qualityOf({ said, heard })
    t.true(either.word_error_rate <= plain)
  }
})

test('tags are no words, on either side', (t) => {
  const plain = qualityOf({ said: 'one two', heard: 'one two' })
  t.deepEqual(qualityOf({ said: 'one [laughing] two', heard: '[pause] one two [shouting]' }), plain)
  t.true(qualityOf({ said: 'one two', heard: 'one two [sic]' }).word_error_rate > 0, 'what is no tag is a word')
})
