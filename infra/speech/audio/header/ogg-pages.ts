import type { BoundedBytes } from './bounded-bytes.ts'

const pageHeaderBytes = 27
const largestPageBytes = 65_307
const firstOfStream = 2
/** The granule of a page on which no packet ends. */
const noGranule = 2n ** 64n - 1n

/** Two of the largest pages: one of them begins in here, wherever the file was cut. */
const tailBytes = 2 * largestPageBytes
const mostPagesInTail = 256

interface OggPage {
  readonly serial: number
  readonly beginsStream: boolean
  /** What was played when this page ends, in the codec's own unit; null when no packet ends here. */
  readonly granule: number | null
  readonly bodyStart: number
  readonly bodyBytes: number
}

export async function pageAt(bytes: BoundedBytes, offset: number): Promise<OggPage | undefined> {
  const header = await bytes.exactly(offset, pageHeaderBytes)
  const fields = header && readPageHeader(header)
  if (!fields) return undefined
  const lacing = await bytes.exactly(offset + pageHeaderBytes, fields.segments)
  if (!lacing) return undefined
  const bodyBytes = lacing.reduce((sum, byte) => sum + byte, 0)
  return { ...fields, bodyStart: offset + pageHeaderBytes + fields.segments, bodyBytes }
}

/** How far a stream has played at the end of the file, read backwards from there. */
export async function lastGranule(bytes: BoundedBytes, serial: number): Promise<number | null> {
  const tail = await bytes.upTo(Math.max(0, bytes.sizeBytes - tailBytes), tailBytes)
  let end = tail.length
  for (let seen = 0; seen < mostPagesInTail && end > 0; seen++) {
    const offset = tail.lastIndexOf('OggS', end - 1, 'latin1')
    if (offset === -1) return null
    const page = readPageHeader(tail.subarray(offset, offset + pageHeaderBytes))
    if (page?.serial === serial && page.granule !== null) return page.granule
    end = offset
  }
  return null
}

function readPageHeader(header: Buffer) {
  if (header.length < pageHeaderBytes || header.toString('latin1', 0, 4) !== 'OggS' || header.readUInt8(4) !== 0)
    return undefined
  const granule = header.readBigUInt64LE(6)
  return {
    beginsStream: (header.readUInt8(5) & firstOfStream) !== 0,
    granule: granule === noGranule ? null : Number(granule),
    serial: header.readUInt32LE(14),
    segments: header.readUInt8(26),
  }
}
