import { isDeepStrictEqual } from 'node:util'

import test from 'ava'
import * as fc from 'fast-check'

import { cutFile } from '../../../infra/speech/engine/cut.ts'
import type { ChannelChunk } from '../../../infra/speech/engine/cut.ts'
import { createCutter } from '../../../infra/speech/vad/cutter.ts'
import { aDecoder } from '../../support/decoder.ts'
import { levelVad } from '../../support/level-vad.ts'
import { joinedSamples } from '../../support/samples.ts'

const rate = 16_000
const recordingSeconds = 420

/** Where it is loud, in seconds. */
function channelOf(spans: readonly (readonly [number, number])[]): Float32Array {
  const samples = new Float32Array(recordingSeconds * rate)
  for (const [start, end] of spans) samples.fill(0.5, Math.round(start * rate), Math.round(end * rate))
  return samples
}

async function cut(channels: readonly Float32Array[]): Promise<ChannelChunk[]> {
  const cutting = await cutFile({ decoder: aDecoder(channels), vad: levelVad }, 'a.wav', { channels: 'separate' })
  const chunks: ChannelChunk[] = []
  for await (const chunk of cutting) chunks.push(chunk)
  return chunks
}

const someSpans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: recordingSeconds - 90 }), fc.integer({ min: 1, max: 90 })), {
    maxLength: 6,
  })
  .map((pairs) => pairs.map(([start, length]) => [start, start + length] as const))

test('the chunks of all channels come in the order of time, each channel cut as it would be alone', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(someSpans, { minLength: 2, maxLength: 3 }), async (spans) => {
      const channels = spans.map(channelOf)
      const together = await cut(channels)
      const inOrder = together.toSorted((a, b) => a.chunk.start - b.chunk.start || a.channel - b.channel)
      t.deepEqual(together.map(places), inOrder.map(places))
      for (const [channel, samples] of channels.entries()) {
        const own = together.filter((one) => one.channel === channel)
        const alone = (await cut([samples])).map((one) => ({ ...one, channel }))
        t.deepEqual(own.map(places), alone.map(places))
        t.true(
          own.every((one, index) => Buffer.from(one.samples.buffer).equals(Buffer.from(alone[index]!.samples.buffer))),
        )
      }
    }),
    { numRuns: 4 },
  )
})

test('chunks at the same time come in the order of their channels', async (t) => {
  const loud = new Float32Array(10 * rate).fill(0.5, 3 * rate, 6 * rate)
  t.deepEqual(
    (await cut([loud, loud, loud])).map(({ channel }) => channel),
    [0, 1, 2],
  )
})

test('a cutter names a place that no chunk to come begins before', async (t) => {
  const samples = channelOf([
    [10, 230],
    [238, 243],
    [390, 400],
  ])
  const cutter = createCutter({ vad: levelVad, stretchSeconds: 60 })
  let [frontier, seen] = [0, 0]
  for (let at = 0; at < samples.length; at += rate / 2) {
    for (const { chunk } of await cutter.push(samples.subarray(at, at + rate / 2))) {
      t.true(chunk.start >= frontier)
      seen += 1
    }
    t.true(cutter.frontier >= frontier)
    frontier = cutter.frontier
  }
  t.true(seen > 5 && frontier > 300 * rate)
  for (const { chunk } of await cutter.end()) t.true(chunk.start >= frontier)
})

test('the length and the warnings are those of the decoder', async (t) => {
  const warnings = [{ code: 'truncated', message: 'The file is incomplete.' }] as const
  const decoder = aDecoder([new Float32Array(20_000)], { warnings })
  const cutting = await cutFile({ decoder, vad: levelVad }, 'a.wav', { channels: 'mix' })
  for await (const chunk of cutting) t.fail(String(chunk.channel))
  t.is(cutting.seconds, 1.25)
  t.deepEqual(cutting.warnings, ['The file is incomplete.'])
})

test('what is decided grows to the length of every channel, and names each chunk once, before it comes', async (t) => {
  const channels = [channelOf([[10, 300]]), channelOf([[200, 210]])]
  const decided: (readonly number[])[] = []
  const found = new Set<string>()
  const cutting = await cutFile({ decoder: aDecoder(channels, { declaredSeconds: null }), vad: levelVad }, 'a.wav', {
    channels: 'separate',
    onDecided(samples, chunks) {
      t.true(samples.every((sample, channel) => sample >= (decided.at(-1)?.[channel] ?? 0)))
      decided.push(samples)
      for (const chunk of chunks) found.add(JSON.stringify(places(chunk)))
    },
  })
  t.is(cutting.lastsSeconds, null)
  let came = 0
  for await (const chunk of cutting) {
    t.true(found.has(JSON.stringify(places(chunk))))
    came += 1
  }
  t.is(found.size, came)
  t.deepEqual(decided.at(-1), [recordingSeconds * rate, recordingSeconds * rate])
  t.is(cutting.lastsSeconds, recordingSeconds)
})

