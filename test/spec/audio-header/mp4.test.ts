import test from 'ava'

import { aBox, aLongBox, aMoof, aMoov, anFtyp, aTrack, u32be, u64be } from '../../support/media-containers.ts'
import { priceOf, summary } from '../../support/probing.ts'

const audio = aTrack({ kind: 'soun', ticks: 12_000, shownTicks: 1_400 })
const video = aTrack({ kind: 'vide', ticks: 12_000, shownTicks: 1_400 })
const mdat = aBox('mdat', Buffer.alloc(5_000))
const longMdat = aLongBox('mdat', Buffer.alloc(5_000))

test('the index of an MP4 is found before and after the sound', async (t) => {
  for (const parts of [
    [aMoov(0, audio), mdat],
    [mdat, aMoov(0, audio)],
    [longMdat, aMoov(0, audio)],
  ])
    t.is(await summary(Buffer.concat([anFtyp('M4A '), ...parts])), 'audio/mp4 1.400')
})

test('the length is what the edited track shows, else its media, else the movie', async (t) => {
  for (const [track, seconds] of [
    [{ shownTicks: 1_400, ticks: 12_000 }, '1.400'],
    [{ shownTicks: 0, ticks: 12_000 }, '1.500'],
    [{ shownTicks: 0xffffffff, ticks: 12_000 }, '1.500'],
    [{ shownTicks: 0, ticks: 0 }, '1.600'],
    [{ shownTicks: 0, ticks: 9, ticksPerSecond: 0 }, '1.600'],
  ] as const)
    t.is(
      await summary(Buffer.concat([anFtyp('isom'), aMoov(1_600, aTrack({ kind: 'soun', ...track }))])),
      `audio/mp4 ${seconds}`,
    )
})

test('a brand and a video track make the content type', async (t) => {
  for (const [brand, tracks, contentType] of [
    ['isom', [audio], 'audio/mp4'],
    ['isom', [video, audio], 'video/mp4'],
    ['3gp4', [audio], 'audio/3gpp'],
    ['3g2a', [video, audio], 'video/3gpp'],
    ['qt  ', [audio], 'video/quicktime'],
  ] as const)
    t.is(await summary(Buffer.concat([anFtyp(brand), aMoov(0, ...tracks)])), `${contentType} 1.400`)
  t.is(await summary(Buffer.concat([mdat, aMoov(0, audio)])), 'video/quicktime 1.400')
})

test('an MP4 without sound that can be read says why', async (t) => {
  for (const [content, reason] of [
    [[anFtyp('isom'), aMoov(0, video)], 'is a video without sound'],
    [[anFtyp('isom'), aMoov(0, aTrack({ kind: 'text' }))], 'is an MP4 without a sound track'],
    [
      [anFtyp('M4A '), aMoov(0, aTrack({ kind: 'soun', codec: 'enca' }))],
      'is copy-protected, so its sound cannot be read',
    ],
    [[anFtyp('heic'), aBox('meta')], 'looks like an HEIF or AVIF image, not audio'],
  ] as const)
    t.is(await summary(Buffer.concat(content)), reason)
  t.regex(await summary(Buffer.concat([anFtyp('M4A '), mdat])), /without its index/)
})

test('an MP4 in fragments says its length in its index, else in its last fragment', async (t) => {
  const open = aTrack({ kind: 'soun' })
  const mehd = aBox('mvex', aBox('mehd', u32be(0), u32be(2_500)))
  t.is(await summary(Buffer.concat([anFtyp('iso5'), aMoov(0, open, mehd)])), 'audio/mp4 2.500')
  const fragments = [aMoof(0, 50), mdat, aMoof(8_000, 50), mdat, aMoof(16_000, 25), mdat]
  t.is(await summary(Buffer.concat([anFtyp('iso5'), aMoov(0, open, aBox('mvex')), ...fragments])), 'audio/mp4 2.500')
})

test('an MP4 of very many fragments is estimated from the first of them', async (t) => {
  const fragments = Array.from({ length: 2_000 }, (_, index) => Buffer.concat([aMoof(index * 8_000, 50), aBox('mdat')]))
  const start = [anFtyp('iso5'), aMoov(0, aTrack({ kind: 'soun' }), aBox('mvex'))]
  const [, seconds] = (await summary(Buffer.concat([...start, ...fragments]))).split(' ')
  t.true(Math.abs(Number(seconds) - 2_000) < 20, `it says ${seconds} s`)
})

test('an MP4 in fragments that say nothing has no known length', async (t) => {
  const silentFragment = aBox('moof', aBox('traf', aBox('tfhd', u32be(0), u32be(1))))
  const content = [anFtyp('iso5'), aMoov(0, aTrack({ kind: 'soun' }), aBox('mvex')), silentFragment]
  t.is(await summary(Buffer.concat(content)), 'audio/mp4 unknown')
})

test('a box may claim any size', async (t) => {
  const endless = Buffer.concat([u32be(1), Buffer.from('moov'), u64be(2n ** 64n - 1n), aMoov(0, audio).subarray(8)])
  t.is(await summary(Buffer.concat([anFtyp('M4A '), endless])), 'audio/mp4 1.400')
  const toTheEnd = Buffer.concat([u32be(0), Buffer.from('moov'), aMoov(0, audio).subarray(8)])
  t.is(await summary(Buffer.concat([anFtyp('M4A '), toTheEnd])), 'audio/mp4 1.400')
  t.regex(await summary(Buffer.concat([anFtyp('M4A '), u32be(7), Buffer.from('moov'), audio])), /without its index/)
})

test('boxes without end are not walked to the end', async (t) => {
  const crumbs = Buffer.concat(Array.from({ length: 100_000 }, () => aBox('free')))
  const { reads } = await priceOf(Buffer.concat([anFtyp('M4A '), crumbs, aMoov(0, audio)]))
  t.true(reads < 100, `${reads} reads`)
  const nested = Array.from({ length: 500 }).reduce<Buffer>((inner) => aBox('moov', inner), audio)
  t.is(await summary(Buffer.concat([anFtyp('M4A '), nested])), 'is an MP4 without a sound track')
})
