import { retryable } from '../../../actors/failure.ts'
import { withFileBytes } from './header/file-bytes.ts'
import type { BoundedBytes } from './header/bounded-bytes.ts'
import type { Demuxer } from './header/formats.ts'
import { sniff } from './header/sniff.ts'

/** What the decoder is told of a file before it opens it, by the same table that an upload is accepted by. */
export interface Container {
  readonly demuxer: Demuxer
  /** What people call it. */
  readonly name: string
  /** Its samples are in that order, which its demuxer does not know. */
  readonly bigEndian: boolean
  /** True when the header says how long the audio is; otherwise a length is only somebody's guess. */
  readonly declaresLength: boolean
  readonly sizeBytes: number
  /** Bytes that the header promises and the file does not have. */
  readonly missingBytes: number
}

export async function containerOfFile(path: string): Promise<Container | undefined> {
  try {
    return await withFileBytes(path, containerOf)
  } catch (error) {
    throw retryable('worker_failed', 'The audio file could not be read from the local disk.', error)
  }
}

export async function containerOf(file: BoundedBytes): Promise<Container | undefined> {
  const sniffed = await sniff(file)
  if (!('format' in sniffed)) return undefined
  const { format, bytes } = sniffed
  return {
    demuxer: format.demuxer,
    name: format.name,
    bigEndian: format.bigEndian ?? false,
    declaresLength: (await format.declaresLength?.(bytes)) ?? true,
    sizeBytes: file.sizeBytes,
    missingBytes: await missingBytes(bytes),
  }
}

/** Recorders that write to a pipe leave a size near the largest that fits, or none: that is no promise. */
const unknownSize = 0x7fff_0000
const headerBytes = 8

async function missingBytes(bytes: BoundedBytes): Promise<number> {
  const header = await bytes.exactly(0, headerBytes)
  const promised = header && promisedBytes(header)
  return !promised || promised >= unknownSize ? 0 : Math.max(0, promised + headerBytes - bytes.sizeBytes)
}

function promisedBytes(header: Buffer): number | undefined {
  const name = header.toString('latin1', 0, 4)
  if (name === 'RIFF') return header.readUInt32LE(4)
  return name === 'RIFX' || name === 'FORM' ? header.readUInt32BE(4) : undefined
}
