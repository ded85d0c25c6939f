import { readElementHeader, readVint } from './ebml.ts'
import { stepsUpTo } from './steps.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Steps } from './steps.ts'

/** A browser begins a new cluster after half a minute at the latest, which is less than this of speech. */
const tailBytes = 512 * 1024
const mostElements = 4_096
const mostLookalikes = 64

const clusterId = Buffer.from('1f43b675', 'hex')
const timestampId = 0xe7
const simpleBlockId = 0xa3
const blockGroupId = 0xa0
const blockId = 0xa1
/** A checksum and padding may stand before the timestamp, nothing else. */
const beforeTimestamp = new Set([0xbf, 0xec])

/** When the last block at the end of the file begins, in ticks, or null when no cluster begins in its tail. */
export async function lastTimestamp(bytes: BoundedBytes): Promise<number | null> {
  const tail = await bytes.upTo(Math.max(0, bytes.sizeBytes - tailBytes), tailBytes)
  const candidates = stepsUpTo(mostLookalikes)
  const steps = stepsUpTo(mostElements)
  let end = tail.length
  while (end > 0 && candidates()) {
    const offset = tail.lastIndexOf(clusterId, end - 1)
    if (offset === -1) return null
    const timestamp = lastInCluster(tail, offset, steps)
    if (timestamp !== undefined) return timestamp
    end = offset
  }
  return null
}

/** Undefined where four bytes of audio only look like the id of a cluster. */
function lastInCluster(tail: Buffer, start: number, steps: Steps): number | undefined {
  let base: number | undefined
  let last = 0
  let offset = start + (readElementHeader(tail, start)?.headerBytes ?? tail.length)
  while (steps()) {
    const element = readElementHeader(tail, offset)
    if (!element) break
    const body = offset + element.headerBytes
    if (element.id === timestampId && element.sizeBytes <= 6 && body + element.sizeBytes <= tail.length)
      base = element.sizeBytes === 0 ? 0 : tail.readUIntBE(body, element.sizeBytes)
    if (base === undefined && !beforeTimestamp.has(element.id)) return undefined
    if (element.id === simpleBlockId || element.id === blockId) last = Math.max(last, ticksOf(tail, body))
    // a group is entered, not skipped: its block is its first child
    offset = element.id === blockGroupId ? body : body + element.sizeBytes
  }
  return base === undefined ? undefined : base + last
}

/** A block begins with the number of its track, then its time relative to its cluster. */
function ticksOf(tail: Buffer, block: number): number {
  const track = readVint(tail, block)
  return track && block + track.lengthBytes + 2 <= tail.length ? tail.readInt16BE(block + track.lengthBytes) : 0
}
