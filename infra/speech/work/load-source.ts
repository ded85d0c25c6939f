import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { FailureError, away } from '../../../actors/failure.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { Room } from '../../../actors/upload/ports.ts'
import { unboundedRoom } from '../../blobs/room.ts'
import { openStored } from './open-stored.ts'

export interface SourceParts {
  readonly blobs: Blobs
  /** On the disk where recordings lie while they are decoded; absent: all there is. */
  readonly room?: Pick<Room, 'pass'>
}

const writeBytes = 1024 * 1024
const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** A stored recording as a file on this machine's disk, which the decoder can read here and there: by a link, or a copy of its bytes. */
export async function loadSource(
  { blobs, room = unboundedRoom }: SourceParts,
  key: string,
  to: { readonly path: string; readonly signal: AbortSignal },
): Promise<void> {
  const { path, signal } = to
  if (await blobs.linkTo?.(key, path)) return
  const audio = await openStored(blobs, key, 'The uploaded file is no longer in storage. Upload it again.')
  try {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: writeBytes })
    await pipeline(audio, (bytes: AsyncIterable<Uint8Array>) => room.pass(bytes), file, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw classify(error)
  }
}

function classify(error: unknown): unknown {
  if (error instanceof FailureError || !(error instanceof Error && 'code' in error)) return error
  if (!noRoom.has(String(error.code))) return error
  return away('disk_full', 'There is no room left on the worker’s disk to decode this file.', error)
}
