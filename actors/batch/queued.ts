import type { BatchId, FileId, FileRef, Owner } from '../ids.ts'
import type { Records } from '../ports.ts'
import { membersKey, membersPerPage } from './state.ts'
import type { BatchState, Members, OpenBatch } from './state.ts'

export interface QueuedPorts {
  readonly open: Records<OpenBatch>
  readonly batches: Records<BatchState>
  readonly members: Records<Members>
}

/**
 * Where a file waits in the open batches of a user. A file gets a record of its own only when its turn comes, so until then
 * the pages of its batch are all that knows of it.
 */
export async function findQueued(ports: QueuedPorts, owner: Owner, fileId: FileId): Promise<FileRef[]> {
  const found: FileRef[] = []
  for (const { batchId } of (await ports.open.readUnder(owner)).values()) {
    const batch = await ports.batches.read(batchId)
    if (batch) found.push(...(await findIn(ports, { batchId, owner, total: batch.value.total }, fileId)))
  }
  return found
}

async function findIn(
  ports: QueuedPorts,
  batch: { batchId: BatchId; owner: Owner; total: number },
  fileId: FileId,
): Promise<FileRef[]> {
  const { batchId, owner, total } = batch
  const keys = Array.from({ length: Math.ceil(total / membersPerPage) }, (_, page) =>
    membersKey(batchId, page * membersPerPage),
  )
  const pages = await ports.members.readMany(keys)
  return keys.flatMap((key, page) =>
    (pages.get(key)?.files ?? []).flatMap((member, at) =>
      member?.fileId === fileId ? [{ owner, batchId, fileId, index: page * membersPerPage + at }] : [],
    ),
  )
}
