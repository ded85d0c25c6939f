import test from 'ava'
import * as fc from 'fast-check'

import { createCutter } from '../../../infra/speech/vad/cutter.ts'
import type { AudioChunk } from '../../../infra/speech/vad/cutter.ts'
import { levelVad } from '../../support/level-vad.ts'

const rate = 16_000

/** Alternates silence and sound; each sample of sound is its own mark, so that copies can be told apart. */
function recording(seconds: readonly number[]): Float32Array {
  const samples = new Float32Array(Math.round(seconds.reduce((sum, one) => sum + one, 0) * rate))
  let at = 0
  for (const [index, length] of seconds.entries()) {
    const end = at + Math.round(length * rate)
    if (index % 2 === 1) for (let i = at; i < end && i < samples.length; i += 1) samples[i] = 0.5 + (i % 1000) / 4000
    at = end
  }
  return samples
}

async function cut(samples: Float32Array, blockSamples: number): Promise<AudioChunk[]> {
  const cutter = createCutter({ vad: levelVad, stretchSeconds: 60 })
  const chunks: AudioChunk[] = []
  for (let at = 0; at < samples.length; at += blockSamples)
    for await (const chunk of cutter.push(samples.subarray(at, at + blockSamples))) chunks.push(chunk)
  for await (const chunk of cutter.end()) chunks.push(chunk)
  return chunks
}

const someRecording = fc
  .array(fc.double({ min: 0.5, max: 32, noNaN: true }), { minLength: 1, maxLength: 6 })
  .map(recording)

test('all speech is in the chunks that answer for it, in order, and none is answered for twice', async (t) => {
  await fc.assert(
    fc.asyncProperty(someRecording, fc.integer({ min: 1_000, max: 200_000 }), async (samples, block) => {
      const chunks = await cut(samples, block)
      let answered = 0
      let until = 0
      for (const { chunk } of chunks) {
        t.true(chunk.ownStart >= until && chunk.ownEnd >= chunk.ownStart)
        for (let i = until; i < chunk.ownStart; i += 1) if (samples[i] !== 0) answered += 1
        until = chunk.ownEnd
      }
      for (let i = until; i < samples.length; i += 1) if (samples[i] !== 0) answered += 1
      t.is(answered, 0, 'samples of speech that no chunk answers for')
    }),
    { numRuns: 15 },
  )
})

test('a chunk carries exactly the sound that its times name', async (t) => {
  await fc.assert(
    fc.asyncProperty(someRecording, fc.integer({ min: 1_000, max: 200_000 }), async (samples, block) => {
      for (const { chunk, samples: sound } of await cut(samples, block))
        t.deepEqual(sound, samples.slice(chunk.start, chunk.end))
    }),
    { numRuns: 8 },
  )
})

test('no chunk is longer than the window of a recogniser', async (t) => {
  const chunks = await cut(recording([1, 100, 3, 40]), 8_000)
  t.true(chunks.length > 4)
  for (const { samples } of chunks) t.true(samples.length <= 28 * rate)
})

test('silence of any length yields no chunk', async (t) => {
  t.deepEqual(await cut(new Float32Array(130 * rate), 16_000), [])
})

test('an empty recording yields no chunk', async (t) => {
  t.deepEqual(await cut(new Float32Array(0), 16_000), [])
})
