import type { FileHandle } from 'node:fs/promises'

import type { Room } from '../../actors/upload/ports.ts'
import { otherThanAudio, sniffBytes } from '../speech/audio/header/sniff.ts'
import { tooLarge } from './answer.ts'
import { refusedByServer, unavailable } from './classify.ts'
import type { RemoteLimits } from './limits.ts'
import type { FetchedPart } from './part.ts'

interface BodyReception {
  readonly file: FileHandle
  readonly limits: RemoteLimits
  readonly onBytes: (soFar: number) => void
  readonly room: Pick<Room, 'pass'>
}

/** Appends a body to what is on disk, and looks at the beginning as soon as it is there: a web page is not read to its end. */
export async function receive(body: AsyncIterable<Buffer>, part: FetchedPart, input: BodyReception): Promise<void> {
  const { file, limits, onBytes, room } = input
  // what an earlier answer left may be longer
  await file.truncate(part.sizeBytes)
  for await (const chunk of room.pass(body)) {
    if (part.sizeBytes + chunk.length > limits.maxBytes) throw tooLarge(limits)
    await writeAll(file, chunk, part.sizeBytes)
    const unsniffed = part.sizeBytes < sniffBytes
    part.sizeBytes += chunk.length
    if (unsniffed && part.sizeBytes >= sniffBytes) await refuseOther(file)
    onBytes(part.sizeBytes)
  }
  if (part.sizeBytes < (part.totalBytes ?? 0)) throw unavailable('The server of this URL sent only a part of the file.')
  if (part.sizeBytes === 0) throw refusedByServer('The file behind this URL is empty.')
  if (part.sizeBytes < sniffBytes) await refuseOther(file)
}

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}

async function refuseOther(file: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
  const other = otherThanAudio(buffer.subarray(0, bytesRead))
  if (other)
    throw refusedByServer(`What is behind this URL ${other.reason}. Give the address of the audio file itself.`)
}
