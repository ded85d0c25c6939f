import { inflateSync } from 'node:zlib'

const packedHeaderBytes = 44
const packedEntryBytes = 20
const headerBytes = 12
const entryBytes = 16

/**
 * A font of the web (WOFF) as the one that was packed (OpenType). The library that makes a PDF reads both, but unpacks in JavaScript, every
 * table in every document: half a second for each.
 */
export function unpackedFont(packed: Buffer): Buffer {
  if (packed.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const count = packed.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, at) => tableAt(packed, packedHeaderBytes + at * packedEntryBytes))
  const directory = Buffer.alloc(headerBytes + count * entryBytes)
  packed.copy(directory, 0, 4, 8) // which kind of font it is
  const power = Math.floor(Math.log2(count))
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(2 ** power * entryBytes, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE((count - 2 ** power) * entryBytes, 10)
  let offset = directory.length
  for (const [at, { tag, checksum, content }] of tables.entries()) {
    const entry = headerBytes + at * entryBytes
    tag.copy(directory, entry)
    directory.writeUInt32BE(checksum, entry + 4)
    directory.writeUInt32BE(offset, entry + 8)
    directory.writeUInt32BE(content.length, entry + 12)
    offset += padded(content).length
  }
  return Buffer.concat([directory, ...tables.map(({ content }) => padded(content))])
}

interface Table {
  readonly tag: Buffer
  readonly checksum: number
  readonly content: Buffer
}

/** What would not become smaller is not packed. */
function tableAt(packed: Buffer, entry: number): Table {
  const field = (at: number): number => packed.readUInt32BE(entry + at)
  const [offset, packedBytes, bytes] = [field(4), field(8), field(12)]
  const kept = packed.subarray(offset, offset + packedBytes)
  const content = packedBytes < bytes ? inflateSync(kept, { maxOutputLength: bytes }) : kept
  return { tag: packed.subarray(entry, entry + 4), checksum: field(16), content }
}

/** Tables begin at a multiple of four bytes. */
function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4)])
}
