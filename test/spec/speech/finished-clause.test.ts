import test from 'ava'

import { finishClause } from '../../../infra/speech/tts/finish.ts'
import { spokenText } from '../../../infra/speech/tts/spoken-text.ts'
import { aTone, joinedSamples } from '../../support/samples.ts'

const rate = 24_000
const text = 'One two.'
const clause = spokenText(text, 'en')
const pauseMs = 300
/** What is kept of the silence around a audio. */
const marginMs = 55

function finished(samples: Float32Array, starts: readonly (number | undefined)[] = [0, 100]): Int16Array {
  return finishClause(text, clause, { samples, starts }).samples
}

test('a clause is as loud as any other, however loud the engine made it', (t) => {
  const loudness = [0.001, 0.02, 0.3, 1].map((level) => levelOf(finished(aVoice({ level }))))
  for (const one of loudness) t.true(Math.abs(one / loudness[0]! - 1) < 0.02, loudness.join(' '))
})

test('a clause with a pause in it is as loud as one without', (t) => {
  const [before, after] = [aVoice({ seconds: 0.3 }), aVoice({ seconds: 0.3 })]
  const paused = finished(joinedSamples([before, silence(0.8), after]))
  const whole = levelOf(finished(joinedSamples([before, after])))
  t.true(Math.abs(levelOf(paused.subarray(0, rate * 0.3)) / whole - 1) < 0.05)
})

test('a sound with a sharp peak is not clipped', (t) => {
  const audio = aVoice({ level: 0.01 })
  audio[audio.length >> 1] = 1
  t.true(finished(audio).every((sample) => Math.abs(sample) <= 0.95 * 32_767 + 1))
})

test('silence before and after is trimmed, and the pause of the sentence takes its place', (t) => {
  const long = finished(joinedSamples([silence(0.7), aVoice({ seconds: 0.5 }), silence(1.2)]))
  const ms = (long.length * 1_000) / rate
  t.true(Math.abs(ms - (500 + marginMs + pauseMs)) < 10, `${ms} ms`)
  t.true(long.subarray(-rate * 0.29).every((sample) => sample === 0))
})

test('a sound that begins and ends in the middle of a wave begins and ends in silence', (t) => {
  const cut = aTone({ hz: 200, seconds: 0.4, rate, level: 0.5 }).map((_, at) =>
    Math.cos((2 * Math.PI * 200 * at) / rate),
  )
  const samples = finished(cut)
  t.is(samples[0], 0)
  const largestStep = stepsOf(samples).reduce((most, step) => Math.max(most, step), 0)
  const naturalStep = (2 * Math.PI * 200 * 32_767 * 0.1 * Math.SQRT2) / rate
  t.true(largestStep < 1.5 * naturalStep, `${largestStep} beside ${naturalStep}`)
})

test('the times of words move with what was trimmed', (t) => {
  const samples = joinedSamples([silence(0.5), aVoice({ seconds: 0.6 })])
  const { words } = finishClause(text, clause, { samples, starts: [500, 800] })
  t.deepEqual(
    words.map((word) => word.text),
    ['One', 'two.'],
  )
  t.true(Math.abs(words[0]!.startMs - 15) <= 2, `${words[0]!.startMs}`)
  t.true(Math.abs(words[1]!.startMs - 315) <= 2, `${words[1]!.startMs}`)
  t.is(words[0]!.endMs, words[1]!.startMs)
})

test('an engine that made no sound leaves the words and the pause', (t) => {
  const none = finishClause(text, clause, { samples: new Float32Array(2_400), starts: [0, 10] })
  t.true(none.samples.every((sample) => sample === 0))
  t.is(none.words.length, 2)
})

function aVoice({ seconds = 0.5, level = 0.5 }: { seconds?: number; level?: number } = {}): Float32Array {
  return aTone({ hz: 200, seconds, rate, level })
}

function silence(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * rate))
}

/** The root mean square of what is not silence. */
function levelOf(samples: Int16Array): number {
  const end = samples.findLastIndex((sample) => sample !== 0) + 1
  const sum = samples.subarray(0, end).reduce((power, sample) => power + sample * sample, 0)
  return Math.sqrt(sum / end)
}

function stepsOf(samples: Int16Array): number[] {
  return Array.from(samples.subarray(1), (sample, at) => Math.abs(sample - samples[at]!))
}
