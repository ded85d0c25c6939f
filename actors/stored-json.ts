import { FailureError } from './failure.ts'
import type { Blobs } from './ports.ts'
import { wholeBytes } from './whole-bytes.ts'

/** Undefined when it is not there: a file may be deleted while it is looked at. */
export async function readStoredBytes(blobs: Pick<Blobs, 'open'>, key: string): Promise<Buffer | undefined> {
  try {
    return await wholeBytes(await blobs.open(key))
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  }
}

export async function readStoredJson<Value>(blobs: Pick<Blobs, 'open'>, key: string): Promise<Value | undefined> {
  const bytes = await readStoredBytes(blobs, key)
  // as: our own processes wrote it
  return bytes && (JSON.parse(bytes.toString()) as Value)
}
