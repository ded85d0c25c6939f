import test from 'ava'

import { anId3Tag, repeated, asciiText, u16le, u32le, u64le } from '../../support/media.ts'
import { aFloat, u16be, u32be, u64be } from '../../support/media-containers.ts'
import { summary } from '../../support/probing.ts'

const oneSecond = Buffer.alloc(16_000)

function anAu({ size = 16_000, encoding = 3, hz = 8_000, channels = 1, offset = 24 }): Buffer {
  return Buffer.concat([asciiText('.snd'), ...[offset, size, encoding, hz, channels].map(u32be), oneSecond])
}

test('AU plays for as long as it says, or to the end of the file', async (t) => {
  t.is(await summary(anAu({})), 'audio/basic 1.000')
  t.is(await summary(anAu({ size: 8_000, encoding: 1 })), 'audio/basic 1.000')
  t.is(await summary(anAu({ size: 0xffffffff })), 'audio/basic 1.000')
  t.is(await summary(anAu({ encoding: 99 })), 'audio/basic unknown')
})

test('an AU that cannot be meant is refused', async (t) => {
  t.regex(await summary(anAu({ channels: 0 })), /0 channels/)
  t.regex(await summary(anAu({ hz: 0 })), /0 samples a second/)
  t.regex(await summary(anAu({ offset: 0x00ffff00 })), /no sound after it/)
  t.regex(await summary(anAu({ offset: 3 })), /header is broken/)
  t.regex(await summary(asciiText('.snd\0\0')), /header is broken/)
})

/** 8,000 as a float of 80 bits. */
const eightThousand = Buffer.from('400bfa00000000000000', 'hex')

function anAiff(form: string, common: Buffer): Buffer {
  const odd = Buffer.concat([asciiText('NAME'), u32be(3), asciiText('abc\0')])
  const chunk = Buffer.concat([asciiText('COMM'), u32be(common.length), common])
  return Buffer.concat([asciiText('FORM'), u32be(0), asciiText(form), odd, chunk])
}

test('AIFF counts its frames, and QuickTime’s AIFC its packets', async (t) => {
  const common = Buffer.concat([u16be(1), u32be(12_000), u16be(16), eightThousand])
  t.is(await summary(anAiff('AIFF', common)), 'audio/aiff 1.500')
  t.is(await summary(anAiff('AIFC', Buffer.concat([common, asciiText('ima4')]))), 'audio/aiff 96.000')
})

test('an AIFF that cannot be meant is refused', async (t) => {
  t.regex(await summary(anAiff('AIFF', Buffer.concat([u16be(0), u32be(1), u16be(16), eightThousand]))), /0 channels/)
  t.regex(
    await summary(anAiff('AIFF', Buffer.concat([u16be(1), u32be(1), u16be(16), Buffer.alloc(10, 0xff)]))),
    /-1 samples/,
  )
  t.regex(await summary(anAiff('AIFF', Buffer.alloc(4))), /header is broken/)
  t.regex(await summary(asciiText('FORM\0\0\0\0AIFF')), /header is broken/)
})

function aCaf(packetBytes: number, ...chunks: readonly Uint8Array[]): Buffer {
  const description = [aFloat(8_000), asciiText('lpcm'), u32be(0), u32be(packetBytes), u32be(1), u32be(1), u32be(16)]
  return Buffer.concat([asciiText('caff'), u32be(0x10000), asciiText('desc'), u64be(32), ...description, ...chunks])
}

test('CAF plays for as long as its packets, by their size or by their table', async (t) => {
  const untilTheEnd = [asciiText('data'), u64be(2n ** 64n - 1n), u32be(0), oneSecond]
  t.is(await summary(aCaf(2, ...untilTheEnd)), 'audio/x-caf 1.000')
  const table = [asciiText('pakt'), u64be(24), u64be(10), u64be(12_000), u64be(0)]
  t.is(await summary(aCaf(0, ...table, ...untilTheEnd)), 'audio/x-caf 1.500')
  t.is(await summary(aCaf(0, ...untilTheEnd)), 'audio/x-caf unknown')
  t.regex(await summary(aCaf(2, asciiText('data'), u64be(4), u32be(0))), /no sound after it/)
})

