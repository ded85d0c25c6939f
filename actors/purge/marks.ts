import { openKey } from '../batch/state.ts'
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
  readonly owedCalls: Erasable
}

const keysAtOnce = 32

/**
 * Removed keys stay taken for as long as somebody may come late. After that their marks are only keys that cost memory (T13): at ten
 * transcriptions a second those of a day would be millions. What came late beside them goes, too.
 */
export async function eraseMarks(records: MarkedRecords, purge: Purge): Promise<void> {
  const { owner, fileIds, batchId, uploadIds = [] } = purge
  const marks: (readonly [Erasable, string])[] = [
    ...uploadsOf(purge).map((fileId) => [records.files, fileId] as const),
    ...uploadIds.map((uploadId) => [records.uploads, uploadId] as const),
    ...(batchId === undefined ? [] : fileIds.map((fileId) => [records.runs, runKey({ fileId, batchId })] as const)),
    ...(batchId === undefined
      ? []
      : ([
          [records.batches, batchId],
          [records.webhooks, batchId],
          // made again by who closed the batch late: its message is known to the broker, so that nobody settles it
          [records.owedCalls, openKey({ owner, batchId })],
        ] as const)),
  ]
  await forEachKey(marks, ([kept, key]) => kept.erase(key))
}

interface RenewedRecords {
  readonly files: Pick<Records<unknown>, 'read' | 'remove'>
  readonly uploads: Pick<Records<unknown>, 'remove'>
}

/** They stay taken for a day from now. A file whose record outlived its deletion needs no mark. */
export async function renewMarks({ files, uploads }: RenewedRecords, purge: Purge): Promise<void> {
  await forEachKey(uploadsOf(purge), async (fileId) => {
    if (!(await files.read(fileId))) await files.remove(fileId)
  })
  await forEachKey(purge.uploadIds ?? [], (uploadId) => uploads.remove(uploadId))
}

async function forEachKey<Key>(keys: readonly Key[], run: (key: Key) => Promise<void>): Promise<void> {
  for (let from = 0; from < keys.length; from += keysAtOnce)
    await Promise.all(keys.slice(from, from + keysAtOnce).map(run))
}
