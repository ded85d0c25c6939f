import test from 'ava'
import * as fc from 'fast-check'

import { compressionRatio } from '../../../infra/speech/asr/whisper/compression.ts'
import type { DecodingEvidence } from '../../../infra/speech/asr/whisper/guards.ts'
import { guardsOff, guardsOn, judge, clipLevel, tokenCap } from '../../../infra/speech/asr/whisper/guards.ts'
import { loopAtEnd } from '../../../infra/speech/asr/loops.ts'

const sure: DecodingEvidence = {
  text: 'the quick brown fox',
  logProb: -0.2,
  noSpeech: 0.01,
  ended: 'end',
  foreign: false,
}

test('a phrase that fills the end again and again is a loop, cut after its first time', (t) => {
  const tokens = [1, 2, 3, ...Array.from({ length: 6 }, () => [7, 8, 9]).flat()]
  t.deepEqual(loopAtEnd(tokens), { period: 3, from: 6 })
})

test('one token over and over is a loop', (t) => {
  t.deepEqual(loopAtEnd(Array.from({ length: 12 }, () => 5)), { period: 1, from: 1 })
})

test('saying no three times is speech', (t) => {
  t.is(loopAtEnd([1, 2, 4, 4, 4]), undefined)
  t.is(loopAtEnd([4, 5, 4, 5, 4, 5]), undefined)
})

test('tokens that are all different never loop', (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), (tokens) => loopAtEnd(tokens) === undefined),
    { seed: 3 },
  )
  t.pass()
})

test('any phrase repeated long enough is found, whatever came before', (t) => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.array(fc.nat(50), { minLength: 1, maxLength: 24 }), (before, phrase) => {
      const times = Math.max(3, Math.ceil(12 / phrase.length))
      const tokens = [...before, ...Array.from({ length: times }, () => phrase).flat()]
      const loop = loopAtEnd(tokens)
      return loop !== undefined && loop.from <= before.length + phrase.length && loop.period <= phrase.length
    }),
    { seed: 5 },
  )
  t.pass()
})

test('a loop compresses far better than speech', (t) => {
  t.true(compressionRatio('and so on '.repeat(30)) > guardsOn.mostCompression)
  t.true(compressionRatio('ask not what your country can do for you') < guardsOn.mostCompression)
  t.is(compressionRatio(''), 0)
})

test('what is sure and plain passes', (t) => {
  t.deepEqual(judge(sure, guardsOn), { verdict: 'pass', flags: [] })
})

test('doubt of the model and doubt of the words together are silence', (t) => {
  t.is(judge({ ...sure, noSpeech: 0.9, logProb: -1.5 }, guardsOn).verdict, 'silence')
  t.is(judge({ ...sure, noSpeech: 0.9 }, guardsOn).verdict, 'pass')
})

test('a stock phrase is dropped only when the model doubts it', (t) => {
  t.deepEqual(judge({ ...sure, text: 'Thank you.', noSpeech: 0.4 }, guardsOn).flags, ['stock-phrase'])
  t.is(judge({ ...sure, text: 'Thank you.' }, guardsOn).verdict, 'pass')
  t.is(judge({ ...sure, text: 'Thank you for the music, Anna.', noSpeech: 0.4 }, guardsOn).verdict, 'pass')
})

test('each complaint sends the clip round again and is named', (t) => {
  const cases = [
    [{ ended: 'loop' }, 'looped'],
    [{ ended: 'cap' }, 'capped'],
    [{ logProb: -1.2 }, 'unsure'],
    [{ foreign: true }, 'foreign-script'],
    [{ text: 'go on '.repeat(40) }, 'repetitive'],
  ] as const
  for (const [doubt, flag] of cases)
    t.deepEqual(judge({ ...sure, ...doubt }, guardsOn), { verdict: 'again', flags: [flag] }, flag)
})

test('with the guards off everything passes', (t) => {
  const worst: DecodingEvidence = { text: 'you '.repeat(90), logProb: -9, noSpeech: 1, ended: 'cap', foreign: true }
  t.deepEqual(judge(worst, guardsOff), { verdict: 'pass', flags: [] })
})

test('the cap grows with the length of the clip, and other scripts get more', (t) => {
  t.true(tokenCap(10, true) > tokenCap(1, true))
  t.true(tokenCap(10, false) > tokenCap(10, true))
})

test('the level of a full-scale square wave is one, of nothing zero', (t) => {
  t.is(clipLevel(Float32Array.of(1, -1, 1, -1)), 1)
  t.is(clipLevel(new Float32Array()), 0)
})
