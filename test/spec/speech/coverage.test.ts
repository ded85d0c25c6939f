import test from 'ava'
import * as fc from 'fast-check'

import { wordlessSpeech } from '../../../infra/speech/transcript/coverage.ts'

test('speech with words all through has no rest', (t) => {
  t.deepEqual(
    wordlessSpeech(
      [{ start: 1, end: 4 }],
      [
        { start: 1.1, end: 2.5 },
        { start: 2.7, end: 3.6 },
      ],
    ),
    [],
  )
})

test('speech without a word is a rest, before, between and after words', (t) => {
  const words = [
    { start: 2, end: 3 },
    { start: 5, end: 6 },
  ]
  t.deepEqual(wordlessSpeech([{ start: 0, end: 8 }], words), [
    { start: 0, end: 2 },
    { start: 3, end: 5 },
    { start: 6, end: 8 },
  ])
})

test('silence between words is no rest', (t) => {
  const speech = [
    { start: 0, end: 1 },
    { start: 9, end: 10 },
  ]
  t.deepEqual(
    wordlessSpeech(speech, [
      { start: 0, end: 0.9 },
      { start: 9.1, end: 10 },
    ]),
    [],
  )
})

test('a breath is too short to be a rest', (t) => {
  t.deepEqual(
    wordlessSpeech(
      [{ start: 0, end: 3 }],
      [
        { start: 0, end: 1.3 },
        { start: 2, end: 3 },
      ],
    ),
    [],
  )
})

const spans = fc.array(
  fc
    .tuple(fc.double({ min: 0, max: 60, noNaN: true }), fc.double({ min: 0, max: 8, noNaN: true }))
    .map(([start, seconds]) => ({ start, end: start + seconds })),
  { maxLength: 20 },
)

test('every moment of speech is in a word, in a rest, or in less than a second between them', (t) => {
  fc.assert(
    fc.property(spans, spans, (speech, words) => {
      const rests = wordlessSpeech(speech, words)
      const told = [...words, ...rests]
      let silentSince: number | undefined
      for (let at = 0; at < 70; at += 0.01) {
        const isIn = (some: readonly { start: number; end: number }[]): boolean =>
          some.some(({ start, end }) => at >= start && at < end)
        const isUntold = isIn(speech) && !isIn(told)
        silentSince = isUntold ? (silentSince ?? at) : undefined
        if (silentSince !== undefined && at - silentSince > 0.85) return false
      }
      return rests.every((rest) => words.every((word) => word.end <= rest.start || word.start >= rest.end))
    }),
    { numRuns: 60, seed: 23 },
  )
  t.pass()
})
