import { isDeepStrictEqual } from 'node:util'

import test from 'ava'
import * as fc from 'fast-check'

import { createCutter } from '../../../infra/speech/vad/cutter.ts'
import type { AudioChunk, Cutter } from '../../../infra/speech/vad/cutter.ts'
import { levelVad } from '../../support/level-vad.ts'

const rate = 16_000

/** Alternates silence and audio; each sample of audio is its own mark, so that copies can be told apart. */
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

interface Step {
  readonly cutter: Cutter
  readonly chunks: readonly AudioChunk[]
}

/** In blocks of these sizes, over and over. */
async function cut(
  samples: Float32Array,
  blockSamples: number | readonly number[],
  onStep: (step: Step) => void = () => undefined,
): Promise<AudioChunk[]> {
  const sizes = typeof blockSamples === 'number' ? [blockSamples] : blockSamples
  const cutter = createCutter({ vad: levelVad, stretchSeconds: 60 })
  const all: AudioChunk[] = []
  const take = (chunks: readonly AudioChunk[]): void => {
    onStep({ cutter, chunks })
    all.push(...chunks)
  }
  for (let at = 0, turn = 0; at < samples.length; turn += 1) {
    const size = sizes[turn % sizes.length]!
    take(await cutter.push(samples.subarray(at, at + size)))
    at += size
  }
  take(await cutter.end())
  return all
}

const someRecording = fc
  .array(fc.double({ min: 0.5, max: 32, noNaN: true }), { minLength: 1, maxLength: 6 })
  .map(recording)

test('what a header says of the length takes or spares memory, and changes no chunk', async (t) => {
  const samples = recording([1, 9, 2, 30, 1, 40])
  const cutWith = async (lasts: { lastsSeconds?: number }): Promise<object[]> => {
    const cutter = createCutter({ vad: levelVad, stretchSeconds: 60, ...lasts })
    const chunks: AudioChunk[] = []
    for (let at = 0; at < samples.length; at += 8_000)
      chunks.push(...(await cutter.push(samples.subarray(at, at + 8_000))))
    return [...chunks, ...(await cutter.end())]
  }
  const unknown = await cutWith({})
  // here and below: ava's own comparison takes seconds over minutes of samples
  for (const lastsSeconds of [0, 0.01, 83, 1e9]) t.true(isDeepStrictEqual(await cutWith({ lastsSeconds }), unknown))
})

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
      for (const { chunk, samples: audio } of await cut(samples, block))
        t.true(isDeepStrictEqual(audio, samples.slice(chunk.start, chunk.end)), JSON.stringify(chunk))
    }),
    { numRuns: 8 },
  )
})

test('the same recording gives the same chunks, whatever blocks it arrives in', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      someRecording,
      fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1, maxLength: 5 }),
      async (samples, blocks) => {
        t.true(isDeepStrictEqual(await cut(samples, blocks), await cut(samples, samples.length || 1)))
      },
    ),
    { numRuns: 12 },
  )
})

test('what is decided only grows, holds every chunk that is out, and ends with the recording', async (t) => {
  await fc.assert(
    fc.asyncProperty(someRecording, fc.integer({ min: 1_000, max: 200_000 }), async (samples, block) => {
      let decided = 0
      let answered = 0
      await cut(samples, block, ({ chunks, cutter }) => {
        for (const { chunk } of chunks) {
          t.true(chunk.ownStart >= decided && chunk.ownEnd <= cutter.decidedSamples)
          answered += chunk.ownEnd - chunk.ownStart
        }
        t.true(cutter.decidedSamples >= decided && cutter.decidedSamples >= answered)
        decided = cutter.decidedSamples
      })
      t.is(decided, samples.length)
    }),
    { numRuns: 12 },
  )
})

test('no chunk is longer than the window of a recogniser', async (t) => {
  const chunks = await cut(recording([1, 100, 3, 40]), 8_000)
  t.true(chunks.length > 4)
  for (const { samples } of chunks) t.true(samples.length <= 28 * rate)
})

test('where nobody surely speaks, what may be speech is a chunk that says so', async (t) => {
  const quiet = recording([2, 3, 20, 4]).map((sample) => sample / 20)
  const chunks = await cut(quiet, 50_000)
  t.deepEqual(
    chunks.map(({ unsure, speech }) => [unsure, speech.length]),
    [
      [true, 1],
      [true, 1],
    ],
  )
})

test('beside sure speech nothing is guessed', async (t) => {
  const samples = recording([2, 3, 20, 4])
  const half = samples.map((sample, at) => (at < 10 * rate ? sample : sample / 20))
  const chunks = await cut(half, 50_000)
  t.is(chunks.length, 1)
  t.false('unsure' in chunks[0]!)
  t.true(chunks[0]!.chunk.end < 6 * rate)
})

test('silence of any length yields no chunk', async (t) => {
  t.deepEqual(await cut(new Float32Array(130 * rate), 16_000), [])
})

test('an empty recording yields no chunk', async (t) => {
  t.deepEqual(await cut(new Float32Array(0), 16_000), [])
})
