import type { BoundedBytes } from './bounded-bytes.ts'
import type { Steps } from './steps.ts'

const longestHeaderBytes = 12

/** One element of EBML: an id, a size, and a body of other elements or of a value. */
export interface Element {
  readonly id: number
  readonly start: number
  readonly end: number
}

/** The elements of a body, until its end, the end of the file, or the end of the steps. */
export async function* elementsIn(
  bytes: BoundedBytes,
  body: Omit<Element, 'id'>,
  steps: Steps,
): AsyncGenerator<Element> {
  let offset = body.start
  while (offset < body.end && steps()) {
    const header = readElementHeader(await bytes.upTo(offset, longestHeaderBytes))
    if (!header) return
    const start = offset + header.headerBytes
    const end = Math.min(start + header.sizeBytes, body.end)
    yield { id: header.id, start, end }
    offset = end
  }
}

/** A size of all ones says that the writer did not know it: such a body goes on to the end of its parent. */
export function readElementHeader(header: Buffer): { id: number; sizeBytes: number; headerBytes: number } | undefined {
  const idBytes = lengthOf(header[0] ?? 0)
  const size = readVint(header.subarray(idBytes))
  if (idBytes > 4 || header.length < idBytes || !size) return undefined
  return {
    id: header.readUIntBE(0, idBytes),
    sizeBytes: size.unknown ? Number.POSITIVE_INFINITY : size.value,
    headerBytes: idBytes + size.lengthBytes,
  }
}

/** A number whose leading zeros say how many bytes it has. */
export function readVint(bytes: Buffer): { value: number; unknown: boolean; lengthBytes: number } | undefined {
  const lengthBytes = lengthOf(bytes[0] ?? 0)
  if (lengthBytes > 8 || bytes.length < lengthBytes) return undefined
  const mask = 0xff >> lengthBytes
  let value = bytes[0]! & mask
  let unknown = value === mask
  for (const byte of bytes.subarray(1, lengthBytes)) {
    value = value * 256 + byte
    unknown &&= byte === 0xff
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

export async function textOf(bytes: BoundedBytes, element: Element): Promise<string> {
  const body = await bytes.upTo(element.start, Math.min(element.end - element.start, longestTextBytes))
  return body.toString('latin1').replace(/\0+$/, '')
}

async function valueOf(bytes: BoundedBytes, { start, end }: Element): Promise<Buffer | undefined> {
  return end - start <= 8 ? bytes.exactly(start, end - start) : undefined
}

function lengthOf(firstByte: number): number {
  return Math.clz32(firstByte) - 23
}
