import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import type { Blobs } from '../../actors/ports.ts'

const leastMs = 200
const mostMs = 2000

/** Each answer of a store comes late for as long as there is a file with this name. */
export function slowedBy(sign: string, blobs: Blobs): Blobs {
  const late = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (existsSync(sign)) await pause(leastMs + Math.random() * (mostMs - leastMs))
    return ask()
  }
  return {
    put: (...given) => late(() => blobs.put(...given)),
    open: (...given) => late(() => blobs.open(...given)),
    ...(blobs.linkTo && { linkTo: (...given) => late(() => blobs.linkTo!(...given)) }),
    stat: (key) => late(() => blobs.stat(key)),
    remove: (key) => late(() => blobs.remove(key)),
    removeAll: (prefix) => late(() => blobs.removeAll(prefix)),
    list: (prefix) => blobs.list(prefix),
    check: () => late(() => blobs.check()),
    close: () => blobs.close(),
  }
}
