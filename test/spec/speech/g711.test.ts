import test from 'ava'
import * as fc from 'fast-check'

import {
  aLawByte,
  aLawValue,
  decodeG711,
  encodeG711,
  muLawByte,
  muLawValue,
} from '../../../infra/speech/audio/signal/g711.ts'

// Decision and output values of ITU-T G.711, tables 1a to 2b, scaled from 14 and 13 bits to 16.
const muLaw: readonly (readonly [code: number, value: number])[] = [
  [0x80, 32_124],
  [0x8f, 16_764],
  [0x90, 15_996],
  [0x9f, 8_316],
  [0xaf, 4_092],
  [0xbf, 1_980],
  [0xcf, 924],
  [0xdf, 396],
  [0xef, 132],
  [0xfe, 8],
  [0xff, 0],
  [0x7e, -8],
  [0x00, -32_124],
]
const aLaw: readonly (readonly [code: number, value: number])[] = [
  [0xaa, 32_256],
  [0xa5, 16_896],
  [0xba, 16_128],
  [0xb5, 8_448],
  [0x85, 4_224],
  [0x95, 2_112],
  [0xe5, 1_056],
  [0xf5, 528],
  [0xd4, 24],
  [0xd5, 8],
  [0x55, -8],
  [0x2a, -32_256],
]

test('µ-law codes have the values of the recommendation', (t) => {
  for (const [code, value] of muLaw) t.is(muLawValue(code), value, `code ${code}`)
})

test('A-law codes have the values of the recommendation', (t) => {
  for (const [code, value] of aLaw) t.is(aLawValue(code), value, `code ${code}`)
})

test('every code survives decoding and encoding, but the negative zero of µ-law', (t) => {
  for (let code = 0; code < 256; code += 1) {
    t.is(aLawByte(aLawValue(code)), code)
    t.is(muLawByte(muLawValue(code)), code === 0x7f ? 0xff : code)
  }
})

test('an encoded sample is the nearest code within half a step of the segment', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -32_768, max: 32_767 }), (pcm) => {
      const halfStep = Math.max(16, 2 ** Math.floor(Math.log2(Math.abs(pcm) + 132)) / 32)
      const clip = Math.max(0, Math.abs(pcm) - 32_124)
      return (
        Math.abs(muLawValue(muLawByte(pcm)) - pcm) <= halfStep + clip &&
        Math.abs(aLawValue(aLawByte(pcm)) - pcm) <= halfStep + clip
      )
    }),
    { numRuns: 2_000 },
  )
  t.pass()
})

test('telephone bytes become floats and the same bytes again', (t) => {
  const bytes = Uint8Array.from({ length: 256 }, (_, code) => code)
  t.deepEqual(encodeG711(floats(decodeG711(bytes, 'a-law')), 'a-law'), bytes)
  const twice = encodeG711(floats(decodeG711(bytes, 'mu-law')), 'mu-law')
  t.deepEqual(
    twice,
    Uint8Array.from(bytes, (code) => (code === 0x7f ? 0xff : code)),
  )
  t.true(decodeG711(bytes, 'mu-law').every((sample) => Math.abs(sample) < 32_768))
})

test('samples beyond full scale are clipped, not wrapped', (t) => {
  const loud = Float32Array.of(3, -3)
  t.deepEqual([...decodeG711(encodeG711(loud, 'mu-law'), 'mu-law')], [32_124, -32_124])
  t.deepEqual([...decodeG711(encodeG711(loud, 'a-law'), 'a-law')], [32_256, -32_256])
})

const floats = (pcm: Int16Array): Float32Array => Float32Array.from(pcm, (sample) => sample / 32_768)
