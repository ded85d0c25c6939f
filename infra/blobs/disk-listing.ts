import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { StoredObject } from '../../actors/ports.ts'
import { unlessMissing } from './disk-classify.ts'

/** Every object below a folder, in the order of keys. What goes meanwhile may be left out. */
export async function* objectsBelow(root: string, prefix: string): AsyncIterable<StoredObject> {
  const entries = (await unlessMissing(readdir(join(root, prefix), { withFileTypes: true }))) ?? []
  // as a bucket orders keys: of a folder the "/" counts too
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
  for (const name of names) {
    const key = `${prefix}${name}`
    if (name.endsWith('/')) yield* objectsBelow(root, key)
    else {
      const facts = await unlessMissing(lstat(join(root, key)))
      if (facts?.isFile()) yield { key, sizeBytes: facts.size }
    }
  }
}
