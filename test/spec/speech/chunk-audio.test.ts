import test from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { decodeWav, encodeWav } from '../../../infra/speech/audio/wav.ts'
import type { ChannelChunk } from '../../../infra/speech/engine/cut.ts'
import { decodeChunk, encodeChunk } from '../../../infra/speech/work/chunk-audio.ts'

const place = {
  chunk: { start: 16_000, end: 16_004, ownStart: 16_001, ownEnd: 16_003 },
  channel: 1,
  speech: [{ start: 16_001, end: 16_002 }],
}

test('a chunk comes back with its sound and its place in the recording', (t) => {
  const chunk: ChannelChunk = { ...place, samples: Float32Array.of(0.5, -0.25, 0, 1 / 32_768) }
  t.deepEqual(decodeChunk(encodeChunk(chunk)), chunk)
})

test('a chunk that is only suspected to be speech comes back as such', (t) => {
  const chunk: ChannelChunk = { ...place, unsure: true, samples: Float32Array.of(0.5, -0.25, 0, 0) }
  t.deepEqual(decodeChunk(encodeChunk(chunk)), chunk)
})

test('sound beyond full scale is not clipped', (t) => {
  const chunk: ChannelChunk = { ...place, samples: Float32Array.of(5, -0.5, 0, -5) }
  t.deepEqual(decodeChunk(encodeChunk(chunk)), chunk)
})

test('what it is stands in the file in plain words', (t) => {
  const stored = decodeWav(encodeChunk({ ...place, samples: Float32Array.of(0.5, 0, 0, 0) }))!
  t.deepEqual(JSON.parse(Buffer.from(stored.extra.get('vaak')!).toString()), { ...place, gain: 1 })
})

test('the same chunk gives the same bytes', (t) => {
  const chunk: ChannelChunk = { ...place, samples: Float32Array.of(0.1, 0.2, 0.3, 0.4) }
  t.deepEqual(encodeChunk(chunk), encodeChunk(chunk))
})

test('a damaged object is a failure for good', (t) => {
  const audio = encodeWav({ samples: Float32Array.of(0.5), extra: new Map() })
  for (const bytes of [audio, audio.subarray(0, 20), new Uint8Array()]) {
    const error = t.throws(() => decodeChunk(bytes), { instanceOf: FailureError })
    t.like(error.failure, { kind: 'terminal', detail: 'The stored sound of this chunk is damaged.' })
  }
})
