import test from 'ava'

import { decodeG711, encodeG711 } from '../../../infra/speech/audio/signal/g711.ts'
import { createInputDecoder, decodeClip } from '../../../realtime/session/input/audio-in.ts'
import { AudioRing } from '../../../realtime/session/input/audio-ring.ts'
import { readWhole } from '../../../realtime/session/input/turn-reader.ts'
import { createKeptAudio } from '../../../realtime/session/items/kept-audio.ts'
import { createOutputEncoder } from '../../../realtime/session/output/audio-out.ts'
import { defaultSessionLimits } from '../../../realtime/session/limits.ts'
import { parseFrame } from '../../../realtime/wire/client-events.ts'
import { says } from '../../support/realtime-fakes.ts'
import { aSession, audioOf } from '../../support/realtime-session.ts'

const tone = (samples: number, rate: number) =>
  Float32Array.from({ length: samples }, (_, index) => 0.3 * Math.sin((2 * Math.PI * 440 * index) / rate))
const pcm = (samples: Float32Array) => Int16Array.from(samples, (sample) => Math.round(sample * 32_767))
const bytes = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)

test('how sound is cut into events leaves no trace, not even inside a sample', (t) => {
  const whole = bytes(pcm(tone(24_000, 24_000)))
  const decoder = createInputDecoder('pcm16')
  const pieces: number[] = []
  for (let at = 0, size = 1; at < whole.length; at += size, size = (size * 7 + 3) % 997)
    pieces.push(...decoder.decode(whole.subarray(at, at + (size || 1)).toString('base64'))!)
  t.deepEqual(Int16Array.from(pieces), pcm(tone(24_000, 24_000)))
})

for (const [format, law] of [
  ['g711_ulaw', 'mu-law'],
  ['g711_alaw', 'a-law'],
] as const) {
  test(`${format} comes in as the sound it stands for`, async (t) => {
    const audio = decodeClip(Buffer.from(encodeG711(tone(8_000, 8_000), law)).toString('base64'), format)!
    const heard = await readWhole(audio)
    t.is(heard.length, 16_000)
    const expected = tone(16_000, 16_000)
    const worst = Math.max(
      ...heard.subarray(200, 15_800).map((sample, index) => Math.abs(sample - expected[index + 200]!)),
    )
    t.true(worst < 0.02, `${worst}`)
  })

  test(`${format} goes out as the sound it stands for, whole and without a click between clauses`, (t) => {
    const encoder = createOutputEncoder(format)
    const audio = pcm(tone(24_000, 24_000))
    const out = Buffer.concat([
      encoder.encode(audio.subarray(0, 7_001)),
      encoder.encode(audio.subarray(7_001)),
      encoder.flush(),
    ])
    t.is(out.length, 8_000)
    const expected = tone(8_000, 8_000)
    const worst = Math.max(
      ...decodeG711(out, law)
        .subarray(100, 7_900)
        .map((sample, index) => Math.abs(sample - 32_768 * expected[index + 100]!)),
    )
    t.true(worst < 0.02 * 32_768, `${worst}`)
  })

  for (const dialect of ['ga', 'beta'] as const)
    test(`a session in ${dialect} hears and speaks ${format}`, async (t) => {
      const session = aSession(t, { dialect })
      const formats = { input_audio_format: format, output_audio_format: format, turn_detection: null }
      session.send({ type: 'session.update', session: formats })
      const audio = Buffer.from(encodeG711(tone(1_600, 8_000), law)).toString('base64')
      session.send({ type: 'input_audio_buffer.append', audio })
      session.send({ type: 'input_audio_buffer.commit' })
      session.model.next.push(says('One two three.'))
      session.send({ type: 'response.create' })
      await session.next('response.done')
      t.is(session.listener.asked[0]!.samples, 3_200)
      const deltas = session.only(dialect === 'ga' ? 'response.output_audio.delta' : 'response.audio.delta')
      const sent = deltas.reduce((sum, { delta }) => sum + Buffer.from(delta, 'base64').length, 0)
      t.is(sent, 2_400)
    })
}

