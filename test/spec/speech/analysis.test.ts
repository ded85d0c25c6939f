import test from 'ava'
import * as fc from 'fast-check'

import { accentOf } from '../../../infra/speech/analysis/accent.ts'
import { cepstralFramesOf } from '../../../infra/speech/analysis/cepstrum.ts'
import {
  gaussianOf,
  logDeterminant,
  logDeterminantTogether,
  momentsOf,
  together,
} from '../../../infra/speech/analysis/gaussian.ts'
import type { Gaussian, Moments } from '../../../infra/speech/analysis/gaussian.ts'
import { laughingTags } from '../../../infra/speech/analysis/laughing.ts'
import { pauseTags } from '../../../infra/speech/analysis/pauses.ts'
import { prosodyOf, summariseProsody } from '../../../infra/speech/analysis/prosody.ts'
import { shoutingTags, voicedWindowsOf } from '../../../infra/speech/analysis/shouting.ts'
import { speakersOf, voiceOf } from '../../../infra/speech/analysis/speakers.ts'
import { tonesOf } from '../../../infra/speech/analysis/tone.ts'
import { aNoise, aRandom, aTone } from '../../support/samples.ts'
import { aLaugh } from '../../support/voices.ts'

const whole = { start: 0, end: 100 }

test('two distributions together have the determinant of the one that they make', (t) => {
  const random = aRandom(3)
  const some = (count: number): Moments => {
    const rows = Array.from({ length: count }, () => Float32Array.from({ length: 13 }, () => random() - 0.3))
    return momentsOf(gaussianOf(rows, 13))
  }
  const [one, other] = [some(40), some(90)]
  t.is(logDeterminantTogether(one, other), logDeterminant(together(one, other)))
})

test('the pitch of a tone is found within one per cent, from a deep voice to a child', (t) => {
  for (const hz of [80, 120, 210, 330, 440]) {
    const { pitchHz } = summariseProsody(prosodyOf(harmonics(hz)), whole)
    t.true(Math.abs((pitchHz ?? 0) / hz - 1) < 0.01, `${hz} Hz: ${pitchHz}`)
  }
})

test('noise and silence have no pitch', (t) => {
  t.is(summariseProsody(prosodyOf(aNoise({ seconds: 2, seed: 5 })), whole).pitchHz, null)
  t.is(summariseProsody(prosodyOf(new Float32Array(32_000)), whole).pitchHz, null)
})

test('loudness is in decibels below full scale, and twice the amplitude is six more', (t) => {
  const quiet = summariseProsody(prosodyOf(aTone({ hz: 200, seconds: 1, level: 0.1 })), whole).loudnessDb
  const loud = summariseProsody(prosodyOf(aTone({ hz: 200, seconds: 1, level: 0.2 })), whole).loudnessDb
  t.true(Math.abs(quiet - -23) < 0.3)
  t.true(Math.abs(loud - quiet - 6.02) < 0.1)
})

test('a high tone tilts the spectrum upwards', (t) => {
  const tiltOf = (hz: number): number => summariseProsody(prosodyOf(aTone({ hz, seconds: 1 })), whole).tiltDb
  t.true(tiltOf(3_000) > tiltOf(300) + 15)
})

test('a pause is a silence of two seconds or more after which the same speaker goes on', (t) => {
  const speech = [
    { start: 3, end: 5 },
    { start: 6.9, end: 8 },
    { start: 11, end: 12 },
  ]
  t.deepEqual(pauseTags(speech, []), [{ type: 'pause', start: 8, end: 11, confidence: 1 }])
  t.deepEqual(pauseTags([], []), [])
})

test('between two speakers a silence is no pause before five seconds', (t) => {
  const between = (seconds: number): number => {
    const next = { start: 5 + seconds, end: 10 + seconds }
    const spoken = [
      { start: 0, end: 5, speaker: 'one' },
      { ...next, speaker: 'two' },
    ]
    return pauseTags([{ start: 0, end: 5 }, next], spoken).length
  }
  t.deepEqual([2, 4.9, 5].map(between), [0, 0, 1])
})

