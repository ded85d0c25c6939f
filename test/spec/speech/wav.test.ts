import test from 'ava'
import * as fc from 'fast-check'

import { decodeWav, encodeWav } from '../../../infra/speech/audio/wav.ts'
import { aRiff, aWavFormat } from '../../support/media.ts'

const sixteenBits = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 50 })

test('sound of 16 bits and everything beside it come back as they were', (t) => {
  fc.assert(
    fc.property(sixteenBits, fc.uint8Array({ maxLength: 9 }), (levels, note) => {
      const samples = Float32Array.from(levels, (level) => level / 32_768)
      const bytes = encodeWav({ samples, extra: new Map([['note', note]]) })
      const shifted = Buffer.concat([Buffer.of(0), bytes]).subarray(1) // begins at an odd place in memory
      for (const stored of [bytes, shifted]) {
        const read = decodeWav(stored)!
        t.deepEqual(read.samples, samples)
        t.deepEqual(Buffer.from(read.extra.get('note')!), Buffer.from(note))
      }
    }),
  )
})

test('what is louder than full scale is clipped, not wrapped', (t) => {
  const { samples } = decodeWav(encodeWav({ samples: Float32Array.of(3, -3, 1, -1), extra: new Map() }))!
  t.deepEqual(samples, Float32Array.of(32_767 / 32_768, -1, 32_767 / 32_768, -1))
})

test('the sound begins where every player looks for it', (t) => {
  const bytes = Buffer.from(encodeWav({ samples: Float32Array.of(0.5), extra: new Map([['note', Buffer.of(1)]]) }))
  t.is(bytes.readInt16LE(44), 16_384)
  t.is(bytes.readUInt32LE(4), bytes.length - 8)
  t.is(bytes.length % 2, 0)
})

test('anything else is not taken for sound', (t) => {
  const data = ['data', Buffer.alloc(8)] as const
  for (const other of [
    Buffer.alloc(0),
    Buffer.from('RIFF'),
    Buffer.from('a letter, which is no sound at all, but long enough to be'),
    aRiff([aWavFormat({ channels: 2 }), data]),
    aRiff([aWavFormat({ hz: 8_000 }), data]),
    aRiff([aWavFormat({ bits: 8 }), data]),
    aRiff([aWavFormat()]),
    aRiff([aWavFormat(), ['data', Buffer.alloc(8), 900]]),
  ])
    t.is(decodeWav(other), undefined)
})