test('the format may change within a session, and its times go on', async (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { turn_detection: null, input_audio_transcription: {} } })
  session.send({ type: 'input_audio_buffer.append', audio: audioOf(200, true) })
  session.send({ type: 'session.update', session: { input_audio_format: 'g711_ulaw' } })
  session.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(1_600, 0xff).toString('base64') })
  session.send({ type: 'input_audio_buffer.commit' })
  await session.next('conversation.item.input_audio_transcription.completed')
  t.is(session.listener.asked[0]!.samples, 6_400)
})

test('a ring keeps what it is told to keep, by position', (t) => {
  const ring = new AudioRing(16_000)
  const ramp = (from: number, count: number) => Int16Array.from({ length: count }, (_, index) => (from + index) % 1_000)
  let fed = 0
  for (let round = 0; round < 50; round += 1) {
    const count = 1 + ((round * 977) % 5_000)
    ring.append(ramp(fed, count))
    fed += count
    ring.dropBefore(fed - ((round * 613) % 9_000))
    t.is(ring.end, fed)
    const { pcm: kept } = ring.read(ring.start, ring.end)
    t.deepEqual(kept, ramp(ring.start, ring.end - ring.start))
  }
  t.is(ring.read(0, 1).pcm.length, 0)
})

test('a ring that changes its rate keeps its sound and its positions', (t) => {
  const ring = new AudioRing(24_000)
  ring.append(pcm(tone(36_000, 24_000)))
  ring.dropBefore(8_000)
  t.deepEqual([ring.start, ring.end], [8_000, 24_000])
  t.deepEqual(ring.read(8_000, 24_000).pcm, pcm(tone(36_000, 24_000)).subarray(12_000))
  ring.changeRate(8_000)
  t.deepEqual([ring.start, ring.end], [8_000, 24_000])
  ring.append(new Int16Array(800))
  t.is(ring.end, 25_600)
  const { pcm: kept, rate } = ring.read(16_000, 17_600)
  t.is(rate, 8_000)
  const expected = pcm(tone(12_000, 8_000)).subarray(8_000, 8_800)
  t.true(kept.every((sample, index) => Math.abs(sample - expected[index]!) < 100))
})

test('of the sound of items the oldest is forgotten first', (t) => {
  const kept = createKeptAudio(2)
  kept.keep('a', { pcm: new Int16Array(16_000), rate: 16_000 })
  kept.keep('b', { pcm: new Int16Array(24_000), rate: 24_000 })
  kept.keep('c', { pcm: new Int16Array(12_000), rate: 24_000 })
  t.is(kept.find('a'), undefined)
  t.is(kept.find('b')?.pcm.length, 24_000)
  kept.cut('b', 250)
  t.is(kept.find('b')?.pcm.length, 6_000)
  kept.forget('c')
  t.is(kept.find('c'), undefined)
})

test('however a client writes an event with sound, it is the same sound', (t) => {
  const audio = bytes(Int16Array.from({ length: 2_400 }, (_, index) => 37 * index)).toString('base64')
  t.true(audio.includes('/'))
  const type = 'input_audio_buffer.append'
  for (const frame of [
    JSON.stringify({ type, audio }),
    JSON.stringify({ type, audio, event_id: 'mine' }),
    JSON.stringify({ audio, type }),
    JSON.stringify({ type, audio }).replaceAll('/', String.raw`\/`),
    JSON.stringify({ type, audio }, null, 2),
  ])
    t.like(parseFrame(frame, defaultSessionLimits), { event: { type, audio } }, frame.slice(0, 60))
  const unfinished = parseFrame(`{"type":"${type}","audio":"${audio}`, defaultSessionLimits)
  t.like(unfinished, { refusal: { code: 'invalid_json' } })
})
