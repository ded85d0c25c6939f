import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

import { terminal } from '../../actors/failure.ts'

export interface ZipEntry {
  /** Safe to be the name of a file: without folders. */
  readonly name: string
  readonly content: string
}

const compress = promisify(deflateRaw)
const localSignature = 0x04034b50
const centralSignature = 0x02014b50
const endSignature = 0x06054b50
const version = 20
const utf8Names = 1 << 11
const deflated = 8
/** 1 January 1980, the first day that the format knows: when a transcript was made is not what it is about. */
const date = 0x21
/** Beyond these the format needs 64-bit fields, which some readers do not have. */
const bytesMax = 0xffff_ffff
const entriesMax = 0xffff

/** A ZIP archive as it is made: one entry in memory at a time, and the list of all at the end. */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const central: Buffer[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const plain = Buffer.from(content)
    const packed = await compress(plain)
    const facts = factsOf(name, { plain, packed })
    const head = Buffer.concat([words4(localSignature), facts, Buffer.from(name)])
    central.push(
      Buffer.concat([
        words4(centralSignature),
        words2(version),
        facts,
        Buffer.alloc(10),
        words4(offset),
        Buffer.from(name),
      ]),
    )
    offset += head.length + packed.length
    if (offset > bytesMax || central.length > entriesMax) throw tooMuch()
    yield Buffer.concat([head, packed])
  }
  const list = Buffer.concat(central)
  if (offset + list.length > bytesMax) throw tooMuch()
  yield Buffer.concat([
    list,
    words4(endSignature),
    words2(0, 0, central.length, central.length),
    words4(list.length, offset),
    words2(0),
  ])
}

/** What the head of an entry and the list at the end both say of it. */
function factsOf(name: string, { plain, packed }: { plain: Buffer; packed: Buffer }): Buffer {
  return Buffer.concat([
    words2(version, utf8Names, deflated, 0, date),
    words4(crc32(plain), packed.length, plain.length),
    words2(Buffer.byteLength(name), 0),
  ])
}

function words2(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, at) => bytes.writeUInt16LE(value, at * 2))
  return bytes
}

function words4(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => bytes.writeUInt32LE(value, at * 4))
  return bytes
}

function tooMuch(): Error {
  return terminal(
    'too_large',
    'All files together are more than a ZIP holds (4 GiB, 65,535 files); download them one by one.',
  )
}
