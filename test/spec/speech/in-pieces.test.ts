import test from 'ava'
import * as fc from 'fast-check'

import { transcribeInPieces } from '../../../infra/speech/asr/in-pieces.ts'
import type { Transcript } from '../../../infra/speech/asr/recogniser.ts'
import { aRecogniser, aTranscript, aWord } from '../../support/recognisers.ts'

const rate = 16_000

test('a clip that fits goes through as it is, and so does what was heard', async (t) => {
  const heard = aTranscript('as it is', { confidence: 0.123, flags: ['looped'] })
  const recogniser = aRecogniser({ windowSeconds: 10 }, () => heard)
  const clip = numbered(10)
  t.is(await transcribeInPieces(recogniser, clip, { language: 'en', hotwords: ['it'] }), heard)
  const [asked] = recogniser.asked
  t.deepEqual(asked!.clips, [clip])
  t.is(asked!.language, 'en')
  t.deepEqual(asked!.hotwords, ['it'])
})

test('a longer clip is heard in pieces that fit, in one request', async (t) => {
  const recogniser = aRecogniser({ windowSeconds: 8 }, () => aTranscript(''))
  await transcribeInPieces(recogniser, numbered(30), {})
  t.is(recogniser.asked.length, 1)
  const { clips } = recogniser.asked[0]!
  t.true(clips.length >= 4)
  t.true(clips.every((clip) => clip.length <= 8 * rate))
})

test('a longer clip is cut in the middle of its pauses where voice activity found some, and all of it is heard', async (t) => {
  const recogniser = aRecogniser({ windowSeconds: 8 }, () => aTranscript(''))
  const speech = [
    { start: 1 * rate, end: 5 * rate },
    { start: 6 * rate, end: 11 * rate },
  ]
  await transcribeInPieces(recogniser, numbered(12), { speech })
  t.deepEqual(
    recogniser.asked[0]!.clips.map((clip) => [clip[0]!, clip.length / rate]),
    [
      [0, 5.5],
      [5.5, 6.5],
    ],
  )
})

test('a long pause divides a longer clip for who wants little quiet, a short one does not, and words keep their times', async (t) => {
  const recogniser = aRecogniser({ windowSeconds: 10, quietSeconds: 0.5 }, (clip) =>
    aTranscript([aWord(String(clip[0]), 0.25, 0.5)]),
  )
  const speech = [
    { start: 1 * rate, end: 3 * rate },
    { start: 3.75 * rate, end: 5 * rate },
    { start: 8 * rate, end: 9 * rate },
  ]
  const { words } = await transcribeInPieces(recogniser, numbered(11), { speech })
  t.deepEqual(
    recogniser.asked[0]!.clips.map((clip) => [clip[0]!, clip.length / rate]),
    [
      [0, 5.5],
      [7.5, 3.5],
    ],
  )
  t.deepEqual(
    words.map(({ text, start }) => [text, start]),
    [
      ['0', 0.25],
      ['7.5', 7.75],
    ],
  )
})

test('a clip that fits keeps its pauses, however little quiet is wanted', async (t) => {
  const recogniser = aRecogniser({ windowSeconds: 12, quietSeconds: 0.5 }, () => aTranscript(''))
  const speech = [
    { start: 1 * rate, end: 3 * rate },
    { start: 8 * rate, end: 9 * rate },
  ]
  await transcribeInPieces(recogniser, numbered(12), { speech })
  t.deepEqual(
    recogniser.asked[0]!.clips.map((clip) => clip.length / rate),
    [12],
  )
})

test('what was heard in pieces is joined without loss or doubling', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 9, max: 60 }),
      fc.integer({ min: 6, max: 12 }),
      async (seconds, windowSeconds) => {
        const recogniser = aRecogniser({ windowSeconds }, wordASecond)
        const { words, text } = await transcribeInPieces(recogniser, numbered(seconds), {})
        const all = Array.from({ length: seconds }, (_, second) => String(second))
        t.is(text, all.join(' '))
        for (const [second, word] of words.entries()) t.true(Math.abs(word.start - (second + 0.25)) < 0.001)
      },
    ),
    { numRuns: 20 },
  )
})

test('a piece without words does not lower the confidence in the others', async (t) => {
  const spoken = aTranscript('word', { confidence: 0.8, language: 'hi' })
  const silent = aTranscript('', { confidence: 0, noSpeech: 1, flags: ['no-speech'] })
  const recogniser = aRecogniser({ windowSeconds: 10 }, (clip) => (clip[0]! > 1 ? spoken : silent))
  const { confidence, noSpeech, language, flags } = await transcribeInPieces(recogniser, numbered(18), {})
  t.deepEqual(
    { confidence: Math.round(confidence * 1000), noSpeech, language },
    { confidence: 800, noSpeech: 0, language: 'hi' },
  )
  t.deepEqual(flags, ['no-speech'])
})

test('pieces that are all silent are as sure of it as their mean', async (t) => {
  const recogniser = aRecogniser({ windowSeconds: 10 }, () => aTranscript('', { noSpeech: 0.9 }))
  const { text, noSpeech } = await transcribeInPieces(recogniser, numbered(25), {})
  t.is(text, '')
  t.true(Math.abs(noSpeech - 0.9) < 1e-9)
})

/** Each sample is the second that it was taken at, so that a piece knows where it comes from. */
function numbered(seconds: number): Float32Array {
  return Float32Array.from({ length: seconds * rate }, (_, index) => index / rate)
}

/** Hears the number of each second whose word lies in the piece as a whole. */
function wordASecond(clip: Float32Array): Transcript {
  const [from, to] = [clip[0]!, clip[0]! + clip.length / rate]
  const words = []
  for (let second = Math.floor(from); second < to; second += 1)
    if (second + 0.25 >= from && second + 0.75 <= to)
      words.push(aWord(String(second), second + 0.25 - from, second + 0.75 - from))
  return aTranscript(words)
}
