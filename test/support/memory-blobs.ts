import { Readable } from 'node:stream'

import { terminal } from '../../actors/failure.ts'
import type { Blobs } from '../../actors/ports.ts'

/** Objects in this process: for tests of what is built on them. */
export interface MemoryStorage {
  readonly blobs: Blobs
  keys(): string[]
}

export function aMemoryStorage(): MemoryStorage {
  const objects = new Map<string, Uint8Array>()
  return {
    keys: () => [...objects.keys()],
    blobs: {
      async put(key, source, options) {
        if (!('bytes' in source)) throw new Error('only bytes are kept in memory')
        if (options?.ifAbsent && objects.has(key)) return 'exists'
        objects.set(key, source.bytes)
        return 'stored'
      },
      stat: async (key) => {
        const content = objects.get(key)
        return content && { sizeBytes: content.length }
      },
      remove: async (key) => objects.delete(key),
      async removeAll(prefix) {
        const found = [...objects.keys()].filter((key) => key.startsWith(prefix))
        for (const key of found) objects.delete(key)
        return found.length
      },
      async *list(prefix) {
        for (const key of [...objects.keys()].filter((one) => one.startsWith(prefix)).sort())
          yield { key, sizeBytes: objects.get(key)?.length ?? 0 }
      },
      async open(key) {
        const content = objects.get(key)
        if (!content) throw terminal('not_found', 'There is no object with this key.')
        return Readable.from([content])
      },
      check: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
  }
}
