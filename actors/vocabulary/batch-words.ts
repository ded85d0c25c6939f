import { FailureError, terminal } from '../failure.ts'
import { batchWordsKey } from '../ids.ts'
import type { BatchId, Owner } from '../ids.ts'
import type { Blobs } from '../ports.ts'
import { wholeBytes } from '../whole-bytes.ts'

/**
 * What a batch listens for is an object of its own, as it was when it was submitted: who changes or deletes the vocabulary afterwards
 * changes nothing of what was accepted, and no record holds thousands of words.
 */
type BatchWords = Uint8Array

interface WordsPlace {
  readonly owner: Owner
  readonly batchId: BatchId
}

export async function storeBatchWords(
  blobs: Pick<Blobs, 'put'>,
  { owner, batchId }: WordsPlace,
  words: BatchWords | undefined,
): Promise<void> {
  if (words) await blobs.put(batchWordsKey({ owner, batchId }), { bytes: words }, { ifAbsent: true })
}

export async function readBatchWords(blobs: Pick<Blobs, 'open'>, { owner, batchId }: WordsPlace): Promise<BatchWords> {
  try {
    return await wholeBytes(await blobs.open(batchWordsKey({ owner, batchId })))
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'not_found')
      throw terminal('not_found', 'The words of the batch are no longer in storage. Submit the file again.', error)
    throw error
  }
}

export async function removeBatchWords(blobs: Pick<Blobs, 'remove'>, { owner, batchId }: WordsPlace): Promise<void> {
  await blobs.remove(batchWordsKey({ owner, batchId }))
}
