import { Readable } from 'node:stream'

import { terminal } from '../../actors/failure.ts'
import type { Blobs } from '../../actors/ports.ts'

export interface WatchedBlobs extends Blobs {
  readonly stored: Map<string, Uint8Array>
  /** Puts that were begun and have not ended. */
  readonly underWay: number
  readonly mostUnderWay: number
}

/** Objects in memory. `onPut` may hold a put or make it fail. */
export function watchedBlobs(
  onPut: (key: string, signal?: AbortSignal) => Promise<unknown> = () => Promise.resolve(),
): WatchedBlobs {
  const stored = new Map<string, Uint8Array>()
  let underWay = 0
  let mostUnderWay = 0
  return {
    stored,
    get underWay() {
      return underWay
    },
    get mostUnderWay() {
      return mostUnderWay
    },
    async put(key, source, { ifAbsent = false, signal } = {}) {
      if (!('bytes' in source)) throw new Error('files are not kept in memory')
      mostUnderWay = Math.max(mostUnderWay, (underWay += 1))
      try {
        await onPut(key, signal)
        if (ifAbsent && stored.has(key)) return 'exists'
        stored.set(key, source.bytes)
        return 'stored'
      } finally {
        underWay -= 1
      }
    },
    open(key) {
      const bytes = stored.get(key)
      if (!bytes) return Promise.reject(terminal('not_found', 'There is no object with this key.'))
      return Promise.resolve(Readable.from([bytes]))
    },
    stat: (key) => Promise.resolve(stored.has(key) ? { sizeBytes: stored.get(key)!.length } : undefined),
    remove: (key) => Promise.resolve(stored.delete(key)),
    removeAll(prefix) {
      const keys = [...stored.keys()].filter((key) => key.startsWith(prefix))
      for (const key of keys) stored.delete(key)
      return Promise.resolve(keys.length)
    },
    async *list(prefix) {
      for (const key of [...stored.keys()].filter((one) => one.startsWith(prefix)).sort())
        yield { key, sizeBytes: stored.get(key)!.length }
    },
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
