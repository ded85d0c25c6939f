import test from 'ava'

import {
  aFloat,
  anAudioTrack,
  anEbmlHeader,
  anElement,
  anOpenElement,
  aSimpleBlock,
  u16be,
  u32be,
} from '../../support/media-containers.ts'
import { summary } from '../../support/probing.ts'

const header = anEbmlHeader('webm')
const openInfo = anElement('1549a966', anElement('2ad7b1', u32be(1_000_000)))
const track = anAudioTrack()

function aCluster(timestamp: number, ...blocks: readonly Buffer[]): Buffer {
  return anElement('1f43b675', anElement('e7', u32be(timestamp)), ...blocks)
}

test('a duration is counted in the scale of its file', async (t) => {
  const info = anElement('1549a966', anElement('2ad7b1', u32be(500_000)), anElement('4489', aFloat(3_000)))
  t.is(await summary(Buffer.concat([header, anElement('18538067', info, track)])), 'audio/webm 1.500')
})

test('a scale that is not told is a millisecond', async (t) => {
  const info = anElement('1549a966', anElement('4489', aFloat(1_500)))
  t.is(
    await summary(Buffer.concat([anEbmlHeader('matroska'), anElement('18538067', info, track)])),
    'audio/x-matroska 1.500',
  )
})

test('what a browser records without a duration ends where its last block begins', async (t) => {
  const clusters = [
    aCluster(0, aSimpleBlock(0), aSimpleBlock(960)),
    aCluster(1_000, aSimpleBlock(0), aSimpleBlock(480)),
  ]
  t.is(
    await summary(Buffer.concat([header, anOpenElement('18538067', openInfo, track, ...clusters)])),
    'audio/webm 1.480',
  )
})

test('a cluster of unknown size and blocks in groups are followed too', async (t) => {
  const group = anElement('a0', anElement('a1', Buffer.of(0x81), u16be(700), Buffer.of(0)))
  const cluster = anOpenElement('1f43b675', anElement('e7', u32be(2_000)), aSimpleBlock(20), group)
  t.is(
    await summary(Buffer.concat([header, anOpenElement('18538067', openInfo, track, aCluster(0), cluster)])),
    'audio/webm 2.700',
  )
})

test('a recording that does not begin at zero is as long as it is', async (t) => {
  const clusters = [aCluster(60_000, aSimpleBlock(0)), aCluster(61_000, aSimpleBlock(500))]
  t.is(
    await summary(Buffer.concat([header, anOpenElement('18538067', openInfo, track, ...clusters)])),
    'audio/webm 1.500',
  )
})

test('sound that only looks like a cluster is passed over', async (t) => {
  const lookalike = anElement('a3', Buffer.of(0x81), u16be(900), Buffer.from('1f43b675aabbccdd', 'hex'))
  const cluster = aCluster(1_000, aSimpleBlock(0), lookalike)
  t.is(
    await summary(Buffer.concat([header, anOpenElement('18538067', openInfo, track, aCluster(0), cluster)])),
    'audio/webm 1.900',
  )
})

test('a cluster longer than what may be read has no known length', async (t) => {
  const blocks = anElement('a3', Buffer.of(0x81), u16be(900), Buffer.alloc(600 * 1024))
  t.is(
    await summary(Buffer.concat([header, anOpenElement('18538067', openInfo, track, aCluster(0, blocks))])),
    'audio/webm unknown',
  )
})

test('a file without a sound track, or with an impossible one, says so', async (t) => {
  const noTracks = Buffer.concat([header, anElement('18538067', openInfo)])
  t.regex(await summary(noTracks), /starts like WebM but its header is broken/)
  const subtitles = anElement('1654ae6b', anElement('ae', anElement('83', Buffer.of(17))))
  t.is(await summary(Buffer.concat([header, anElement('18538067', subtitles)])), 'is a WebM file without a sound track')
  t.regex(await summary(Buffer.concat([header, anElement('18538067', anAudioTrack(0))])), /0 channels/)
  t.regex(
    await summary(Buffer.concat([header, anElement('18538067', anAudioTrack(1, 1e6))])),
    /1000000 samples a second/,
  )
  t.regex(await summary(Buffer.concat([anEbmlHeader('other'), anElement('18538067', track)])), /header is broken/)
})

test('elements nested without end are not followed', async (t) => {
  const nested = Array.from({ length: 2_000 }).reduce<Buffer>((inner) => anElement('18538067', inner), track)
  t.regex(await summary(Buffer.concat([header, nested])), /header is broken/)
})
