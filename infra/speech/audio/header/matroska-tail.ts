import { readElementHeader, readVint } from './ebml.ts'

import type { BoundedBytes } from './bounded-bytes.ts'

/** A browser begins a new cluster after half a minute at the latest, which is less than this of speech. */
const tailBytes = 512 * 1024
const mostCandidates = 16
const mostBlocks = 8_192
const longestHeaderBytes = 12

const clusterId = Buffer.from('1f43b675', 'hex')
const timestampId = 0xe7
const simpleBlockId = 0xa3
const blockGroupId = 0xa0
const blockId = 0xa1

/** When the last block at the end of the file begins, in ticks, or null when no cluster begins in its tail. */
export async function lastTimestamp(bytes: BoundedBytes): Promise<number | null> {
  const tail = await bytes.upTo(Math.max(0, bytes.sizeBytes - tailBytes), tailBytes)
  let end = tail.length
  for (let candidates = 0; candidates < mostCandidates && end > 0; candidates++) {
    const offset = tail.lastIndexOf(clusterId, end - 1)
    if (offset === -1) return null
    const timestamp = lastInCluster(tail.subarray(offset))
    if (timestamp !== undefined) return timestamp
    end = offset
  }
  return null
}

/** Undefined where four bytes of sound only look like the id of a cluster. */
function lastInCluster(cluster: Buffer): number | undefined {
  const header = readElementHeader(cluster.subarray(0, longestHeaderBytes))
  if (!header) return undefined
  let base: number | undefined
  let last = 0
  let offset = header.headerBytes
  for (let blocks = 0; blocks < mostBlocks; blocks++) {
    const element = readElementHeader(cluster.subarray(offset, offset + longestHeaderBytes))
    if (!element) break
    const body = cluster.subarray(offset + element.headerBytes, offset + element.headerBytes + element.sizeBytes)
    if (element.id === timestampId && body.length <= 8) base = body.reduce((sum, byte) => sum * 256 + byte, 0)
    if (base === undefined) return undefined
    if (element.id === simpleBlockId || element.id === blockId) last = Math.max(last, ticksOf(body))
    // a group is entered, not skipped: its block is its first child
    offset += element.headerBytes + (element.id === blockGroupId ? 0 : element.sizeBytes)
  }
  return base === undefined ? undefined : base + last
}

/** A block begins with the number of its track, then its time relative to its cluster. */
function ticksOf(block: Buffer): number {
  const track = readVint(block)
  return track && block.length >= track.lengthBytes + 2 ? block.readInt16BE(track.lengthBytes) : 0
}
