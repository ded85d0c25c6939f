import type { FileId, RunRef, Owner } from '../ids.ts'
import type { Records } from '../ports.ts'
import { firstIndexOf } from './state.ts'
import type { BatchRecord, Member, Members, OpenBatch } from './state.ts'

export interface QueuedPorts {
  readonly open: Records<OpenBatch>
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
}

export type QueuedFile = RunRef & Pick<Member, 'estimatedSeconds'>

/**
 * Where a file waits in the open batches of a user. A file gets a record of its own only when its turn comes, so until then
 * the pages of its batch are all that knows of it. Read strongly: what a deletion does not see it does not delete.
 */
export async function findQueued(ports: QueuedPorts, owner: Owner, fileId: FileId): Promise<QueuedFile[]> {
  const found: QueuedFile[] = []
  for (const { batchId } of (await ports.open.readUnder(owner)).values())
    if (await ports.batches.read(batchId)) found.push(...(await findIn(ports.members, { owner, batchId }, fileId)))
  return found
}

async function findIn(members: Records<Members>, batch: OpenBatch, fileId: FileId): Promise<QueuedFile[]> {
  const pages = await members.readUnder(batch.batchId)
  return [...pages].flatMap(([key, page]) =>
    page.files.flatMap((member, at) =>
      member?.fileId === fileId
        ? [{ ...batch, fileId, index: firstIndexOf(key) + at, estimatedSeconds: member.estimatedSeconds }]
        : [],
    ),
  )
}
