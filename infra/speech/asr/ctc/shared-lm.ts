import { open } from 'node:fs/promises'

import { openLm } from './lm.ts'
import type { CharacterLm } from './lm.ts'
import { lmArrays, lmHeaderBytes, lmSizesOf } from './lm-format.ts'
import { firstChildren } from './lm-trie.ts'

/** A language model that several threads walk: each would have forty megabytes of its own. */
export interface SharedLm {
  readonly bytes: SharedArrayBuffer
  /** Where the children of each context begin. */
  readonly first: SharedArrayBuffer
  /** Threads find the same, whoever writes it down. */
  readonly suffix: SharedArrayBuffer
  /** One word: whether `bytes` and `first` are all there. */
  readonly filled: SharedArrayBuffer
}

/** Makes memory for the model in this file, which the first thread fills that opens it. */
export async function roomForLm(path: string): Promise<() => SharedLm> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const header = new Uint8Array(lmHeaderBytes)
    await handle.read(header, 0, header.length, 0)
    const { contexts } = lmSizesOf(header)
    const words = (count: number): SharedArrayBuffer => new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT)
    return () => ({
      bytes: new SharedArrayBuffer(size),
      first: words(contexts + 1),
      suffix: words(contexts),
      filled: words(1),
    })
  } finally {
    await handle.close()
  }
}

export async function openSharedLm(path: string, shared: SharedLm): Promise<CharacterLm> {
  const bytes = new Uint8Array(shared.bytes)
  const first = new Uint32Array(shared.first)
  const filled = new Int32Array(shared.filled)
  if (Atomics.load(filled, 0) === 0) {
    await readInto(bytes, path)
    firstChildren(lmArrays(bytes).children, first)
    Atomics.store(filled, 0, 1)
  }
  return openLm(bytes, { first, suffix: new Uint32Array(shared.suffix) })
}

async function readInto(bytes: Uint8Array, path: string): Promise<void> {
  const handle = await open(path)
  try {
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at, at)
      if (bytesRead === 0) throw new RangeError(`${path} became shorter while it was read`)
      at += bytesRead
    }
  } finally {
    await handle.close()
  }
}
