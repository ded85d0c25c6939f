import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import test from 'ava'

import { unpackedFont } from '../../../infra/speech/formats/paper/unpacked-font.ts'

const packed = readFileSync(
  createRequire(import.meta.url).resolve(
    '@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff',
  ),
)
/** Its sum is of the whole font. */
const summedOtherwise = 'head'

test('an unpacked font has all tables of the packed one, each with the sum that it says', (t) => {
  const font = unpackedFont(packed)
  const count = font.readUInt16BE(4)
  t.is(count, packed.readUInt16BE(12))
  for (let entry = 12; entry < 12 + count * 16; entry += 16) {
    const tag = font.toString('latin1', entry, entry + 4)
    const [sum, offset, length] = [4, 8, 12].map((at) => font.readUInt32BE(entry + at)) as [number, number, number] // as: of three
    t.is(offset % 4, 0, tag)
    if (tag !== summedOtherwise) t.is(sumOf(font.subarray(offset, offset + Math.ceil(length / 4) * 4)), sum, tag)
  }
  t.is(font.length, packed.readUInt32BE(16), 'as long as the packed one says that it was')
})

test('what is no packed font is refused', (t) => {
  t.throws(() => unpackedFont(Buffer.alloc(100)), { message: /not a WOFF/ })
})

/** As the format defines it. */
function sumOf(table: Buffer): number {
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  return sum
}
