import test from 'ava'

import { aRiff, aWav, aWavFormat, u16le, u32le, u64le } from '../../support/media.ts'
import { probed, summary } from '../../support/probing.ts'

const oneSecond = new Uint8Array(32_000)

test('a WAV plays for as long as its data chunk is', async (t) => {
  t.is(await summary(aWav({ seconds: 1.5 })), 'audio/wav 1.500')
  t.is(await summary(aWav({ seconds: 0.25, hz: 48_000, channels: 2 })), 'audio/wav 0.250')
})

test('a WAV whose recorder never filled in the size plays to the end of the file', async (t) => {
  for (const size of [0, 0xffffffff])
    t.is(await summary(aRiff([aWavFormat(), ['data', oneSecond, size]])), 'audio/wav 1.000')
})

test('a WAV that was cut off plays as far as it goes', async (t) => {
  t.is(await summary(aWav({ seconds: 4 }).subarray(0, 44 + 32_000)), 'audio/wav 1.000')
})

test('what follows the sound of a WAV is not sound', async (t) => {
  t.is(await summary(aRiff([aWavFormat(), ['data', oneSecond], ['LIST', oneSecond]])), 'audio/wav 1.000')
})

test('a chunk of an odd size is followed by a filler byte', async (t) => {
  t.is(await summary(aRiff([['LIST', new Uint8Array(7)], aWavFormat(), ['data', oneSecond]])), 'audio/wav 1.000')
})

test('G.711 has one byte a sample', async (t) => {
  for (const tag of [6, 7]) {
    const format = aWavFormat({ tag, hz: 8_000, bits: 8 })
    t.is(await summary(aRiff([format, ['data', new Uint8Array(8_000)]])), 'audio/wav 1.000')
  }
})

test('an extensible format says in its subformat what it is', async (t) => {
  const pcm = Buffer.concat([u16le(22), u16le(16), u32le(4), u16le(1), Buffer.alloc(14)])
  const format = aWavFormat({ tag: 0xfffe, bytesPerSecond: 1, extra: pcm })
  t.is(await summary(aRiff([format, ['data', oneSecond]])), 'audio/wav 1.000')
})

test('a compressed WAV tells its length in its fact chunk, else by its bytes a second', async (t) => {
  const format = aWavFormat({ tag: 0x11, bits: 4, bytesPerSecond: 8_000 })
  t.is(await summary(aRiff([format, ['fact', u32le(48_000)], ['data', oneSecond]])), 'audio/wav 3.000')
  t.is(await summary(aRiff([format, ['data', oneSecond]])), 'audio/wav 4.000')
})

test('RF64 keeps the size of its sound in a chunk of its own', async (t) => {
  const sizes = Buffer.concat([u64le(0), u64le(16_000), u64le(8_000), u32le(0)])
  const chunks = [['ds64', sizes], aWavFormat(), ['data', oneSecond, 0xffffffff]] as const
  t.is(await summary(aRiff(chunks, { magic: 'RF64' })), 'audio/wav 0.500')
})

test('a WAV without sound in it is refused', async (t) => {
  t.regex(await summary(aRiff([aWavFormat(), ['data', new Uint8Array()]])), /no sound after it/)
  t.regex(await summary(aRiff([aWavFormat()])), /header is broken or cut off/)
  t.regex(await summary(aRiff([['data', oneSecond]])), /header is broken or cut off/)
  t.regex(await summary(aWav({ seconds: 1 }).subarray(0, 20)), /header is broken or cut off/)
})

test('a WAV that cannot be meant is refused', async (t) => {
  for (const [format, reason] of [
    [{ channels: 0 }, /0 channels/],
    [{ channels: 65 }, /65 channels/],
    [{ hz: 0 }, /0 samples a second/],
    [{ hz: 768_001 }, /768001 samples a second/],
  ] as const)
    t.regex(await summary(aRiff([aWavFormat(format), ['data', oneSecond]])), reason)
})

test('a WAV of samples without bits has no known length', async (t) => {
  const verdict = await probed(aRiff([aWavFormat({ bits: 0 }), ['data', oneSecond]]))
  t.deepEqual(verdict, { audio: true, contentType: 'audio/wav', durationSeconds: null })
})

test('a WAV of endless chunks is given up', async (t) => {
  const empty = Array.from({ length: 5_000 }, () => ['junk', new Uint8Array()] as const)
  t.regex(await summary(aRiff([...empty, aWavFormat(), ['data', oneSecond]])), /header is broken/)
})
