import test from 'ava'
import * as fc from 'fast-check'

import { clustersOf } from '../../../infra/speech/analysis/clusters.ts'
import { gaussianOf } from '../../../infra/speech/analysis/gaussian.ts'
import type { Gaussian } from '../../../infra/speech/analysis/gaussian.ts'
import { speakersOf } from '../../../infra/speech/analysis/speakers.ts'
import { aRandom } from '../../support/samples.ts'

test('as many voices as there are become speakers, in order of appearance, whatever the order of turns', (t) => {
  const order = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 6, maxLength: 60 })
  fc.assert(
    fc.property(order, (turns) => {
      const found = names(turns.map((voice, at) => aVoice({ centre: 6 * voice, seed: at, frames: 200 })))
      const appearance = Array.from(new Set(turns))
      t.deepEqual(
        found,
        turns.map((voice) => `speaker_${appearance.indexOf(voice) + 1}`),
      )
    }),
    { numRuns: 40 },
  )
})

test('a recording that goes on does not find more people in the same voices', (t) => {
  const lasting = (turns: number): number =>
    new Set(names(Array.from({ length: turns }, (_, at) => aVoice({ centre: 6 * (at % 3), seed: at, frames: 200 }))))
      .size
  t.deepEqual([12, 60, 300].map(lasting), [3, 3, 3])
})

test('what is too little for a person goes to the nearest voice', (t) => {
  const talk = Array.from({ length: 20 }, (_, at) => aVoice({ centre: 6 * (at % 2), seed: at, frames: 200 }))
  const cough = aVoice({ centre: 14, seed: 90, frames: 100 })
  t.deepEqual(names([...talk, cough]).slice(-2), ['speaker_2', 'speaker_2'])
  const guest = aVoice({ centre: 14, seed: 90, frames: 200 })
  t.is(names([...talk, guest]).at(-1), 'speaker_3')
})

test('whoever knows how many speak gets as many, more or fewer than would be found', (t) => {
  const voices = Array.from({ length: 40 }, (_, at) => aVoice({ centre: 6 * (at % 4), seed: at, frames: 200 }))
  for (const wanted of [1, 2, 3, 4, 5, 8]) t.is(new Set(names(voices, wanted)).size, wanted)
})

test('more people than there are segments are not made up', (t) => {
  t.deepEqual(names([aVoice({ centre: 0, seed: 1, frames: 200 })], 4), ['speaker_1'])
  t.deepEqual(names([], 4), [])
})

test('a known number is not used up by noises', (t) => {
  const talk = Array.from({ length: 20 }, (_, at) => aVoice({ centre: 3 * (at % 2), seed: at, frames: 200 }))
  const cough = aVoice({ centre: 30, seed: 90, frames: 100 })
  const found = names([...talk, cough], 2)
  t.not(found[0], found[1])
})

test('every item is in one cluster, and clusters that are left are far apart or as many as wanted', (t) => {
  const places = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 25 })
  fc.assert(
    fc.property(places, fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }), (at, wanted) => {
      const found = clustersOf({
        weights: at.map(() => 1),
        distance: (one, other) => Math.abs(at[one]! - at[other]!) / 5,
        leastWeight: 1,
        ...(wanted !== undefined && { wanted }),
      })
      t.deepEqual(
        found.flat().sort((a, b) => a - b),
        at.map((_, index) => index),
      )
      if (wanted !== undefined) t.is(found.length, Math.min(wanted, at.length))
      const apart = (one: readonly number[], other: readonly number[]): number =>
        one.flatMap((i) => other.map((j) => Math.abs(at[i]! - at[j]!) / 5)).reduce((sum, each) => sum + each, 0) /
        (one.length * other.length)
      if (wanted === undefined)
        t.true(found.every((one, index) => found.slice(0, index).every((other) => apart(one, other) > 0.999)))
    }),
  )
})

function names(voices: readonly Gaussian[], wanted?: number): string[] {
  return speakersOf(voices, wanted).map(({ speaker }) => speaker)
}

function aVoice(options: { centre: number; seed: number; frames: number }): Gaussian {
  const random = aRandom(options.seed + 1)
  const frames = Array.from({ length: options.frames }, () =>
    Float32Array.from({ length: 13 }, () => options.centre + random() + random()),
  )
  return gaussianOf(frames, 13)
}
