import type { FileId, RunRef, Owner } from '../ids.ts'
import type { Records } from '../ports.ts'
import { membersKey, membersPerPage } from './state.ts'
import type { BatchRecord, Member, Members, WaitingBatch } from './state.ts'
import { batchesAround } from './waiting.ts'

export interface QueuedPorts {
  readonly waiting: Records<WaitingBatch>
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
  for (const batch of await batchesAround(ports, owner, fileId))
    if (await ports.batches.read(batch.batchId)) found.push(...(await findIn(ports.members, batch, fileId)))
  return found
}

async function findIn(members: Records<Members>, waiting: WaitingBatch, fileId: FileId): Promise<QueuedFile[]> {
  const { owner, batchId } = waiting
  const found: QueuedFile[] = []
  for (const page of waiting.pages) {
    const first = page * membersPerPage
    const files = (await members.read(membersKey(batchId, first)))?.value.files ?? []
    for (const [at, member] of files.entries())
      if (member?.fileId === fileId)
        found.push({ owner, batchId, fileId, index: first + at, estimatedSeconds: member.estimatedSeconds })
  }
  return found
}
