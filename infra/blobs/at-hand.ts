import { Readable } from 'node:stream'

import type { Blobs, BlobSource, Timer } from '../../actors/ports.ts'

interface AtHandOptions {
  readonly mostBytes: number
  /** What nobody has asked for by then is dropped: what was deleted meanwhile stays in no memory either. */
  readonly keepMs: number
  readonly timer: Timer
}

/**
 * Bytes that were stored a moment ago are mostly read once, and by who stored them: then they come from memory. Only for objects that
 * nobody writes a second time with other bytes. A copy here hides no store that went meanwhile: whoever reads stores what came of it before
 * anybody is told, and is asked again for all of it otherwise, then by who has no copy (`take`).
 */
export function keepAtHand<Storage extends Blobs>(
  blobs: Storage,
  { mostBytes, keepMs, timer }: AtHandOptions,
): Storage {
  const held = new Map<string, Uint8Array>()
  let heldBytes = 0
  let callOff: (() => void) | undefined

  function take(key: string): Uint8Array | undefined {
    const bytes = held.get(key)
    if (bytes && held.delete(key)) heldBytes -= bytes.length
    return bytes
  }
  function dropAll(): void {
    held.clear()
    heldBytes = 0
    callOff?.()
    callOff = undefined
  }
  function hold(key: string, bytes: Uint8Array): void {
    take(key)
    held.set(key, bytes)
    heldBytes += bytes.length
    for (const oldest of held.keys()) {
      if (heldBytes <= mostBytes) break
      take(oldest)
    }
    callOff ??= timer.after(keepMs, dropAll)
  }

  return {
    ...blobs,
    async put(key: string, source: BlobSource, options?: Parameters<Blobs['put']>[2]) {
      const outcome = await blobs.put(key, source, options)
      if (outcome === 'stored' && 'bytes' in source) hold(key, source.bytes)
      return outcome
    },
    async open(key: string, range?: Parameters<Blobs['open']>[1]) {
      const bytes = range ? undefined : take(key)
      return bytes ? Readable.from([bytes], { objectMode: false }) : blobs.open(key, range)
    },
    remove(key: string) {
      take(key)
      return blobs.remove(key)
    },
    removeAll(prefix: string) {
      for (const key of held.keys()) if (key.startsWith(prefix)) take(key)
      return blobs.removeAll(prefix)
    },
    close() {
      dropAll()
      return blobs.close()
    },
  }
}
