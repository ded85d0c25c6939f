import { has } from '../bitset.ts'
import type { FileId, RunRef, Owner } from '../ids.ts'
import type { Records } from '../ports.ts'
import { sourceOptionsOf } from '../run/state.ts'
import { acceptedBatch, membersKey, membersPerPage } from './state.ts'
import type { BatchRecord, Member, Members, WaitingBatch, WaitingFile } from './state.ts'
import { batchesAround, batchesAroundAll } from './waiting.ts'

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

/** Of many files, each in the newest of the open batches that it waits in: for pages that people look at. */
export async function findAllQueued(
  ports: QueuedPorts,
  owner: Owner,
  fileIds: readonly FileId[],
): Promise<Map<FileId, WaitingFile>> {
  const around = await batchesAroundAll(ports, owner, fileIds)
  const keys = around.flatMap(({ batchId, pages }) => pages.map((page) => membersKey(batchId, page * membersPerPage)))
  const batches = await ports.batches.readMany([...new Set(around.map(({ batchId }) => batchId))])
  const members = await ports.members.readMany([...new Set(keys)])
  const wanted = new Set(fileIds)
  const found = new Map<FileId, WaitingFile>()
  // ids begin with their time: the newest is put in last
  for (const { batchId, pages } of around.toSorted((one, other) => (one.batchId < other.batchId ? -1 : 1))) {
    const batch = acceptedBatch(batches.get(batchId))
    if (!batch) continue
    for (const first of pages.map((page) => page * membersPerPage))
      for (const [at, member] of (members.get(membersKey(batchId, first))?.files ?? []).entries()) {
        const index = first + at
        if (!member || !wanted.has(member.fileId) || has(batch.gone, index)) continue
        const { fileId, filename } = member
        const ref: RunRef = { owner, batchId, fileId, index }
        found.set(fileId, { ref, filename, ...sourceOptionsOf(member), acceptedAtMs: batch.acceptedAtMs })
      }
  }
  return found
}
