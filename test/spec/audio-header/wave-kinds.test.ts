import test from 'ava'

import { aWavFormat, u64le } from '../../support/media.ts'
import { summary } from '../../support/probing.ts'
import { aRifx, aWave64, aWave64Of, aWavIn64Bits } from '../../support/wave-kinds.ts'

const oneSecond = new Int16Array(16_000)
const audioOfASecond = new Uint8Array(32_000)

test('BW64, RF64 and RIFX are WAV', async (t) => {
  for (const content of [aWavIn64Bits('BW64', oneSecond), aWavIn64Bits('RF64', oneSecond), aRifx(oneSecond)])
    t.is(await summary(content), 'audio/wav 1.000')
})

test('a RIFX that was cut off plays as far as it goes', async (t) => {
  t.is(await summary(aRifx(oneSecond).subarray(0, 44 + 16_000)), 'audio/wav 0.500')
})

test('a RIFX with an extended format is refused, as the decoder cannot read it', async (t) => {
  t.regex(await summary(aRifx(oneSecond, new Uint8Array(2))), /RIFX with an extended format/)
})

test('Wave64 plays for as long as its data chunk is, or as far as it goes', async (t) => {
  t.is(await summary(aWave64(oneSecond)), 'audio/x-w64 1.000')
  t.is(await summary(aWave64Of([aWavFormat(), ['data', audioOfASecond, Number.MAX_SAFE_INTEGER]])), 'audio/x-w64 1.000')
  t.is(await summary(aWave64(oneSecond).subarray(0, 104 + 16_000)), 'audio/x-w64 0.500')
})

test('chunks of Wave64 are filled up to eight bytes, and what follows the sound is not sound', async (t) => {
  const chunks = [
    ['junk', new Uint8Array(3)],
    aWavFormat(),
    ['data', audioOfASecond],
    ['list', audioOfASecond],
  ] as const
  t.is(await summary(aWave64Of(chunks)), 'audio/x-w64 1.000')
})

test('a compressed Wave64 tells its length in its fact chunk', async (t) => {
  const format = aWavFormat({ tag: 0x11, bits: 4, bytesPerSecond: 8_000 })
  t.is(await summary(aWave64Of([format, ['fact', u64le(48_000)], ['data', audioOfASecond]])), 'audio/x-w64 3.000')
})

test('a Wave64 without sound in it, or with sizes that cannot be, is refused', async (t) => {
  t.regex(await summary(aWave64Of([aWavFormat(), ['data', new Uint8Array()]])), /no sound after it/)
  t.regex(await summary(aWave64Of([aWavFormat()])), /header is broken or cut off/)
  t.regex(await summary(aWave64Of([['data', audioOfASecond]])), /header is broken or cut off/)
  t.regex(await summary(aWave64Of([['junk', audioOfASecond, 0]])), /header is broken or cut off/)
  t.regex(await summary(aWave64Of([aWavFormat({ channels: 0 }), ['data', audioOfASecond]])), /0 channels/)
})
