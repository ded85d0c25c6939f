/** Containers made of nested parts, built by hand so that a test can lie in one field. */
import { asciiText } from './media.ts'

export function u16be(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export function u32be(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function u64be(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

/** A box of the ISO base media format. */
export function aBox(name: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32be(body.length + 8), asciiText(name), body])
}

/** The same with its size in 64 bits. */
export function aLongBox(name: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32be(1), asciiText(name), u64be(body.length + 16), body])
}

export function anFtyp(brand: string): Buffer {
  return aBox('ftyp', asciiText(brand), u32be(0))
}

interface TrackShape {
  readonly kind: 'soun' | 'vide' | 'text'
  readonly codec?: string
  readonly shownTicks?: number
  readonly ticks?: number
  readonly ticksPerSecond?: number
}

/** One track of an index, with the movie's clock at 1,000 and the track's at 8,000 ticks a second unless told. */
export function aTrack(track: TrackShape): Buffer {
  const { kind, codec = 'mp4a', shownTicks = 0, ticks = 0, ticksPerSecond = 8_000 } = track
  return aBox(
    'trak',
    aBox('tkhd', u32be(7), u32be(0), u32be(0), u32be(1), u32be(0), u32be(shownTicks)),
    aBox(
      'mdia',
      aBox('mdhd', u32be(0), u32be(0), u32be(0), u32be(ticksPerSecond), u32be(ticks)),
      aBox('hdlr', u32be(0), u32be(0), asciiText(kind)),
      aBox('minf', aBox('stbl', aBox('stsd', u32be(0), u32be(1), u32be(36), asciiText(codec), Buffer.alloc(28)))),
    ),
  )
}

export function aMoov(movieTicks: number, ...parts: readonly Uint8Array[]): Buffer {
  return aBox('moov', aBox('mvhd', u32be(0), u32be(0), u32be(0), u32be(1_000), u32be(movieTicks)), ...parts)
}

/** A fragment that begins at a tick and holds samples of 160 ticks. */
export function aMoof(beginTicks: number, samples: number): Buffer {
  const tfhd = aBox('tfhd', u32be(0x8), u32be(1), u32be(160))
  return aBox(
    'moof',
    aBox('traf', tfhd, aBox('tfdt', u32be(0), u32be(beginTicks)), aBox('trun', u32be(0), u32be(samples))),
  )
}

/** An EBML element: its id in hexadecimal as the specification prints it, its body, and a size of four bytes. */
export function anElement(id: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(id, 'hex'), u32be(0x10000000 + body.length), body])
}

/** The same where the writer did not know the size. */
export function anOpenElement(id: string, ...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from(id, 'hex'), Buffer.from('01ffffffffffffff', 'hex'), ...parts])
}

export function anEbmlHeader(docType: string): Buffer {
  return anElement('1a45dfa3', anElement('4282', asciiText(docType)))
}

export function aFloat(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

export function anAudioTrack(channels = 1, sampleRate = 48_000): Buffer {
  const audio = anElement('e1', anElement('b5', aFloat(sampleRate)), anElement('9f', Buffer.of(channels)))
  return anElement(
    '1654ae6b',
    anElement('ae', anElement('83', Buffer.of(2)), anElement('86', asciiText('A_OPUS')), audio),
  )
}

/** A block of the first track, so many ticks after its cluster begins. */
export function aSimpleBlock(ticks: number): Buffer {
  return anElement('a3', Buffer.of(0x81), u16be(ticks), Buffer.of(0, 1, 2, 3))
}
