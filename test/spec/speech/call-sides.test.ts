import test from 'ava'

import { createSideJudge } from '../../../infra/speech/audio/signal/call-sides.ts'
import { decodeG711, encodeG711 } from '../../../infra/speech/audio/signal/g711.ts'
import { toFloat } from '../../../infra/speech/audio/signal/pcm.ts'
import { alternatingCall } from '../../support/recordings.ts'
import { aRandom } from '../../support/samples.ts'

function judged(left: Float32Array, right: Float32Array): boolean | undefined {
  const judge = createSideJudge()
  for (let at = 0; at < left.length && judge.areSides === undefined; at += 8_000)
    judge.push(left.subarray(at, at + 8_000), right.subarray(at, at + 8_000))
  return judge.areSides
}

const plus = (one: Float32Array, other: Float32Array, factor: number): Float32Array =>
  one.map((sample, at) => sample + factor * (other[at] ?? 0))
const decibels = (db: number): number => 10 ** (db / 20)

test('the sides of a call are told from anything else with two channels', async (t) => {
  const [left, right] = await alternatingCall()
  const both = plus(left, right, 1)
  const nothing = new Float32Array(left.length)
  const random = aRandom(7)
  const noise = left.map(() => 0.001 * (2 * random() - 1))
  const overTelephone = (samples: Float32Array) => toFloat(decodeG711(encodeG711(samples, 'mu-law'), 'mu-law'))
  t.is(judged(left, right), true, 'a call')
  t.is(judged(overTelephone(plus(left, noise, 1)), overTelephone(plus(right, noise, 1))), true, 'with hiss, as µ-law')
  t.is(judged(plus(left, right, decibels(-30)), plus(right, left, decibels(-30))), true, 'with an echo of -30 dB')
  t.not(judged(both, both), true, 'one channel twice')
  t.not(judged(both, plus(nothing, both, decibels(-6))), true, 'somebody who sits at one side')
  t.not(judged(plus(left, right, decibels(-12)), plus(right, left, decibels(-12))), true, 'two microphones in a room')
  t.not(judged(both, nothing), true, 'a microphone on one channel')
  t.not(judged(left, nothing), true, 'a call of which one side was silent')
  t.not(judged(nothing, nothing), true, 'silence')
})
