import type { Readable } from 'node:stream'

import { FailureError, terminal } from '../../../actors/failure.ts'
import type { Blobs } from '../../../actors/ports.ts'

/** An object that ought to be there; `missing` tells a user what it means that it is not. */
export async function openStored(blobs: Blobs, key: string, missing: string): Promise<Readable> {
  try {
    return await blobs.open(key)
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'not_found') throw terminal('not_found', missing, error)
    throw error
  }
}