function aFlac({ hz = 8_000, samples = 12_000 }): Buffer {
  const packed = (BigInt(hz) << 44n) | (15n << 36n) | BigInt(samples)
  return Buffer.concat([
    asciiText('fLaC'),
    Buffer.of(0x80, 0, 0, 34),
    Buffer.alloc(10),
    u64be(packed),
    Buffer.alloc(16),
  ])
}

test('FLAC counts its samples unless its encoder did not know', async (t) => {
  t.is(await summary(aFlac({})), 'audio/flac 1.500')
  t.is(await summary(Buffer.concat([anId3Tag(5_000), aFlac({})])), 'audio/flac 1.500')
  t.is(await summary(aFlac({ samples: 0 })), 'audio/flac unknown')
  t.regex(await summary(aFlac({ hz: 0 })), /0 samples a second/)
  t.regex(await summary(aFlac({}).subarray(0, 20)), /header is broken/)
})

test('AMR counts frames of 20 ms', async (t) => {
  const speech = Buffer.alloc(32, 0x3c)
  const silence = Buffer.of(0x44, 0, 0, 0, 0, 0)
  t.is(
    await summary(Buffer.concat([asciiText('#!AMR\n'), repeated(25, speech), repeated(25, silence)])),
    'audio/amr 1.000',
  )
  t.is(
    await summary(Buffer.concat([asciiText('#!AMR-WB\n'), repeated(50, Buffer.alloc(61, 0x44))])),
    'audio/amr-wb 1.000',
  )
})

test('a long AMR is taken to go on as it begins', async (t) => {
  t.is(
    await summary(Buffer.concat([asciiText('#!AMR\n'), repeated(5_000, Buffer.alloc(32, 0x3c))])),
    'audio/amr 100.000',
  )
})

test('AMR without a frame is refused', async (t) => {
  t.regex(await summary(asciiText('#!AMR\n')), /holds no frame/)
  t.regex(await summary(Buffer.concat([asciiText('#!AMR\n'), Buffer.alloc(50, 0x50)])), /holds no frame/)
})

const asfHeader = '3026b2758e66cf11a6d900aa0062ce6c'
const audioStream = '409e69f84d5bcf11a8fd00805f5c442b'
const videoStream = 'c0ef19bc4d5bcf11a8fd00805f5c442b'

function anAsfObject(id: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(id, 'hex'), u64le(body.length + 24), body])
}

function anAsf({ streams, broadcast = 0, channels = 2 }: { streams: string[]; broadcast?: number; channels?: number }) {
  const times = [u64le(45_000_000), u64le(0), u64le(3_000), u32le(broadcast)]
  const properties = anAsfObject('a1dcab8c47a9cf118ee400c00c205365', Buffer.concat([Buffer.alloc(40), ...times]))
  const format = Buffer.concat([Buffer.alloc(40), u16le(0x161), u16le(channels), u32le(16_000), Buffer.alloc(8)])
  const objects = streams.map((type) =>
    anAsfObject('9107dcb7b7a9cf118ee600c00c205365', Buffer.concat([Buffer.from(type, 'hex'), format.subarray(2)])),
  )
  const body = Buffer.concat([properties, ...objects])
  return Buffer.concat([Buffer.from(asfHeader, 'hex'), u64le(body.length + 30), u32le(2), u16le(0), body])
}

test('Windows Media plays for as long as it says, less what a player waits first', async (t) => {
  t.is(await summary(anAsf({ streams: [audioStream] })), 'audio/x-ms-wma 1.500')
  t.is(await summary(anAsf({ streams: [videoStream, audioStream] })), 'video/x-ms-asf 1.500')
  t.is(await summary(anAsf({ streams: [audioStream], broadcast: 1 })), 'audio/x-ms-wma unknown')
})

test('Windows Media without sound, or with an impossible one, is refused', async (t) => {
  t.is(await summary(anAsf({ streams: [videoStream] })), 'is a Windows Media video without sound')
  t.regex(await summary(anAsf({ streams: [] })), /header is broken/)
  t.regex(await summary(anAsf({ streams: [audioStream], channels: 0 })), /0 channels/)
})
