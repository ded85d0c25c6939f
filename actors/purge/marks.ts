import { runKey } from '../ids.ts'
import type { Records } from '../ports.ts'
import { uploadsOf } from './folders.ts'
import type { Purge } from './state.ts'

type Erasable = Pick<Records<unknown>, 'erase'>

interface MarkedRecords {
  readonly files: Erasable
  readonly uploads: Erasable
  readonly runs: Erasable
  readonly batches: Erasable
  readonly webhooks: Erasable
}

const keysAtOnce = 32

/**
 * Removed keys stay taken for as long as somebody may come late. After that their marks are only keys that cost memory (T13): at ten
 * transcriptions a second those of a day would be millions.
 */
export async function eraseMarks(records: MarkedRecords, purge: Purge): Promise<void> {
  const { fileIds, batchId, uploadIds = [] } = purge
  const marks: (readonly [Erasable, string])[] = [
    ...uploadsOf(purge).map((fileId) => [records.files, fileId] as const),
    ...uploadIds.map((uploadId) => [records.uploads, uploadId] as const),
    ...(batchId === undefined ? [] : fileIds.map((fileId) => [records.runs, runKey({ fileId, batchId })] as const)),
    ...(batchId === undefined
      ? []
      : ([
          [records.batches, batchId],
          [records.webhooks, batchId],
        ] as const)),
  ]
  for (let from = 0; from < marks.length; from += keysAtOnce)
    await Promise.all(marks.slice(from, from + keysAtOnce).map(([kept, key]) => kept.erase(key)))
}
