import { setImmediate as turn } from 'node:timers/promises'

import test from 'ava'

import type { Analyst } from '../../../infra/speech/analysis/analyst.ts'
import { createRouter } from '../../../infra/speech/asr/router.ts'
import type { Router } from '../../../infra/speech/asr/router.ts'
import { createEngine } from '../../../infra/speech/engine/engine.ts'
import type { SpeechEngine, TranscribeOptions } from '../../../infra/speech/engine/engine.ts'
import { aDecoder } from '../../support/decoder.ts'
import type { DecoderShape } from '../../support/decoder.ts'
import { eventually } from '../../support/eventually.ts'
import { levelVad } from '../../support/level-vad.ts'
import { aRecogniser, aTranscript, noPunctuator } from '../../support/recognisers.ts'
import { joinedSamples } from '../../support/samples.ts'

const rate = 16_000
const options: TranscribeOptions = { script: 'native', channels: 'mix', speechInformation: false }

test('silence yields no chunks: no recogniser is ever asked', async (t) => {
  const engine = anEngine(
    [silence(300)],
    hearing(() => t.fail()),
  )
  const result = await engine.transcribe('silence.wav', options)
  t.like(result, { text: '', language: 'und', segments: [], warnings: [], duration_seconds: 300 })
})

test('a recording without a single sample has no text', async (t) => {
  const result = await anEngine(
    [new Float32Array(0)],
    hearing(() => t.fail()),
  ).transcribe('empty.wav', options)
  t.like(result, { text: '', duration_seconds: 0 })
})

test('speech is heard once, without the silence around it', async (t) => {
  const heard: number[] = []
  const engine = anEngine(
    [joinedSamples([silence(20), speech(5), silence(20)])],
    hearing((clip) => heard.push(clip.length / rate)),
  )
  const { segments } = await engine.transcribe('a.wav', options)
  t.is(heard.length, 1)
  t.true(heard[0]! >= 5 && heard[0]! < 7)
  t.true(segments[0]!.start > 18 && segments[0]!.start < 21)
})

test('hotwords reach the recogniser', async (t) => {
  const recogniser = aRecogniser({}, () => aTranscript('hello'))
  const router = createRouter({
    again: [],
    first: () => Promise.resolve(recogniser),
    recogniser: () => Promise.resolve(recogniser),
    fallback: () => Promise.resolve(recogniser),
    detector: () => Promise.reject(new Error('the language was given')),
    close: () => Promise.resolve(),
  })
  await anEngine([speech(2)], router).transcribe('a.wav', { ...options, language: 'en', hotwords: ['Vaak', 'Rao'] })
  t.deepEqual(recogniser.asked[0]!.hotwords, ['Vaak', 'Rao'])
})

test('each channel is cut and heard by itself', async (t) => {
  const channels = [joinedSamples([speech(3), silence(10)]), joinedSamples([silence(10), speech(3)])]
  const { segments } = await anEngine(channels, hearing()).transcribe('call.wav', { ...options, channels: 'separate' })
  t.deepEqual(
    segments.map(({ channel }) => channel),
    [0, 1],
  )
})

test('no more chunks are in the hands of recognisers than the limit allows', async (t) => {
  let running = 0
  let most = 0
  const router: Router = {
    async transcribe() {
      most = Math.max(most, (running += 1))
      await turn()
      running -= 1
      return { transcript: aTranscript('hello'), model: 'fake' }
    },
    close: () => Promise.resolve(),
  }
  await anEngine([speech(600)], router, { chunksInFlight: 3 }).transcribe('long.wav', options)
  t.is(most, 3)
})

test('passages in doubt are named in the order of time, whichever was heard first', async (t) => {
  let turns = 5
  const router: Router = {
    async transcribe() {
      for (let wait = (turns -= 1); wait > 0; wait -= 1) await turn()
      return { transcript: aTranscript('hmm', { flags: ['doubtful'] }), model: 'fake' }
    },
    close: () => Promise.resolve(),
  }
  const audio = joinedSamples([speech(3), silence(97), speech(3)])
  const { warnings } = await anEngine([audio], router).transcribe('a.wav', options)
  t.is(warnings.length, 2)
  t.regex(warnings[0]!, /^From 0:00 to 0:03 the words are doubtful\.$/)
  t.regex(warnings[1]!, /^From 1:\d\d to 1:43 the words are doubtful\.$/)
})

test('a recogniser that fails ends the file with its reason, and the decoding with it', async (t) => {
  const released: string[] = []
  const router: Router = { transcribe: () => Promise.reject(new Error('no memory')), close: () => Promise.resolve() }
  const engine = anEngine([speech(2000)], router, { onRelease: () => released.push('released') })
  await t.throwsAsync(engine.transcribe('a.wav', options), { message: 'no memory' })
  t.deepEqual(released, ['released'])
})

