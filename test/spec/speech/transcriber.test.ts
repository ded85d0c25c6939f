import { setMaxListeners } from 'node:events'

import test from 'ava'

import type { Transcriber } from '../../../actors/chunk/ports.ts'
import { batchWordsKey, chunkAudioKey, earlierChunkKey } from '../../../actors/ids.ts'
import type { TranscribeSettings } from '../../../actors/run/state.ts'
import { newIds } from '../../../infra/ids/new-ids.ts'
import type { ChannelChunk } from '../../../infra/speech/engine/cut.ts'
import type { TranscribedChunk } from '../../../infra/speech/transcript/transcribed-chunk.ts'
import { encodeChunk } from '../../../infra/speech/work/chunk-audio.ts'
import { createTranscriber } from '../../../infra/speech/work/transcriber.ts'
import type { Batching, TranscriberParts } from '../../../infra/speech/work/transcriber.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { aTranscript } from '../../support/recognisers.ts'
import { anOrder } from '../../support/speech-orders.ts'
import { watchedBlobs } from '../../support/watched-blobs.ts'

const settings: TranscribeSettings = { script: 'native', channels: 'mix', language: 'en', hotwords: ['Vaak'] }
const order = anOrder({ settings })
const nobody = new AbortController().signal
setMaxListeners(0, nobody) // all tests share it
const alone: Batching = { size: 1, ageMs: 0 }
const never = 60_000

test('a chunk is told with its times in the recording, its words and everything that was heard', async (t) => {
  const transcriber = aTranscriber({ chunks: 3 })
  const heard = await transcribe(transcriber, 2)
  t.like(heard, { start: 2, end: 3, text: 'word 2', language: 'en', confidence: 0.9, model: 'fake' })
  t.like(heard.heard, { chunk: { start: 32_000, end: 48_000 }, channel: 0, model: 'fake' })
})

test('its words are in the script that was asked for', async (t) => {
  const transcriber = aTranscriber({ transcribe: answering(aTranscript('मेरा office बंद है', { language: 'hi' })) })
  t.is((await transcribe(transcriber, 0)).text, 'मेरा ऑफिस बंद है')
  t.is((await transcribe(transcriber, 0, { ...settings, script: 'mixed' })).text, 'मेरा office बंद है')
  const latin = await transcribe(transcriber, 0, { ...settings, script: 'latin' })
  t.notRegex(latin.text, /\p{Script=Devanagari}/u)
  t.is(latin.language, 'hi')
})

test('a chunk without words has no language', async (t) => {
  const transcriber = aTranscriber({ transcribe: answering(aTranscript('')) })
  t.like(await transcribe(transcriber, 0), { text: '', language: 'und' })
})

test('what was asked for reaches whoever hears it', async (t) => {
  const asked: unknown[] = []
  const transcriber = aTranscriber({
    transcribe: (audio, hearing) => {
      asked.push(hearing.settings, hearing.work.chunk)
      return Promise.resolve(heardOf(audio))
    },
  })
  await transcribe(transcriber, 0)
  t.deepEqual(asked, [settings, 0])
})

test('chunks that are gathered give what each gives by itself', async (t) => {
  const apart = aTranscriber({ chunks: 6 })
  const together = aTranscriber({ chunks: 6, batch: { size: 3, ageMs: never } })
  const all = [0, 1, 2, 3, 4, 5]
  t.deepEqual(
    await Promise.all(all.map((chunk) => transcribe(together, chunk))),
    await Promise.all(all.map((chunk) => transcribe(apart, chunk))),
  )
})

test('gathered chunks wait for company, are loaded together, and then heard together', async (t) => {
  const events: string[] = []
  const blobs = audioOf(2)
  const opened: (typeof blobs)['open'] = (key) => {
    events.push('load')
    return blobs.open(key)
  }
  const transcriber = createTranscriber({
    blobs: { ...blobs, open: opened },
    batch: { size: 2, ageMs: never },
    transcribe(audio) {
      events.push('transcribe')
      return Promise.resolve(heardOf(audio))
    },
  })
  const first = transcribe(transcriber, 0)
  await Promise.resolve()
  t.deepEqual(events, [])
  await Promise.all([first, transcribe(transcriber, 1)])
  t.deepEqual(events, ['load', 'load', 'transcribe', 'transcribe'])
})

test('the oldest of them leaves after a while without company', async (t) => {
  t.is((await transcribe(aTranscriber({ batch: { size: 8, ageMs: 1 } }), 0)).text, 'word 0')
})

test('one that is aborted, fails or is missing does not harm those it was gathered with', async (t) => {
  const stopping = new AbortController()
  const transcriber = aTranscriber({
    chunks: 3,
    batch: { size: 4, ageMs: never },
    transcribe(audio, { work, signal }) {
      if (work.chunk === 1) return Promise.reject(new Error('it fell over'))
      if (work.chunk !== 0) return Promise.resolve(heardOf(audio))
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        stopping.abort(new Error('enough'))
      })
    },
  })
  const aborted = transcriber.transcribe({ ...order, chunk: 0, attempt: 1 }, settings, stopping.signal)
  const failed = transcribe(transcriber, 1)
  const missing = transcribe(transcriber, 9)
  const fine = transcribe(transcriber, 2)
  await t.throwsAsync(aborted, { message: 'enough' })
  await t.throwsAsync(failed, { message: 'it fell over' })
  await t.throwsAsync(missing, { message: /no longer in storage/ })
  t.is((await fine).text, 'word 2')
})

