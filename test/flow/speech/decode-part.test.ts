import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import testAnyOrder from 'ava'
import type { ExecutionContext } from 'ava'

import type { RecordingPart } from '../../../actors/run/state.ts'
import { createDecoder } from '../../../infra/speech/audio/decode.ts'
import type { AudioDecoder, DecoderLimits } from '../../../infra/speech/audio/decode.ts'
import { encodedAs } from '../../support/encoded.ts'
import { aFolder } from '../../support/folder.ts'
import { aNoise, joinedSamples } from '../../support/samples.ts'
import { writeWav } from '../../support/wav-file.ts'

/** A part of a recording is what that has there, in whatever format it is. */

const test = testAnyOrder.serial // each has processes of its own
const rate = 16_000
const encoderRate = 24_000
const recordingSeconds = 12
const formats = ['wav', 'mp3', 'opus', 'flac', 'aac'] as const
const parts: readonly RecordingPart[] = [
  { start: 0.5, end: 2 },
  { start: 4, end: 6 },
  { start: 9.123 },
  { start: 11, end: 12 },
]

for (const format of formats)
  test(`a part of a recording in ${format} is what the whole has there, to the sample`, async (t) => {
    const decoder = aDecoder(t)
    const path = await aRecording(t, format)
    const whole = await samplesOf(decoder, path)
    for (const part of parts) {
      const samples = await samplesOf(decoder, path, part)
      const from = Math.round(part.start * rate)
      const there = whole.subarray(from, part.end === undefined ? undefined : Math.round(part.end * rate))
      t.is(samples.length, there.length, JSON.stringify(part))
      // a codec needs a moment until it gives again what it gave, and samples of another rate fall between ours
      t.is(lagOf(samples, there), 0, JSON.stringify(part))
    }
  })

test('a part that begins where the recording has ended is refused, and says how long that is', async (t) => {
  const decoder = aDecoder(t)
  for (const format of formats) {
    const path = await aRecording(t, format)
    for (const start of [13, 999_999])
      await t.throwsAsync(samplesOf(decoder, path, { start, end: 1_000_000 }), {
        message: new RegExp(`invalid_request: The part begins at ${start} s, and the recording has only 12(?:.1)? s`),
      })
  }
})

test('a part that ends after the recording goes to its end, and says so', async (t) => {
  const decoder = aDecoder(t)
  const decoding = await decoder.decode(await aRecording(t, 'flac'), { channels: 'mix', part: { start: 10, end: 60 } })
  let samples = 0
  for await (const [block] of decoding) samples += block!.length
  t.is(samples, 2 * rate)
  t.deepEqual(decoding.warnings, [
    { code: 'part', message: 'The part was to end at 60 s, and the recording has only 12 s.' },
  ])
})

test('what a file lacks after the part is no loss, and what is too long is taken in parts', async (t) => {
  const decoder = aDecoder(t, { decodedSeconds: 5 })
  const path = await aRecording(t, 'wav')
  await t.throwsAsync(samplesOf(decoder, path), { message: /longer than the limit of 5 s/ })
  await t.throwsAsync(samplesOf(decoder, path, { start: 2, end: 9 }), { message: /longer than the limit of 5 s/ })
  const decoding = await decoder.decode(path, { channels: 'mix', part: { start: 2, end: 6 } })
  let samples = 0
  for await (const [block] of decoding) samples += block!.length
  t.is(samples, 4 * rate)
  t.deepEqual(decoding.warnings, [])
})

function aDecoder(t: ExecutionContext, limits: Partial<DecoderLimits> = {}): AudioDecoder {
  const decoder = createDecoder(limits)
  t.teardown(() => decoder.close())
  return decoder
}

async function aRecording(t: ExecutionContext, format: (typeof formats)[number]): Promise<string> {
  const path = join(await aFolder(t), `noise.${format}`)
  if (format === 'wav') {
    await writeWav(path, aNoise({ seconds: recordingSeconds, seed: 3, rate }))
    return path
  }
  const noise = aNoise({ seconds: recordingSeconds, seed: 3, rate: encoderRate })
  const pcm = Int16Array.from(softened(noise), (sample) => Math.round(sample * 20_000))
  await writeFile(path, await encodedAs(t, format, pcm))
  return path
}

/** High tones would be left out by codecs that think of ears. */
function softened(noise: Float32Array): Float32Array {
  let low = 0
  return noise.map((sample) => (low += (sample - low) * 0.2))
}

async function samplesOf(decoder: AudioDecoder, path: string, part?: RecordingPart): Promise<Float32Array> {
  const blocks: Float32Array[] = []
  for await (const [block] of await decoder.decode(path, { channels: 'mix', ...(part && { part }) }))
    blocks.push(block!.slice())
  return joinedSamples(blocks)
}

/** By how many samples one has to be moved to be most like the other, within a twentieth of a second. */
function lagOf(one: Float32Array, other: Float32Array): number {
  const most = rate / 20
  const compared = Math.min(one.length, rate / 2) - 2 * most
  const likeness = (lag: number): number => {
    let sum = 0
    for (let at = most; at < most + compared; at += 1) sum += one[at]! * other[at + lag]!
    return sum
  }
  const lags = Array.from({ length: 2 * most + 1 }, (_, at) => at - most)
  return lags.reduce((best, lag) => (likeness(lag) > likeness(best) ? lag : best))
}
