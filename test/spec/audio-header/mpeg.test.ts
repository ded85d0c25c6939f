import test from 'ava'

import { anAdtsFrame, anId3Tag, anMp3Frame, repeated, asciiText } from '../../support/media.ts'
import { u32be } from '../../support/media-containers.ts'
import { priceOf, probed, summary } from '../../support/probing.ts'

const frameSeconds = 1_152 / 44_100
const hundred = repeated(100, anMp3Frame())
const hundredFrames = `audio/mpeg ${(100 * frameSeconds).toFixed(3)}`
const afterSideInformation = 21

test('the length of an MP3 without an encoder’s note is counted, or follows from its bitrate', async (t) => {
  t.is(await summary(hundred), hundredFrames)
  t.is(await summary(repeated(10_000, anMp3Frame())), `audio/mpeg ${(10_000 * frameSeconds).toFixed(3)}`)
})

test('a variable bitrate is estimated from several places', async (t) => {
  const loud = anMp3Frame()
  loud[2] = 0xb0 // 192 kbit/s, so 626 bytes
  const content = Buffer.concat([
    hundred,
    hundred,
    repeated(400, Buffer.concat([loud, Buffer.alloc(209)])),
    hundred,
    hundred,
  ])
  const verdict = await probed(content)
  const seconds = verdict.audio ? verdict.durationSeconds : null
  t.true(seconds !== null && Math.abs(seconds / (800 * frameSeconds) - 1) < 0.1, `it says ${seconds} s`)
})

test('a Xing or Info note counts the frames', async (t) => {
  for (const name of ['Xing', 'Info']) {
    const note = anMp3Frame(Buffer.concat([asciiText(name), u32be(1), u32be(1_000)]), afterSideInformation)
    t.is(await summary(Buffer.concat([note, hundred])), `audio/mpeg ${(1_000 * frameSeconds).toFixed(3)}`)
  }
})

test('the silence that an encoder added and noted is not counted', async (t) => {
  const fill = Buffer.concat([
    asciiText('Xing'),
    u32be(1),
    u32be(1_000),
    Buffer.alloc(108),
    asciiText('LAME3.100'),
    Buffer.alloc(12),
  ])
  const delays = Buffer.of(0x24, 0x03, 0xe8) // 576 before, 1,000 after
  const note = anMp3Frame(Buffer.concat([fill, delays]), afterSideInformation)
  const seconds = (1_000 * 1_152 - 576 - 1_000) / 44_100
  t.is(await summary(Buffer.concat([note, hundred])), `audio/mpeg ${seconds.toFixed(3)}`)
})

test('a VBRI note counts the frames', async (t) => {
  const note = anMp3Frame(Buffer.concat([asciiText('VBRI'), Buffer.alloc(10), u32be(1_000)]), 36)
  t.is(await summary(Buffer.concat([note, hundred])), `audio/mpeg ${(1_000 * frameSeconds).toFixed(3)}`)
})

test('a note of no frames is not believed', async (t) => {
  const note = anMp3Frame(Buffer.concat([asciiText('Xing'), u32be(1), u32be(0)]), afterSideInformation)
  t.is(await summary(Buffer.concat([note, repeated(99, anMp3Frame())])), hundredFrames)
})

test('tags before the sound are skipped, however large', async (t) => {
  const large = Buffer.concat([anId3Tag(3_000_000), anId3Tag(10), hundred])
  t.is(await summary(large), hundredFrames)
  t.true((await priceOf(large)).bytes < 200_000)
  t.is(await summary(Buffer.concat([anId3Tag(100), Buffer.alloc(2_000), hundred])), hundredFrames)
})

test('an MP3 that begins in the middle of a frame is found by four frames in a row', async (t) => {
  t.is(await summary(Buffer.concat([anMp3Frame().subarray(300), Buffer.of(0x13), hundred])), hundredFrames)
  const three = Buffer.concat([Buffer.of(1, 2, 3), repeated(3, anMp3Frame())])
  t.regex(await summary(three), /not in a format this service knows/)
})

test('one frame alone is not an MP3, nor is the free format, nor a tag alone', async (t) => {
  t.regex(await summary(anMp3Frame()), /not in a format/)
  const free = anMp3Frame()
  free[2] = 0x00
  t.regex(await summary(repeated(100, free)), /not in a format/)
  t.regex(await summary(anId3Tag(100)), /has an ID3 tag but no/)
})

test('AAC is estimated from frames in several places', async (t) => {
  t.is(await summary(repeated(100, anAdtsFrame(200))), 'audio/aac 6.400')
  const long = repeated(1_000, Buffer.concat([anAdtsFrame(100), anAdtsFrame(300)]))
  const [contentType, seconds] = (await summary(long)).split(' ')
  t.is(contentType, 'audio/aac')
  t.true(Math.abs(Number(seconds) - 128) < 6.4, `it says ${seconds} s`)
  t.is(await summary(Buffer.concat([anId3Tag(50), repeated(10, anAdtsFrame(200))])), 'audio/aac 0.640')
})
