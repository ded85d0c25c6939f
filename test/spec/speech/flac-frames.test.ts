import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { createDecoder } from '../../../infra/speech/audio/decode.ts'
import { audioProbe } from '../../../infra/speech/audio/header/probe.ts'
import { flacFrame, flacFrameAt, flacHeader } from '../../../infra/speech/audio/signal/flac-frames.ts'
import { recordedFrameSamples } from '../../../actors/session-recording/ports.ts'
import { toFloat } from '../../../infra/speech/audio/signal/pcm.ts'
import { aFolder } from '../../support/folder.ts'
import { joinedSamples } from '../../support/samples.ts'

const shaped = (level: (at: number) => number): Int16Array =>
  Int16Array.from({ length: recordedFrameSamples }, (_, at) => level(at))

/** Numbers that look like chance and are the same in every run. */
const noise = shaped((at) => ((at * 1_103_515_245 + 12_345) >>> 8) % 65_536)
const sounds: Readonly<Record<string, Int16Array>> = {
  silence: shaped(() => 0),
  'one level': shaped(() => -321),
  tone: shaped((at) => 9_000 * Math.sin(at / 9)),
  'loud and low': shaped((at) => 32_767 * Math.sin(at / 300)),
  noise,
  extremes: shaped((at) => (at % 2 === 0 ? 32_767 : -32_768)),
  'a click in silence': shaped((at) => (at === 2_000 ? 32_767 : 0)),
  'quiet noise': noise.map((sample) => sample >> 12),
}

test('every sample of both channels comes back as it was', async (t) => {
  const all = Object.values(sounds)
  const left = [...all, ...all]
  const right = left.toReversed()
  const frames = left.map((samples, number) => flacFrame(number, samples, right[number]!))
  const path = join(await aFolder(t), 'all.flac')
  await writeFile(path, Buffer.concat([flacHeader(frames.length), ...frames]))
  const decoder = createDecoder()
  t.teardown(() => decoder.close())
  const heard: Float32Array[][] = [[], []]
  for await (const channels of await decoder.decode(path, { channels: 'separate' }))
    for (const [channel, samples] of channels.entries()) heard[channel]!.push(samples)
  for (const [channel, said] of [left, right].entries()) {
    const samples = joinedSamples(heard[channel]!)
    t.is(samples.length, said.length * recordedFrameSamples)
    for (const [number, pcm] of said.entries())
      t.deepEqual(
        samples.slice(number * recordedFrameSamples, (number + 1) * recordedFrameSamples),
        toFloat(pcm),
        `${number}`,
      )
  }
})

test('frames of any number are numbered as decoders expect it', async (t) => {
  const far = [0, 127, 128, 2_047, 2_048, 65_535, 65_536, 2_097_151, 2_097_152]
  const headers = far.map((number) => [...flacFrame(number, sounds['silence']!, sounds['silence']!).subarray(4)])
  const numbers = headers.map((bytes) => new TextDecoder().decode(Uint8Array.from(bytes.slice(0, 4))).codePointAt(0))
  t.deepEqual(numbers.slice(0, 5), far.slice(0, 5))
  t.is(numbers[6], 65_536)
})

test('the header says how long it is, and silence takes next to nothing', async (t) => {
  const silent = flacFrame(3, sounds['silence']!, sounds['silence']!)
  t.true(silent.length < 20)
  t.true(flacFrame(3, sounds['tone']!, sounds['silence']!).length < recordedFrameSamples)
  const file = Buffer.concat([flacHeader(4), silent, silent, silent, silent])
  const bytes = { sizeBytes: file.length, read: async (at: number, length: number) => file.subarray(at, at + length) }
  const found = await audioProbe().probe(bytes)
  t.deepEqual(found, { audio: true, contentType: 'audio/flac', durationSeconds: (4 * recordedFrameSamples) / 16_000 })
})

test('a frame with another number is the frame that has that number', (t) => {
  const numbers = [0, 127, 128, 2_047, 2_048, 65_536]
  for (const from of numbers)
    for (const to of numbers)
      t.deepEqual(
        Buffer.from(flacFrameAt(to, flacFrame(from, noise, sounds['tone']!))),
        Buffer.from(flacFrame(to, noise, sounds['tone']!)),
        `${from} to ${to}`,
      )
})