test('a signal ends the work at once, and the decoding with it', async (t) => {
  const released: string[] = []
  const stopping = new AbortController()
  const router: Router = {
    transcribe: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason))
        stopping.abort(new Error('enough'))
      }),
    close: () => Promise.resolve(),
  }
  const engine = anEngine([speech(2000)], router, { onRelease: () => released.push('released') })
  await t.throwsAsync(engine.transcribe('a.wav', { ...options, signal: stopping.signal }), { message: 'enough' })
  t.deepEqual(released, ['released'])
})

test('progress grows up to the length that the header tells', async (t) => {
  const seen: [number, number | null][] = []
  const engine = anEngine([joinedSamples([speech(20), silence(10), speech(20)])], hearing())
  await engine.transcribe('a.wav', { ...options, onProgress: (heard, input) => seen.push([heard, input]) })
  t.true(seen.length >= 2)
  t.true(seen.every(([heard, of], index) => of === 50 && heard >= (seen[index - 1]?.[0] ?? 0)))
  t.is(seen.at(-1)![0], 50)
})

test('silence is done with as soon as it is known to be silence', async (t) => {
  const seen: number[] = []
  const engine = anEngine([silence(300)], hearing())
  await engine.transcribe('a.wav', { ...options, onProgress: (done) => seen.push(Math.round(done)) })
  t.deepEqual(seen, [239, 300])
})

test('a chunk that is heard before an earlier one does not count for both', async (t) => {
  const seen: number[] = []
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let chunks = 0
  const router: Router = {
    async transcribe() {
      if ((chunks += 1) === 1) await held
      return { transcript: aTranscript('hello'), model: 'fake' }
    },
    close: () => Promise.resolve(),
  }
  const engine = anEngine([joinedSamples([speech(20), silence(10), speech(20)])], router)
  const transcribed = engine.transcribe('a.wav', { ...options, onProgress: (done) => seen.push(Math.round(done)) })
  await eventually('the second chunk is done', () => seen.length === 2)
  release()
  await transcribed
  t.is(seen[0], 9, 'the silence between them, but for the padding')
  t.true(seen[1]! > 28 && seen[1]! < 32)
  t.is(seen.at(-1), 50)
})

test('of a call with two sides, one side is half', async (t) => {
  const seen: number[] = []
  const channels = [speech(20), speech(20)]
  const separate = { ...options, channels: 'separate' as const }
  await anEngine(channels, hearing()).transcribe('call.wav', { ...separate, onProgress: (done) => seen.push(done) })
  t.deepEqual(seen, [10, 20])
})

test('the last block tells the length where a header does not, or tells a wrong one', async (t) => {
  for (const declaredSeconds of [null, 5, 500]) {
    const seen: [number, number | null][] = []
    const engine = anEngine([speech(300)], hearing(), { declaredSeconds })
    await engine.transcribe('a.wav', { ...options, onProgress: (...both) => seen.push(both) })
    t.is(seen[0]![1], declaredSeconds)
    t.deepEqual(seen.at(-1), [300, 300])
  }
})

test('the limit on chunks holds for all files that are on their way together', async (t) => {
  let running = 0
  let most = 0
  const router: Router = {
    async transcribe() {
      most = Math.max(most, (running += 1))
      await turn()
      running -= 1
      return { transcript: aTranscript('hello'), model: 'fake' }
    },
    close: () => Promise.resolve(),
  }
  const engine = anEngine([speech(300)], router, { chunksInFlight: 3 })
  await Promise.all(['a.wav', 'b.wav', 'c.wav'].map((path) => engine.transcribe(path, options)))
  t.is(most, 3)
})

test('a file that fails takes no place from the others', async (t) => {
  let fails = true
  const router: Router = {
    transcribe: () =>
      fails
        ? Promise.reject(new Error('no memory'))
        : Promise.resolve({ transcript: aTranscript('hi'), model: 'fake' }),
    close: () => Promise.resolve(),
  }
  const engine = anEngine([speech(300)], router, { chunksInFlight: 2 })
  await t.throwsAsync(engine.transcribe('a.wav', options), { message: 'no memory' })
  fails = false
  t.true((await engine.transcribe('b.wav', options)).segments.length > 0)
})

/** Hears one word in every chunk. */
function hearing(onClip: (clip: Float32Array) => unknown = () => undefined): Router {
  return {
    transcribe(clip) {
      onClip(clip)
      return Promise.resolve({ transcript: aTranscript('hello'), model: 'fake' })
    },
    close: () => Promise.resolve(),
  }
}

function anEngine(
  channels: readonly Float32Array[],
  router: Router,
  input: DecoderShape & { chunksInFlight?: number } = {},
): SpeechEngine {
  const { chunksInFlight = 4, ...shape } = input
  const decoder = aDecoder(channels, shape)
  const analyst: Analyst = {
    measure: () => Promise.resolve({ segments: [], laughing: [] }),
    close: () => Promise.resolve(),
  }
  return createEngine({ decoder, vad: levelVad, router, punctuator: noPunctuator, analyst, chunksInFlight })
}

function silence(seconds: number): Float32Array {
  return new Float32Array(seconds * rate)
}

function speech(seconds: number): Float32Array {
  return new Float32Array(seconds * rate).fill(0.5)
}
