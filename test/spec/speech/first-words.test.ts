import test from 'ava'

import { FirstWords } from '../../../infra/speech/engine/live/first-words.ts'
import type { Word } from '../../../infra/speech/asr/recogniser.ts'

/** Words of 0.4 seconds each, one after another, and how sure their recogniser is of each. */
function wordsOf(...heard: readonly (readonly [text: string, confidence: number])[]): Word[] {
  return heard.map(([text, confidence], at) => ({
    text,
    confidence,
    start: at * 0.4,
    end: (at + 1) * 0.4,
    language: /^[a-z]/u.test(text) ? 'en' : 'hi',
  }))
}

const clear = { edge: 1.1, isDoubtful: false, confidence: 0.9 }
const doubtful = { edge: 1.1, isDoubtful: true, confidence: 0.35 }

test('words that their recogniser is sure of are certain at once, up to the first that it is not sure of', (t) => {
  t.is(new FirstWords([]).certainCount(wordsOf(['एक', 0.9], ['दो', 0.3], ['तीन', 0.9]), clear), 1)
  t.is(new FirstWords([]).certainCount(wordsOf(['एक', 0.3], ['दो', 0.9], ['तीन', 0.9]), clear), 0)
})

test('the last word is not certain, nor one that ends close to the end of the audio', (t) => {
  t.is(new FirstWords([]).certainCount(wordsOf(['एक', 0.9]), clear), 0)
  t.is(new FirstWords([]).certainCount([], clear), 0)
  const two = wordsOf(['एक', 0.9], ['दो', 0.9])
  t.is(new FirstWords([]).certainCount(two, { ...clear, edge: 0.5 }), 0)
  t.is(new FirstWords([]).certainCount(two, { ...clear, edge: 0.7 }), 1)
})

test('of a transcript that makes little sense as a whole a word is certain when it was heard twice', (t) => {
  const words = new FirstWords([])
  const heard = wordsOf(['एक', 0.9], ['दो', 0.1])
  t.is(words.certainCount(heard, doubtful), 0)
  t.is(words.certainCount(heard, { ...doubtful, edge: 1.2 }), 1)
})

test('a word that somebody else would hear better is certain when it was heard twice and very surely', (t) => {
  const words = new FirstWords(['en'])
  const heard = wordsOf(['he', 0.9], ['was', 0.75], ['not', 0.9])
  t.is(words.certainCount(heard, clear), 0)
  t.is(words.certainCount(heard, { ...clear, edge: 1.2 }), 1)
  t.is(words.certainCount(wordsOf(['we', 0.9], ['was', 0.9]), { ...clear, edge: 1.3 }), 0)
})

test('a first word that goes back and forth is certain when half of the looks of late began with it, however sure they were', (t) => {
  const words = new FirstWords([])
  const look = (edge: number, text: string): number =>
    words.certainCount(wordsOf([text, 0.1], ['दो', 0.1]), { ...doubtful, edge })
  t.is(look(1, 'खबर'), 0, 'one look says little')
  t.is(look(1.5, 'भर'), 0, 'what began otherwise long ago does not count')
  t.is(look(1.62, 'खबर'), 1)
  const others = new FirstWords([])
  for (const [edge, text] of [
    [1, 'सब'],
    [1.1, 'सब'],
    [1.2, 'सब'],
  ] as const)
    others.certainCount(wordsOf([text, 0.1]), { ...doubtful, edge })
  t.is(others.certainCount(wordsOf(['भर', 0.1], ['दो', 0.1]), { ...doubtful, edge: 1.3 }), 0, 'most began otherwise')
})

test('of what hardly makes sense no first word is certain: it may be noise, or another language', (t) => {
  const words = new FirstWords([])
  for (const edge of [1, 1.1, 1.2])
    t.is(words.certainCount(wordsOf(['एक', 0.1], ['दो', 0.1]), { ...doubtful, edge, confidence: 0.25 }), 0)
})

test('a word that somebody else would hear better has to be heard surely, however many looks begin with it', (t) => {
  const words = new FirstWords(['en'])
  const counts = [1, 1.1, 1.2].map((edge) =>
    words.certainCount(wordsOf(['he', 0.7], ['was', 0.75]), { ...clear, edge }),
  )
  t.deepEqual(counts, [0, 0, 0])
})

test('who does not say of each word which language it is in does not say how sure it is of it either', (t) => {
  const words = new FirstWords([])
  const heard = wordsOf(['एक', 0.9], ['दो', 0.9]).map(({ text, start, end, confidence }) => ({
    text,
    start,
    end,
    confidence,
  }))
  t.is(words.certainCount(heard, clear), 0)
  t.is(words.certainCount(heard, { ...clear, edge: 1.2 }), 0)
})
