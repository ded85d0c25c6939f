import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { bleepedAudioKey } from '../../../actors/ids.ts'
import type { RunOrder } from '../../../actors/run/state.ts'
import type { FileResult } from '../../../actors/transcript/state.ts'
import { unboundedRoom } from '../../blobs/room.ts'
import { toPcm } from '../audio/signal/pcm.ts'
import { spokenWavHeader } from '../audio/signal/wav-header.ts'
import { bleeped, bleepsOf } from '../redaction/bleep.ts'
import { loadSource } from './load-source.ts'
import type { SourceParts } from './load-source.ts'
import type { WorkFolder } from './work-folder.ts'

/** A recording as it is heard, all channels in one, block by block. */
export type DecodeRecording = (
  path: string,
  order: RunOrder,
  signal: AbortSignal,
) => Promise<AsyncIterable<readonly Float32Array[]>>

interface BleepParts extends SourceParts {
  readonly folder: Pick<WorkFolder, 'withFile'>
  readonly decode: DecodeRecording
}

interface Bleeping {
  readonly order: RunOrder
  /** With its marks. */
  readonly result: FileResult
  readonly signal: AbortSignal
}

/** Stores a copy of an uploaded recording in which a tone stands for what was taken out of its transcript. */
export async function storeBleeped(parts: BleepParts, { order, result, signal }: Bleeping): Promise<void> {
  const { source } = order
  const key = bleepedAudioKey(order)
  if (source.type !== 'upload' || (await parts.blobs.stat(key))) return
  await parts.folder.withFile(async (original) => {
    await loadSource(parts, source.key, { path: original, signal })
    await parts.folder.withFile(async (path) => {
      const blocks = await parts.decode(original, order, signal)
      await write(parts, path, { blocks: wavOf(blocks, bleepsOf(result, order.part)), signal })
      const { size: sizeBytes } = await stat(path)
      await parts.blobs.put(key, { path, sizeBytes }, { ifAbsent: true, signal })
    })
  })
}

async function* wavOf(
  blocks: AsyncIterable<readonly Float32Array[]>,
  bleeps: ReturnType<typeof bleepsOf>,
): AsyncGenerator<Uint8Array> {
  yield spokenWavHeader(0, recogniserRate)
  let at = 0
  for await (const [samples] of blocks) {
    if (!samples) continue
    const { buffer, byteOffset, byteLength } = toPcm(bleeped(samples, at, bleeps))
    yield new Uint8Array(buffer, byteOffset, byteLength)
    at += samples.length
  }
}

interface Written {
  readonly blocks: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** How long it is is known at the end, and is said at the beginning. */
async function write({ room = unboundedRoom }: SourceParts, path: string, { blocks, signal }: Written): Promise<void> {
  const into = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await pipeline(room.pass(blocks), into, { signal })
  const header = spokenWavHeader(into.bytesWritten - spokenWavHeader(0).length, recogniserRate)
  const file = await open(path, 'r+')
  try {
    await file.write(header, 0, header.length, 0)
  } finally {
    await file.close()
  }
}
