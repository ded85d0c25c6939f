import test from 'ava'
import * as fc from 'fast-check'

import type { Word } from '../../../infra/speech/asr/recogniser.ts'
import { isSameSpeech, splice } from '../../../infra/speech/asr/splice.ts'
import { stretchesOf } from '../../../infra/speech/asr/stretches.ts'
import { aWord } from '../../support/recognisers.ts'

/** `e` and `h` are words of 0.4 s, `E` and `H` of 0.2 s; a tenth of a second between them. */
function said(pattern: string): Word[] {
  let at = 0
  return Array.from(pattern, (letter) => {
    const seconds = letter === letter.toLowerCase() ? 0.4 : 0.2
    const word = { ...aWord(letter, at, at + seconds), language: letter.toLowerCase() === 'e' ? 'en' : 'hi' }
    at += seconds + 0.1
    return word
  })
}

function placesOf(pattern: string): [number, number][] {
  return stretchesOf(said(pattern), 'en', 60).map(({ first, last }) => [first, last])
}

test('runs of English are found between Hindi', (t) => {
  t.deepEqual(placesOf('hheeehhheeeeh'), [
    [2, 4],
    [8, 11],
  ])
  t.deepEqual(placesOf('eeee'), [[0, 3]])
  t.deepEqual(placesOf('hhhh'), [])
})

test('a word or two inside a Hindi sentence are no stretch', (t) => {
  t.deepEqual(placesOf('hhehhEEhheeh'), [])
})

test('two words of English with a pause on both sides are a stretch', (t) => {
  const pause = (words: readonly Word[], from: number): Word[] =>
    words.map((word, at) => (at < from ? word : { ...word, start: word.start + 1, end: word.end + 1 }))
  const apart = pause(pause(said('hheeh'), 2), 4)
  t.deepEqual(
    stretchesOf(apart, 'en', 60).map(({ first, last }) => [first, last]),
    [[2, 3]],
  )
  t.deepEqual(stretchesOf(pause(said('hheeh'), 2), 'en', 60), [])
})

test('one short word of Hindi between two runs of English was misheard', (t) => {
  t.deepEqual(placesOf('eeeHeee'), [[0, 6]])
  t.deepEqual(placesOf('eeeheee'), [
    [0, 2],
    [4, 6],
  ])
  t.deepEqual(placesOf('eeeHHeee'), [
    [0, 2],
    [5, 7],
  ])
})

test('a stretch has some sound around it, and none of its neighbours', (t) => {
  const words = said('heeeh')
  const [stretch] = stretchesOf(words, 'en', 60)
  t.true(stretch!.start > words[0]!.end && stretch!.start < words[1]!.start)
  t.true(stretch!.end > words[3]!.end && stretch!.end < words[4]!.start)
  const [alone] = stretchesOf(
    [
      { ...aWord('one', 5, 6), language: 'en' },
      { ...aWord('two', 6, 7), language: 'en' },
    ],
    'en',
    7.1,
  )
  t.deepEqual(alone, { first: 0, last: 1, start: 4.8, end: 7.1 })
})

test('what replaces a stretch stays within it, in order', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('h', 'e', 'E', 'H'), { minLength: 3, maxLength: 20 }),
      fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 2, maxLength: 10 }),
      (pattern, times) => {
        const words = said(pattern.join(''))
        const sorted = times.toSorted((one, other) => one - other)
        const again = sorted.slice(1).map((end, at) => aWord('again', sorted[at]!, end))
        return stretchesOf(words, 'en', 60).every((stretch) => {
          const spliced = splice(words, stretch, again)
          const isOrdered = spliced.every(({ start, end }, at) => end >= start && start >= (spliced[at - 1]?.end ?? 0))
          return isOrdered && spliced.length === words.length - (stretch.last - stretch.first + 1) + again.length
        })
      },
    ),
    { numRuns: 300, seed: 23 },
  )
  t.pass()
})

test('two hearings of the same speech are known by their letters, however they are spelt', (t) => {
  const heard = (text: string): Word[] => text.split(' ').map((word, at) => aWord(word, at, at + 1))
  t.true(isSameSpeech(heard('an mr jandash wod had then leasur'), heard('And Mr. John Dashwood had then leisure')))
  t.false(isSameSpeech(heard('an mr jandash wod had then leasur'), heard('Thanks for watching')))
  t.false(isSameSpeech(heard('please call me back'), []))
})
