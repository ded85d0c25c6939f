import test from 'ava'

import { anOggPage, anOpusHead, repeated, asciiText, u32le } from '../../support/media.ts'
import { summary } from '../../support/probing.ts'

const opus = anOggPage({ granule: 0n, first: true, body: anOpusHead() })
const tags = anOggPage({ granule: 0n, body: asciiText('OpusTags') })
const noPacketEnds = 2n ** 64n - 1n

function audio(granule: bigint, serial = 7): Buffer {
  return anOggPage({ granule, serial, body: Buffer.alloc(300) })
}

test('Opus ends at its last page, less what is skipped at its start', async (t) => {
  t.is(await summary(Buffer.concat([opus, tags, audio(48_000n), audio(96_312n)])), 'audio/ogg 2.000')
})

test('a last page on which no packet ends, or of another stream, is passed over', async (t) => {
  const content = [opus, tags, audio(48_312n), audio(noPacketEnds), audio(999_999n, 8)]
  t.is(await summary(Buffer.concat(content)), 'audio/ogg 1.000')
})

test('only the end of a long file is read', async (t) => {
  t.is(await summary(Buffer.concat([opus, tags, repeated(20_000, audio(48_000n)), audio(96_312n)])), 'audio/ogg 2.000')
})

test('a stream cut out of a broadcast is as long as what was cut out', async (t) => {
  const hours = 48_000n * 36_000n
  t.is(await summary(Buffer.concat([opus, tags, audio(hours), audio(hours + 96_000n)])), 'audio/ogg 2.000')
})

test('sound beside a video is found, and a video alone has none', async (t) => {
  const theora = anOggPage({ granule: 0n, serial: 9, first: true, body: asciiText('\x80theora') })
  t.is(await summary(Buffer.concat([theora, opus, tags, audio(48_312n)])), 'video/ogg 1.000')
  t.is(await summary(Buffer.concat([theora, audio(48_312n, 9)])), 'is an Ogg video without sound')
})

test('Vorbis and Speex say how fast their granules pass', async (t) => {
  const vorbis = Buffer.concat([asciiText('\x01vorbis'), u32le(0), Buffer.of(2), u32le(16_000), Buffer.alloc(14)])
  const speex = Buffer.concat([
    asciiText('Speex   '),
    Buffer.alloc(28),
    u32le(8_000),
    Buffer.alloc(8),
    u32le(1),
    Buffer.alloc(28),
  ])
  for (const [body, seconds] of [
    [vorbis, '2.000'],
    [speex, '4.000'],
  ] as const)
    t.is(
      await summary(Buffer.concat([anOggPage({ granule: 0n, first: true, body }), audio(32_000n)])),
      `audio/ogg ${seconds}`,
    )
})

test('an Ogg that is cut off has no known length, and one that is broken is refused', async (t) => {
  t.is(await summary(Buffer.concat([opus, tags])), 'audio/ogg unknown')
  t.regex(await summary(opus.subarray(0, 30)), /starts like Ogg but its header is broken/)
  t.regex(await summary(anOggPage({ granule: 0n, first: true, body: anOpusHead(0) })), /0 channels/)
  t.regex(await summary(anOggPage({ granule: 0n, first: true, body: asciiText('unknown') })), /header is broken/)
})
