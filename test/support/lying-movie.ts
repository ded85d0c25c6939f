import { asciiText } from './media.ts'
import { aBox, u16be, u32be } from './media-containers.ts'

const hz = 8_000
const chunkSamples = hz

/** A second of audio, which the index names as often as it is told to, in a file whose head says a second. */
export function aLyingMovie(times: number): Buffer {
  const ftyp = aBox('ftyp', asciiText('qt  '), u32be(0), asciiText('qt  '))
  const sound = Buffer.from(Int16Array.from({ length: chunkSamples }, (_, at) => 8_000 * Math.sin(at / 5)).buffer)
  const samples = times * chunkSamples
  const none = (count: number) => Buffer.alloc(count)
  const entry = [
    u32be(36),
    asciiText('sowt'),
    none(6),
    u16be(1),
    none(8),
    u16be(1),
    u16be(16),
    none(4),
    u16be(hz),
    none(2),
  ]
  const table = aBox(
    'stbl',
    aBox('stsd', u32be(0), u32be(1), ...entry),
    aBox('stts', u32be(0), u32be(1), u32be(samples), u32be(1)),
    aBox('stsc', u32be(0), u32be(1), u32be(1), u32be(chunkSamples), u32be(1)),
    aBox('stsz', u32be(0), u32be(2), u32be(samples)),
    aBox('stco', u32be(0), u32be(times), ...Array.from({ length: times }, () => u32be(ftyp.length + 8))),
  )
  const dref = aBox('dref', u32be(0), u32be(1), aBox('url ', u32be(1)))
  const media = aBox(
    'mdia',
    // what is said of its length is a second, whatever the index says
    aBox('mdhd', none(12), u32be(hz), u32be(hz), none(4)),
    aBox('hdlr', none(4), asciiText('mhlr'), asciiText('soun'), none(13)),
    aBox('minf', aBox('smhd', none(8)), aBox('dinf', dref), table),
  )
  const tkhd = aBox('tkhd', u32be(7), none(8), u32be(1), none(4), u32be(1_000), none(60))
  const mvhd = aBox('mvhd', none(12), u32be(1_000), u32be(1_000), none(80))
  return Buffer.concat([ftyp, aBox('mdat', sound), aBox('moov', mvhd, aBox('trak', tkhd, media))])
}
