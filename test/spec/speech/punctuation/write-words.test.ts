import test from 'ava'

import type { Chances } from '../../../../infra/speech/punctuation/chances.ts'
import { writeWords } from '../../../../infra/speech/punctuation/write-words.ts'
import { aWord } from '../../../support/recognisers.ts'

const nothing: Chances = { comma: 0, stop: 0, question: 0, capital: 0, capitals: 0 }

test('the last word ends a sentence, whatever the model thinks', (t) => {
  t.is(written([['मैं'], ['ठीक'], ['हूँ']]), 'मैं ठीक हूँ।')
  t.is(written([['i'], ['am'], ['fine']]), 'I am fine.')
})

test('no words are no words', (t) => {
  t.deepEqual(writeWords([], []), [])
})

test('a likely end is one after a pause, and must be likelier without', (t) => {
  const end = { stop: 0.5 }
  t.is(written([['बस'], ['है', end, 0.4], ['चलो'], ['अब']]), 'बस है। चलो अब।')
  t.is(written([['बस'], ['है', end, 0.02], ['चलो'], ['अब']]), 'बस है चलो अब।')
  t.is(written([['बस'], ['है', { stop: 0.8 }, 0.02], ['चलो'], ['अब']]), 'बस है। चलो अब।')
})

test('a comma is given only where it is likely', (t) => {
  t.is(written([['हाँ', { comma: 0.6 }], ['ठीक'], ['है']]), 'हाँ, ठीक है।')
  t.is(written([['हाँ', { comma: 0.3 }], ['ठीक'], ['है']]), 'हाँ ठीक है।')
})

test('a question needs little where the wording asks, and a lot where it does not', (t) => {
  t.is(written([['कब'], ['आओगे', { stop: 0.6, question: 0.3 }]]), 'कब आओगे?')
  t.is(written([['कल'], ['आओगे', { stop: 0.3, question: 0.6 }]]), 'कल आओगे।')
  t.is(written([['कल'], ['आओगे', { question: 0.99 }]]), 'कल आओगे?')
})

test('a sentence ends in a danda when its last word or half of it is Hindi', (t) => {
  t.is(written([['please'], ['file'], ['share'], ['करो']]), 'Please file share करो।')
  t.is(written([['यह'], ['app'], ['बहुत'], ['slow']]), 'यह app बहुत slow।')
  t.is(written([['अच्छा'], ['i'], ['will'], ['come']]), 'अच्छा I will come.')
})

test('a sentence begins with a capital and so does what the model takes for a name', (t) => {
  t.is(
    written([['we'], ['met', {}, 0], ['rahul', { capital: 0.8, stop: 0.9 }, 1], ['he'], ['left']]),
    'We met Rahul. He left.',
  )
  t.is(written([['the'], ['nasa', { capitals: 0.8 }], ['team']]), 'The NASA team.')
})

test('one English word among Hindi ones has a capital only when the model is sure', (t) => {
  t.is(written([['कल'], ['office', { capital: 0.8 }], ['जाना']]), 'कल office जाना।')
  t.is(written([['मैं'], ['delhi', { capital: 0.95 }], ['में']]), 'मैं Delhi में।')
})

test('marks of the recogniser’s own are kept apart from the word, and stay', (t) => {
  const words = writeWords(
    [aWord('Hello,', 0, 1), aWord('Sam.', 1, 2), aWord('Come', 3, 4), aWord('in.', 4, 5)],
    [nothing, nothing, nothing, nothing],
  )
  t.deepEqual(
    words.map(({ text, written: form }) => [text, form]),
    [
      ['Hello', 'Hello,'],
      ['Sam', 'Sam.'],
      ['Come', 'Come'],
      ['in', 'in.'],
    ],
  )
})

test('the full stop and the first capital of an English clip inside a Hindi sentence mean nothing', (t) => {
  t.is(written([['उसने'], ['Please', {}], ['wait.', {}, 0.05], ['कहा']]), 'उसने please wait कहा।')
  t.is(written([['उसने'], ['Please', {}], ['wait.', { stop: 0.6 }, 0.5], ['फिर'], ['गया']]), 'उसने please wait. फिर गया।')
  t.is(written([['मैं'], ['New'], ['York.'], ['गया']]), 'मैं New York गया।')
  t.is(written([['वह'], ['NASA.'], ['गया']]), 'वह NASA गया।')
})

test('a full stop of the recogniser’s own that nobody paused for and the model does not believe in is dropped', (t) => {
  t.is(written([['We'], ['wait.', {}, 0.02], ['Here'], ['now.']]), 'We wait here now.')
  t.is(written([['We'], ['wait.', { stop: 0.2 }, 0.02], ['Here'], ['now.']]), 'We wait. Here now.')
})

test('words in a script that the model does not know keep the marks they came with', (t) => {
  t.is(written([['நான்,', { stop: 0.9 }, 1], ['வந்தேன்', { stop: 0.9 }, 1], ['இங்கே.']]), 'நான், வந்தேன் இங்கே.')
})

test('a word that was written before keeps its mark, and what follows goes by it', (t) => {
  const end = { ...nothing, stop: 0.9 }
  const words = [{ ...aWord('we', 0, 1), written: 'We' }, aWord('wait', 2, 3)]
  const texts = (given: string) =>
    writeWords([{ ...words[0]!, written: given }, words[1]!], [end, end]).map((word) => word.written)
  t.is(texts('We')[1], 'wait.')
  t.is(texts('We.')[1], 'Wait.')
})

test('times and confidence stay', (t) => {
  const [word] = writeWords([aWord('है', 1, 2)], [nothing])
  t.deepEqual(word, { ...aWord('है', 1, 2), written: 'है।' })
})

type Said = readonly [text: string, chances?: Partial<Chances>, pause?: number]

function written(said: readonly Said[]): string {
  let at = 0
  const words = said.map(([text, , pause = 0]) => {
    const start = at
    at += 0.3 + pause
    return aWord(text, start, start + 0.3)
  })
  const chances = said.map(([, own]) => ({ ...nothing, ...own }))
  return writeWords(words, chances)
    .map((word) => word.written)
    .join(' ')
}