test('pauses never overlap speech, whatever its order', (t) => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 9 }))
    .map(([start, length]) => ({ start, end: start + length }))
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (speech) =>
      pauseTags(speech, []).every((pause) =>
        speech.every(({ start, end }) => end <= pause.start || start >= pause.end),
      ),
    ),
  )
  t.pass()
})

test('what the recogniser heard counts for and against', (t) => {
  const laugh = cepstralFramesOf(aLaugh(3))
  const sure = (text: string): number =>
    laughingTags(laugh, [{ text, start: 0, end: 1.5, confidence: 0.9 }])[0]?.confidence ?? 0
  t.true(sure('हा हा') > sure('नमस्ते'))
})

test('silence, noise and tones carry no tags', (t) => {
  for (const samples of [new Float32Array(80_000), aNoise({ seconds: 5, seed: 2 }), aTone({ hz: 440, seconds: 5 })]) {
    t.deepEqual(laughingTags(cepstralFramesOf(samples), []), [])
    const windows = voicedWindowsOf(prosodyOf(samples), whole)
    t.deepEqual(shoutingTags([{ speaker: 'one', windows }]), [])
  }
})

test('segments without a voice get a speaker too, with little confidence', (t) => {
  const audio = cepstralFramesOf(new Float32Array(32_000))
  t.deepEqual(speakersOf([voiceOf(audio, { start: 0, end: 2 })]), [{ speaker: 'speaker_1', confidence: 0.3 }])
  t.deepEqual(speakersOf([]), [])
})

test('a speaker who joins at the end of a file of hours is found too', (t) => {
  const early = Array.from({ length: 900 }, (_, at) => aVoice(0, at))
  const late = Array.from({ length: 60 }, (_, at) => aVoice(6, at))
  const names = speakersOf([...early, ...late]).map(({ speaker }) => speaker)
  t.deepEqual(new Set(names.slice(0, 900)), new Set(['speaker_1']))
  t.deepEqual(new Set(names.slice(900)), new Set(['speaker_2']))
})

function aVoice(centre: number, seed: number): Gaussian {
  const random = aRandom(seed + 1)
  const frames = Array.from({ length: 100 }, () =>
    Float32Array.from({ length: 13 }, () => centre + random() + random()),
  )
  return gaussianOf(frames, 13)
}

test('a tone is relative to the speaker, and left out when there is nothing to compare with', (t) => {
  const usual = {
    loudnessDb: -25,
    pitchHz: 150,
    pitchRangeSemitones: 4,
    tiltDb: -10,
    voicedShare: 0.6,
    syllablesPerSecond: 4,
  }
  const lively = { ...usual, loudnessDb: -17, pitchHz: 210, pitchRangeSemitones: 8, syllablesPerSecond: 5.5 }
  const subdued = { ...usual, loudnessDb: -33, pitchHz: 118, pitchRangeSemitones: 2, syllablesPerSecond: 2.5 }
  const tones = tonesOf([usual, usual, lively, subdued, usual]).map((found) => found?.tone)
  t.deepEqual(tones, ['neutral', 'neutral', 'excited', 'calm', 'neutral'])
  t.deepEqual(tonesOf([lively]), [undefined])
})

test('an accent is only named where the languages of the speaker tell', (t) => {
  t.is(
    accentOf('en', [
      { code: 'en', share: 0.6 },
      { code: 'hi', share: 0.4 },
    ])?.accent,
    'indian',
  )
  t.is(accentOf('en', [{ code: 'en', share: 1 }]), undefined)
  t.is(accentOf('hi', [{ code: 'hi', share: 1 }]), undefined)
})

/** A voice-like tone: a pitch with overtones. */
function harmonics(hz: number): Float32Array {
  const tones = [1, 2, 3, 4, 5].map((order) => aTone({ hz: hz * order, seconds: 1, level: 0.3 / order }))
  return tones[0]!.map((_, at) => tones.reduce((sum, tone) => sum + tone[at]!, 0))
}
