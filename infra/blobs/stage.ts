import { link, lstat, open, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import type { BlobSource } from '../../actors/ports.ts'
import type { Room } from '../../actors/upload/ports.ts'
import { codeOf } from '../process/error-code.ts'
import { openSourceFile } from './source-file.ts'

const fileMode = 0o600
const permissionBits = 0o777
const copyBytes = 1024 * 1024
const cannotLink = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS'])

interface StageOptions {
  readonly signal?: AbortSignal | undefined
  /** On the disk; absent: all there is. */
  readonly room?: Pick<Room, 'pass'> | undefined
}

export type StagedSource = BlobSource | { readonly stream: AsyncIterable<Uint8Array> }

/** Brings the bytes to `staged`, safe on disk. A file that may be linked costs neither time nor room. */
export async function stage(source: StagedSource, staged: string, options: StageOptions = {}): Promise<void> {
  options.signal?.throwIfAborted()
  if ('bytes' in source) return write(source.bytes, staged, options)
  if ('stream' in source) return write(source.stream, staged, options)
  const file = await openSourceFile(source)
  try {
    if (await linkTo(staged, source.path, file)) return
    await write(file.createReadStream({ start: 0, autoClose: false, highWaterMark: copyBytes }), staged, options)
  } finally {
    await file.close()
  }
}

async function linkTo(staged: string, path: string, file: FileHandle): Promise<boolean> {
  const facts = await lstat(path)
  // A link shares its source's mode, and link(2) does not follow a symbolic link.
  if (!facts.isFile() || (facts.mode & permissionBits) !== fileMode) return false
  await file.sync()
  try {
    await link(path, staged)
    return true
  } catch (error) {
    if (cannotLink.has(codeOf(error))) return false
    throw error
  }
}

async function write(
  content: Uint8Array | AsyncIterable<Uint8Array>,
  path: string,
  { signal, room }: StageOptions,
): Promise<void> {
  const file = await open(path, 'wx', fileMode)
  try {
    const passed = room ? room.pass(content instanceof Uint8Array ? yieldWhole(content) : content) : content
    await writeFile(file, passed, signal ? { signal } : {})
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* yieldWhole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
