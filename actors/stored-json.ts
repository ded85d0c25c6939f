import { text } from 'node:stream/consumers'

import { FailureError } from './failure.ts'
import type { Blobs } from './ports.ts'

/** Undefined when it is not there: a file may be deleted while it is looked at. */
export async function readStoredJson<Value>(blobs: Pick<Blobs, 'open'>, key: string): Promise<Value | undefined> {
  try {
    // as: our own processes wrote it
    return JSON.parse(await text(await blobs.open(key))) as Value
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  }
}