test('an answer does not wait for those that were gathered with it', async (t) => {
  const transcriber = aTranscriber({
    chunks: 2,
    batch: { size: 2, ageMs: never },
    transcribe: (audio, { work }) =>
      work.chunk === 0 ? Promise.resolve(heardOf(audio)) : new Promise(() => undefined),
  })
  const stuck = new AbortController()
  const slow = transcriber.transcribe({ ...order, chunk: 1, attempt: 1 }, settings, stuck.signal)
  t.is((await transcribe(transcriber, 0)).text, 'word 0')
  stuck.abort(new Error('late'))
  await t.throwsAsync(slow, { message: 'late' })
})

test('one that is aborted while it waits for company is never heard', async (t) => {
  const stopping = new AbortController()
  const transcriber = aTranscriber({
    chunks: 2,
    batch: { size: 2, ageMs: never },
    transcribe(audio, { work }) {
      if (work.chunk === 0) t.fail()
      return Promise.resolve(heardOf(audio))
    },
  })
  const aborted = transcriber.transcribe({ ...order, chunk: 0, attempt: 1 }, settings, stopping.signal)
  stopping.abort(new Error('enough'))
  await t.throwsAsync(aborted, { message: 'enough' })
  t.is((await transcribe(transcriber, 1)).text, 'word 1')
})

test('transcribed again for a word it keeps the others, and says since when, and whether the word came', async (t) => {
  const blobs = audioOf(1)
  const store = (key: string, value: object) => blobs.stored.set(key, Buffer.from(JSON.stringify(value)))
  const again = async (text: string) => {
    const used = { id: newIds(aManualClock()).nextVocabularyId(), version: 1, sha256: text }
    store(batchWordsKey(order), { ...used, entries: [{ text: 'Meera' }, { text: 'Kurla' }], sought: ['Meera'] })
    const transcriber = createTranscriber({ blobs, batch: alone, transcribe: answering(aTranscript(text)) })
    return transcribe(transcriber, 0, { ...settings, vocabulary: used })
  }
  const first = { ...(await again('trees and mirror stay')), attempts: 2, startedAtMs: 5, tookMs: 1 }
  t.is(first.earlier, undefined, 'there is nothing that it could keep')
  store(earlierChunkKey(order, 0), first)
  const earlier = { startedAtMs: 5, attempts: 2 }
  t.like(await again('boasting or Kurla play'), { text: first.text, earlier: { ...earlier, isChanged: false } })
  const changed = await again('boasting or Meera play')
  t.like(changed, { text: 'trees and Meera stay', earlier: { ...earlier, isChanged: true } })
  store(earlierChunkKey(order, 0), { ...changed, attempts: 1, startedAtMs: 9, tookMs: 1 })
  t.like(await again('once more Meera'), { text: changed.text, earlier: { ...earlier, isChanged: false } })
})

for (const batch of [alone, { size: 2, ageMs: 0 }])
  test(`an abort ends the wait at once, whoever does not listen to it (${batch.size} at a time)`, async (t) => {
    const stopping = new AbortController()
    const transcriber = aTranscriber({
      batch,
      transcribe() {
        stopping.abort(new Error('enough'))
        return new Promise(() => undefined)
      },
    })
    const heard = transcriber.transcribe({ ...order, chunk: 0, attempt: 1 }, settings, stopping.signal)
    await t.throwsAsync(heard, { message: 'enough' })
  })

interface Shape {
  readonly chunks?: number
  readonly batch?: Batching
  readonly transcribe?: TranscriberParts['transcribe']
}

function aTranscriber({ chunks = 1, batch = alone, transcribe: given }: Shape): Transcriber {
  return createTranscriber({
    blobs: audioOf(chunks),
    batch,
    transcribe: given ?? ((audio) => Promise.resolve(heardOf(audio))),
  })
}

/** Chunks of a second each. */
function audioOf(chunks: number): ReturnType<typeof watchedBlobs> {
  const blobs = watchedBlobs()
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const [start, end] = [16_000 * chunk, 16_000 * (chunk + 1)]
    const place = { chunk: { start, end, ownStart: start, ownEnd: end }, channel: 0, speech: [] }
    blobs.stored.set(
      chunkAudioKey(order, chunk),
      encodeChunk({ ...place, samples: new Float32Array(16_000).fill(chunk / 100) }),
    )
  }
  return blobs
}

/** By its audio. */
function heardOf(
  audio: ChannelChunk,
  transcript = aTranscript(`word ${Math.round(audio.samples[0]! * 100)}`),
): TranscribedChunk {
  const { chunk, channel, speech } = audio
  return { chunk, channel, speech, model: 'fake', transcript, unheard: [], measures: { segments: [], laughing: [] } }
}

function answering(transcript: ReturnType<typeof aTranscript>): TranscriberParts['transcribe'] {
  return (audio) => Promise.resolve(heardOf(audio, transcript))
}

function transcribe(transcriber: Transcriber, chunk: number, wanted = settings): ReturnType<Transcriber['transcribe']> {
  return transcriber.transcribe({ ...order, chunk, attempt: 1 }, wanted, nobody)
}
