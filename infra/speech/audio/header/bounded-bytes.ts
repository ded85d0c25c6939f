import type { StoredBytes } from '../../../../actors/upload/ports.ts'

/**
 * What a probe may see of a file. The file is hostile, so looking at it has a price: every fetch is counted, and once the
 * allowance is spent the file reads as if it ended there. Parsers only have to survive short files.
 */
export interface BoundedBytes {
  readonly sizeBytes: number
  /** Up to `length` bytes, fewer at the end of the file or of the allowance. */
  upTo(offset: number, length: number): Promise<Buffer>
  /** All `length` bytes, or undefined. */
  exactly(offset: number, length: number): Promise<Buffer | undefined>
  readonly spent: Readonly<Spending>
  readonly exhausted: boolean
}

export interface Spending {
  bytes: number
  reads: number
}

interface Window {
  readonly start: number
  readonly bytes: Buffer
}

export const probeAllowance = { bytes: 1024 * 1024, reads: 2_048 } as const

/** Neighbouring fields are read one after another; one fetch serves them. */
const fetchAheadBytes = 512

export function boundedBytes(source: StoredBytes, allowance: Readonly<Spending> = probeAllowance): BoundedBytes {
  const spent: Spending = { bytes: 0, reads: 0 }
  let exhausted = false
  let window: Window = { start: 0, bytes: Buffer.alloc(0) }

  async function upTo(offset: number, length: number): Promise<Buffer> {
    const available = Math.min(length, source.sizeBytes - offset)
    if (!(offset >= 0) || !(available > 0)) return Buffer.alloc(0)
    if (!holds(offset, available)) await fetchWindow(offset, available)
    return window.bytes.subarray(offset - window.start, offset - window.start + available)
  }

  function holds(offset: number, length: number): boolean {
    return offset >= window.start && offset + length <= window.start + window.bytes.length
  }

  async function fetchWindow(offset: number, length: number): Promise<void> {
    const left = spent.reads < allowance.reads ? allowance.bytes - spent.bytes : 0
    if (length > left) exhausted = true
    const wanted = Math.min(Math.max(length, fetchAheadBytes), left, source.sizeBytes - offset)
    if (wanted > 0) {
      spent.bytes += wanted
      spent.reads += 1
    }
    window = { start: offset, bytes: wanted > 0 ? await source.read(offset, wanted) : Buffer.alloc(0) }
  }

  return {
    sizeBytes: source.sizeBytes,
    upTo,
    async exactly(offset, length) {
      const bytes = await upTo(offset, length)
      return bytes.length === length ? bytes : undefined
    },
    spent,
    get exhausted() {
      return exhausted
    },
  }
}

/** The same file as if it began later, on the same allowance: what stands before is a tag or the rest of a frame. */
export function bytesFrom(bytes: BoundedBytes, start: number): BoundedBytes {
  return {
    sizeBytes: bytes.sizeBytes - start,
    upTo: (offset, length) => bytes.upTo(offset < 0 ? -1 : start + offset, length),
    exactly: (offset, length) => bytes.exactly(offset < 0 ? -1 : start + offset, length),
    spent: bytes.spent,
    get exhausted() {
      return bytes.exhausted
    },
  }
}
