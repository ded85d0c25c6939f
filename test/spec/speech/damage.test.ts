import test from 'ava'

import { warningsOf, whyUseless } from '../../../infra/speech/audio/damage.ts'
import type { Encountered } from '../../../infra/speech/audio/damage.ts'

const whole: Encountered = {
  packets: 100,
  lost: 0,
  ruined: 0,
  brokeOff: false,
  clockJumped: false,
  clockSeconds: 10,
  decodedSeconds: 10,
  endSeconds: 10,
}
const promised = { declaredSeconds: 10, startSeconds: 0, missingBytes: 0 }

test('a file that is as it says gives no warning', (t) => {
  t.deepEqual(warningsOf(whole, promised), [])
  t.is(whyUseless(whole, []), undefined)
})

test('a file that is shorter than its header says is incomplete, and a little short is not', (t) => {
  const codes = (seconds: number) =>
    warningsOf({ ...whole, clockSeconds: seconds, decodedSeconds: seconds, endSeconds: seconds }, promised).map(
      ({ code }) => code,
    )
  t.deepEqual(codes(9), ['truncated'])
  t.deepEqual(codes(9.6), [])
})

test('a clock that counts from its first sample is not taken for a shortfall', (t) => {
  t.deepEqual(warningsOf(whole, { ...promised, declaredSeconds: 15, startSeconds: 5 }), [])
})

test('what was left out, jumped or broke off is told', (t) => {
  const met = { ...whole, lost: 2, clockJumped: true, brokeOff: true }
  t.deepEqual(
    warningsOf(met, promised).map(({ code }) => code),
    ['truncated', 'damaged', 'clock'],
  )
})

test('a fifth of ruined packets is too much, and two never are', (t) => {
  t.regex(whyUseless({ ...whole, ruined: 21 }, []) ?? '', /21 of 100 packets/)
  t.is(whyUseless({ ...whole, ruined: 20 }, []), undefined)
  t.is(whyUseless({ ...whole, packets: 4, ruined: 2 }, []), undefined)
})

test('too little to hear anything in is refused, and said to be damaged where it is', (t) => {
  const short = { ...whole, decodedSeconds: 0.05 }
  t.regex(whyUseless(short, []) ?? '', /less than 0\.1 s/)
  t.regex(whyUseless(short, warningsOf({ ...short, lost: 1 }, promised)) ?? '', /empty or damaged/)
  t.regex(whyUseless({ ...whole, decodedSeconds: 0 }, []) ?? '', /empty or damaged/)
})
