import type { BoundedBytes } from './bounded-bytes.ts'

const mostTags = 4
const headerBytes = 10
const footerFlag = 0x10

const newestVersion = 4

export function isTag(start: Buffer): boolean {
  return start.toString('latin1', 0, 3) === 'ID3' && (start[3] ?? Infinity) <= newestVersion
}

/** Where the audio begins: after any ID3v2 tags, whose pictures may be larger than all that may be read. */
export async function afterTags(bytes: BoundedBytes): Promise<number> {
  let offset = 0
  for (let skipped = 0; skipped < mostTags; skipped++) {
    const header = await bytes.exactly(offset, headerBytes)
    const size = header ? tagBytes(header) : 0
    if (size === 0) break
    offset += size
  }
  return offset
}

function tagBytes(start: Buffer): number {
  if (!isTag(start)) return 0
  const footer = (start.readUInt8(5) & footerFlag) === 0 ? 0 : headerBytes
  return headerBytes + sizeOf(start) + footer
}

/** Seven bits a byte, so that a size never looks like the start of a frame. */
function sizeOf(header: Buffer): number {
  return header.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0)
}
