import test from 'ava'
import * as fc from 'fast-check'

import { readingOf, windowsOf } from '../../../../infra/speech/punctuation/reading.ts'

const symbols = ['<blank>', ' ', 'a', 'b', 'x', 'ड', '़']

test('words are their characters, with single spaces between, and silence after the last of each', (t) => {
  const { ids, pauses, places } = readingOf([word('Ab', 0.5), word('b', 9)], symbols)
  t.deepEqual([...ids].map(Number), [2, 3, 1, 3])
  t.deepEqual([...pauses], [0, 0.5, 0, 3])
  t.deepEqual(places, [
    { first: 0, last: 1 },
    { first: 3, last: 3 },
  ])
})

test('a letter with a dot below is read as the recogniser writes it, in two', (t) => {
  t.deepEqual([...readingOf([word('\u095c')], symbols).ids].map(Number), [5, 6])
})

test('what has no known letter is still a word', (t) => {
  t.deepEqual([...readingOf([word('a'), word('2024'), word('b')], symbols).ids].map(Number), [2, 1, 4, 1, 3])
})

test('words that overlap have no pause between them', (t) => {
  t.deepEqual([...readingOf([word('a', -0.2)], symbols).pauses], [0])
})

test('every word is asked about once, with what the model can see around it', (t) => {
  const texts = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { maxLength: 300 })
  fc.assert(
    fc.property(texts, (given) => {
      const words = given.map((text) => word(text))
      const windows = windowsOf(words)
      t.deepEqual(
        windows.flatMap(({ from, to }) => words.slice(from, to)),
        words,
      )
      for (const { start, end, from, to } of windows) {
        t.true(start <= from && to <= end)
        t.true(start === 0 || length(words.slice(start, from)) >= 150)
        t.true(end === words.length || length(words.slice(to, end)) >= 100)
        t.true(length(words.slice(start, end)) <= 1000)
      }
    }),
  )
})

function word(text: string, pause = 0): { text: string; pause: number } {
  return { text, pause }
}

function length(words: readonly { text: string }[]): number {
  return words.reduce((sum, { text }) => sum + text.length + 1, 0)
}