test('the times of a part are those of the whole recording', async (t) => {
  const channels = [channelOf([[10, 230], [238, 243]]), channelOf([[5, 8], [390, 400]])] // prettier-ignore
  const decoder = aDecoder(channels)
  const startSeconds = 3_600.5
  const part = { start: startSeconds, end: startSeconds + recordingSeconds }
  const cutting = await cutFile({ decoder, vad: levelVad }, 'a.wav', { channels: 'separate', part })
  const chunks: ChannelChunk[] = []
  for await (const chunk of cutting) chunks.push(chunk)
  const offset = startSeconds * rate
  const later = ({ start, end }: { start: number; end: number }) => ({ start: start + offset, end: end + offset })
  const expected = (await cut(channels)).map(({ chunk, speech, ...rest }) => ({
    ...rest,
    chunk: { ...later(chunk), ownStart: chunk.ownStart + offset, ownEnd: chunk.ownEnd + offset },
    speech: speech.map(later),
  }))
  t.true(expected.length > 3)
  // ava's own comparison takes seconds over minutes of samples
  t.true(isDeepStrictEqual(chunks, expected))
  t.is(cutting.seconds, recordingSeconds)
  t.is(cutting.startSeconds, startSeconds)
  t.is(cutting.lastsSeconds, recordingSeconds)
})

test('leaving the loop ends the decoding', async (t) => {
  let released = false
  const decoder = aDecoder([channelOf([[0, 400]])], { onRelease: () => (released = true) })
  for await (const chunk of await cutFile({ decoder, vad: levelVad }, 'a.wav', { channels: 'mix' }))
    if (chunk.channel === 0) break
  t.true(released)
})

test('an aborted cutting ends inside a stretch', async (t) => {
  const stopping = new AbortController()
  const vad = {
    ...levelVad,
    advance: (turns: Parameters<typeof levelVad.advance>[0]) => {
      stopping.abort(new Error('enough'))
      return levelVad.advance(turns)
    },
  }
  const decoder = aDecoder([channelOf([[0, 400]])])
  const cutting = await cutFile({ decoder, vad }, 'a.wav', { channels: 'mix', signal: stopping.signal })
  await t.throwsAsync(
    async () => {
      for await (const chunk of cutting) t.fail(String(chunk.channel))
    },
    { message: 'enough' },
  )
})

function places({ chunk, channel }: ChannelChunk): unknown {
  return { ...chunk, channel }
}

const rates = { both: [0.5, 0.5], left: [0.5, 0], right: [0, 0.5] } as const

/** Somebody speaks on these channels, for so many seconds each. */
function recordingOf(spans: readonly (readonly [keyof typeof rates, number])[]): Float32Array[] {
  return [0, 1].map((channel) =>
    joinedSamples(spans.map(([who, seconds]) => new Float32Array(seconds * rate).fill(rates[who][channel]!))),
  )
}

async function cutByItself(channels: readonly Float32Array[]) {
  const cutting = await cutFile({ decoder: aDecoder(channels), vad: levelVad }, 'a.wav', { channels: 'auto' })
  const chunks: ChannelChunk[] = []
  for await (const chunk of cutting) chunks.push(chunk)
  return { channels: cutting.channels, seconds: cutting.seconds, chunks }
}

test('left to itself, a call is cut by its sides and anything else as one', async (t) => {
  const call = await cutByItself(
    recordingOf([
      ['left', 12],
      ['right', 4],
    ]),
  )
  t.deepEqual([call.channels, call.seconds], [2, 16])
  t.deepEqual([...new Set(call.chunks.map(({ channel }) => channel))], [0, 1])
  const room = await cutByItself(recordingOf([['both', 20]]))
  t.deepEqual([room.channels, room.seconds], [1, 20])
  t.true(room.chunks.every(({ channel, samples }) => channel === 0 && samples.every((sample) => sample === 0.5)))
  const single = await cutByItself([new Float32Array(5 * rate).fill(0.5)])
  t.deepEqual([single.channels, single.seconds], [1, 5])
})

test('who speaks for the first time after two minutes has no side of their own', async (t) => {
  const { channels, seconds } = await cutByItself(
    recordingOf([
      ['left', 125],
      ['right', 10],
    ]),
  )
  t.deepEqual([channels, seconds], [1, 135])
})

test('leaving a recording that was left to itself ends its decoding', async (t) => {
  let isEnded = false
  const recording = recordingOf([
    ['left', 60],
    ['right', 60],
  ])
  const decoder = aDecoder(recording, { onRelease: () => (isEnded = true) })
  const cutting = await cutFile({ decoder, vad: levelVad }, 'a.wav', { channels: 'auto' })
  for await (const _ of cutting) break
  t.true(isEnded)
})
