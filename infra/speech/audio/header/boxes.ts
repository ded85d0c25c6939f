import type { BoundedBytes } from './bounded-bytes.ts'
import type { Steps } from './steps.ts'

const shortHeaderBytes = 8
const longHeaderBytes = 16
const sizeToTheEnd = 0
const sizeIn64Bits = 1

/** One box of the ISO base media format, called an atom in QuickTime: a size, a name, and a body. */
export interface Box {
  readonly name: string
  readonly start: number
  readonly end: number
}

export type BoxBody = Omit<Box, 'name'>

/** The boxes of a body, until its end, the end of the file, or the end of the steps. */
export async function* boxesIn(bytes: BoundedBytes, body: BoxBody, steps: Steps): AsyncGenerator<Box> {
  let offset = body.start
  while (offset < body.end && steps()) {
    const header = await bytes.upTo(offset, longHeaderBytes)
    const measured = measure(header, body.end - offset)
    if (!measured) return
    const end = Math.min(offset + measured.sizeBytes, body.end)
    yield { name: header.toString('latin1', 4, 8), start: offset + measured.headerBytes, end }
    offset = end
  }
}

export async function firstBox(
  bytes: BoundedBytes,
  input: BoxBody & { name: string },
  steps: Steps,
): Promise<Box | undefined> {
  for await (const box of boxesIn(bytes, input, steps)) if (box.name === input.name) return box
  return undefined
}

function measure(header: Buffer, leftBytes: number): { sizeBytes: number; headerBytes: number } | undefined {
  if (header.length < shortHeaderBytes) return undefined
  const size = header.readUInt32BE(0)
  if (size === sizeToTheEnd) return { sizeBytes: leftBytes, headerBytes: shortHeaderBytes }
  if (size !== sizeIn64Bits)
    return size < shortHeaderBytes ? undefined : { sizeBytes: size, headerBytes: shortHeaderBytes }
  if (header.length < longHeaderBytes) return undefined
  const sizeBytes = Number(header.readBigUInt64BE(8))
  return sizeBytes < longHeaderBytes ? undefined : { sizeBytes, headerBytes: longHeaderBytes }
}
