import test from 'ava'

import { asciiText } from '../../support/media.ts'
import { u16be, u64be } from '../../support/media-containers.ts'
import { summary } from '../../support/probing.ts'

const hz = 8_000
const blockSamples = 4_096

/** As an encoder writes it that cannot go back to its header: it does not know how many samples will come. */
function aPipedFlac(...frames: readonly string[]): Buffer {
  const info = [u16be(blockSamples), u16be(blockSamples), Buffer.alloc(6), u64be((BigInt(hz) << 44n) | (15n << 36n))]
  const audio = frames.flatMap((header) => [Buffer.from(header, 'hex'), Buffer.alloc(300)])
  return Buffer.concat([asciiText('fLaC'), Buffer.of(0x80, 0, 0, 34), ...info, Buffer.alloc(16), ...audio])
}

/** Headers of frames of 4,096 samples, numbered, with their checksums. */
const first = 'fff8c4080004'
const second = 'fff8c4080103'
const number256 = 'fff8c408c4802c'
const number257 = 'fff8c408c4812b'

const flacOf = (samples: number) => `audio/flac ${(samples / hz).toFixed(3)}`

test('a FLAC that does not know its length plays to the end of its last frame', async (t) => {
  t.is(await summary(aPipedFlac(first)), flacOf(blockSamples))
  t.is(await summary(aPipedFlac(first, second)), flacOf(2 * blockSamples))
})

for (const [header, samples] of [
  ['fff814080225', 192],
  ['fff8240802c4', 576],
  ['fff88408028c', 256],
  ['fff8640802c792', 200],
  ['fff874080203e7c7', 1_000],
] as const)
  test(`a last frame of ${samples} samples is as long as it says`, async (t) => {
    t.is(await summary(aPipedFlac(first, second, header)), flacOf(2 * blockSamples + samples))
  })

test('a frame that says its rate says its size as well', async (t) => {
  for (const header of ['fff8cc08010881', 'fff8cd08011f4017'])
    t.is(await summary(aPipedFlac(first, header)), flacOf(2 * blockSamples))
})

test('a FLAC of blocks of varying sizes counts samples instead of frames', async (t) => {
  t.is(await summary(aPipedFlac('fff9c4080012', 'fff9c408e18080e7')), flacOf(2 * blockSamples))
})

test('only the end of a long FLAC is looked at', async (t) => {
  const long = Buffer.concat([aPipedFlac(first), Buffer.alloc(100_000), aPipedFlac(number256, number257)])
  t.is(await summary(long), flacOf(258 * blockSamples))
})

test('sound that looks like a frame is not believed', async (t) => {
  t.is(await summary(aPipedFlac(number257)), 'audio/flac unknown')
  t.is(await summary(aPipedFlac(first, second, number257)), flacOf(2 * blockSamples))
  t.is(await summary(aPipedFlac(first, second, first)), flacOf(2 * blockSamples))
  t.is(await summary(aPipedFlac('fff8c4080005')), 'audio/flac unknown') // a wrong checksum
})
