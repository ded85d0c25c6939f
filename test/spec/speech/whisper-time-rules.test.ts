import test from 'ava'

import type { Marks } from '../../../infra/speech/asr/whisper/config.ts'
import { timeRules } from '../../../infra/speech/asr/whisper/time-rules.ts'

const marks: Marks = {
  start: 11,
  end: 10,
  transcribe: 12,
  noTimes: 13,
  noSpeech: undefined,
  previous: undefined,
  firstTime: 14,
  languages: new Map(),
}
const size = 14 + 200

function allowedAfter(said: readonly number[], favoured = 3): number[] {
  const logits = new Float32Array(size)
  logits[favoured] = 100
  timeRules(marks).apply(logits, said)
  return Array.from(logits.keys()).filter((token) => logits[token]! > -Infinity)
}

test('a transcript begins with a time within the first second', (t) => {
  const allowed = allowedAfter([])
  t.is(Math.min(...allowed), 14)
  t.is(Math.max(...allowed), 14 + 50)
})

test('after an opening time comes text', (t) => {
  t.true(allowedAfter([14]).every((token) => token < 14))
})

test('after a closing time comes the next opening one or the end, never text', (t) => {
  const allowed = allowedAfter([14, 3, 20], 20)
  t.true(allowed.every((token) => token >= 20 || token === 10 || (token > 10 && token < 13)))
  t.true(allowed.includes(20), 'the same time may open the next')
})

test('time never goes back', (t) => {
  const allowed = allowedAfter([14, 3, 40, 40, 5])
  t.false(allowed.some((token) => token >= 14 && token <= 40))
  t.true(allowed.includes(41))
})

test('when times together outweigh every word, a time it is', (t) => {
  const logits = new Float32Array(size).fill(0)
  timeRules(marks).apply(logits, [14, 3])
  t.true(logits.subarray(0, 14).every((value) => value === -Infinity))
})
