import type { BatchId, Owner } from '../ids.ts'
import type { Blobs } from '../ports.ts'
import { readStoredJson } from '../stored-json.ts'
import { batchQuestionsKey } from './keys.ts'

/** The questions that a batch was submitted with are an object of its own: no record and no message has what a user asks. */

interface QuestionsPlace {
  readonly owner: Owner
  readonly batchId: BatchId
}

export async function storeBatchQuestions(
  blobs: Pick<Blobs, 'put'>,
  { owner, batchId }: QuestionsPlace,
  questions: readonly string[] | undefined,
): Promise<void> {
  if (!questions) return
  const bytes = Buffer.from(JSON.stringify(questions))
  await blobs.put(batchQuestionsKey({ owner, batchId }), { bytes }, { ifAbsent: true })
}

/** None where they are gone with their batch. */
export async function readBatchQuestions(
  blobs: Pick<Blobs, 'open'>,
  { owner, batchId }: QuestionsPlace,
): Promise<readonly string[]> {
  return (await readStoredJson<readonly string[]>(blobs, batchQuestionsKey({ owner, batchId }))) ?? []
}

export async function removeBatchQuestions(
  blobs: Pick<Blobs, 'remove'>,
  { owner, batchId }: QuestionsPlace,
): Promise<void> {
  await blobs.remove(batchQuestionsKey({ owner, batchId }))
}
