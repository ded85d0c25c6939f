import { scryptSync, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'store-key.check'
const salt = 'vaak nats store'
const checkBytes = 32

/**
 * Refuses a store that was encrypted with another key, or any: nats-server would pass over the streams that it cannot read, and empty
 * ones would be made in their place. `key` is empty when there is none.
 */
export async function checkStoreKey(storeDir: string, key: string): Promise<void> {
  const path = join(storeDir, fileName)
  const noted = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (!noted && key === '') return
  // slow on purpose: the note lies beside what the key protects
  const check = scryptSync(key, salt, checkBytes)
  if (!noted) return note(path, { storeDir, check })
  if (key === '') throw new Error(`${storeDir} is encrypted. Set NATS_STORE_KEY to what it was encrypted with.`)
  if (noted.length !== check.length || !timingSafeEqual(noted, check))
    throw new Error(`${storeDir} is encrypted with another key than NATS_STORE_KEY. Set it to what it was.`)
}

/** Before the first stream is: whoever dies in between comes again with the key. */
async function note(path: string, { storeDir, check }: { storeDir: string; check: Buffer }): Promise<void> {
  await mkdir(storeDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.tmp`
  await writeFile(draft, check, { mode: 0o600, flush: true })
  await rename(draft, path)
}
