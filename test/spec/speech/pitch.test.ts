import test from 'ava'

import { pitchTracker } from '../../../infra/speech/analysis/pitch.ts'
import { aRandom } from '../../support/samples.ts'

const rate = 16_000
const hop = 160

for (const hertz of [80, 123, 220, 391])
  test(`a buzz of ${hertz} Hz has that pitch`, (t) => {
    const pitchAt = pitchTracker(buzz(hertz), hop)
    for (const frame of [10, 11, 12, 50]) {
      const found = pitchAt(frame)
      t.true(Math.abs(found.hertz / hertz - 1) < 0.01, `${found.hertz} Hz`)
      t.true(found.voicing > 0.9)
    }
  })

test('noise has no voice', (t) => {
  const random = aRandom(7)
  const pitchAt = pitchTracker(
    Float32Array.from({ length: rate }, () => random() - 0.5),
    hop,
  )
  for (let frame = 10; frame < 80; frame += 1) t.true(pitchAt(frame).voicing < 0.7)
})

test('a frame has the same pitch whichever frame was asked about before it', (t) => {
  const random = aRandom(8)
  const samples = buzz(150).map((sample) => sample + 0.3 * (random() - 0.5))
  const inOrder = pitchTracker(samples, hop)
  const wanted = Array.from({ length: 90 }, (_, frame) => inOrder(frame))
  const backwards = pitchTracker(samples, hop)
  for (let frame = 89; frame >= 0; frame -= 7) t.deepEqual(backwards(frame), wanted[frame])
})

test('frames whose window leaves the recording have no voice', (t) => {
  const pitchAt = pitchTracker(buzz(200), hop)
  t.is(pitchAt(0).voicing, 0)
  t.is(pitchAt(99).voicing, 0)
  t.is(pitchTracker(new Float32Array(100), hop)(0).voicing, 0)
})

function buzz(hertz: number): Float32Array {
  return Float32Array.from({ length: rate }, (_, at) =>
    [1, 2, 3].reduce((sum, overtone) => sum + Math.sin((2 * Math.PI * hertz * overtone * at) / rate) / overtone / 3, 0),
  )
}
