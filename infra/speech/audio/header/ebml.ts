import type { BoundedBytes } from './bounded-bytes.ts'
import type { Steps } from './steps.ts'

const longestIdBytes = 4
const longestVintBytes = 8
const longestHeaderBytes = longestIdBytes + longestVintBytes

/** One element of EBML: an id, a size, and a body of other elements or of a value. */
export interface Element {
  readonly id: number
  readonly start: number
  readonly end: number
}

interface ElementHeader {
  readonly id: number
  readonly sizeBytes: number
  readonly headerBytes: number
}

interface Vint {
  readonly value: number
  readonly unknown: boolean
  readonly lengthBytes: number
}

/** The elements of a body, until its end, the end of the file, or the end of the steps. */
export async function* elementsIn(
  bytes: BoundedBytes,
  body: Omit<Element, 'id'>,
  steps: Steps,
): AsyncGenerator<Element> {
  let offset = body.start
  while (offset < body.end && steps()) {
    const header = readElementHeader(await bytes.upTo(offset, longestHeaderBytes), 0)
    if (!header) return
    const start = offset + header.headerBytes
    const end = Math.min(start + header.sizeBytes, body.end)
    yield { id: header.id, start, end }
    offset = end
  }
}

/** A size of all ones says that the writer did not know it: such a body goes on to the end of its parent. */
export function readElementHeader(block: Buffer, offset: number): ElementHeader | undefined {
  const idBytes = lengthOf(block[offset] ?? 0)
  const size = idBytes <= longestIdBytes ? readVint(block, offset + idBytes) : undefined
  if (!size) return undefined
  return {
    id: block.readUIntBE(offset, idBytes),
    sizeBytes: size.unknown ? Number.POSITIVE_INFINITY : size.value,
    headerBytes: idBytes + size.lengthBytes,
  }
}

/** A number whose leading zeros say how many bytes it has. */
export function readVint(block: Buffer, offset: number): Vint | undefined {
  const first = block[offset] ?? 0
  const lengthBytes = lengthOf(first)
  if (lengthBytes > longestVintBytes || offset + lengthBytes > block.length) return undefined
  const mask = 0xff >> lengthBytes
  let value = first & mask
  let unknown = value === mask
  for (let at = offset + 1; at < offset + lengthBytes; at++) {
    value = value * 256 + block[at]!
    unknown &&= block[at] === 0xff
  }
  return { value, unknown, lengthBytes }
}

export async function unsignedOf(bytes: BoundedBytes, element: Element): Promise<number | undefined> {
  const body = await valueOf(bytes, element)
  return body?.reduce((sum, byte) => sum * 256 + byte, 0)
}

export async function floatOf(bytes: BoundedBytes, element: Element): Promise<number | undefined> {
  const body = await valueOf(bytes, element)
  if (body?.length === 4) return body.readFloatBE(0)
  return body?.length === 8 ? body.readDoubleBE(0) : undefined
}

const longestTextBytes = 32

export async function ebmlText(bytes: BoundedBytes, element: Element): Promise<string> {
  const body = await bytes.upTo(element.start, Math.min(element.end - element.start, longestTextBytes))
  return body.toString('latin1').replace(/\0+$/, '')
}

async function valueOf(bytes: BoundedBytes, { start, end }: Element): Promise<Buffer | undefined> {
  return end - start <= 8 ? bytes.exactly(start, end - start) : undefined
}

function lengthOf(firstByte: number): number {
  return Math.clz32(firstByte) - 23
}
