import { acceptedBatch, membersKey, membersPerPage } from '../../actors/batch/state.ts'
import type { BatchState, OpenBatch } from '../../actors/batch/state.ts'
import { has } from '../../actors/bitset.ts'
import { isBatchId, madeAtMs } from '../../actors/ids.ts'
import type { BatchId, FileId, Owner } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import { isVisible } from '../../actors/upload/state.ts'
import { filesAt, isUntouched } from './read.ts'
import type { BatchFile, BatchReadPorts } from './read.ts'

export interface FindPorts extends BatchReadPorts {
  readonly open: Records<OpenBatch>
}

const batchesAtOnce = 50
const pagesAtOnce = 50
/** Far more than the time between the ids of one request. */
const sameAgeMs = 600_000

/** A file as its newest transcription has it; while it was not begun, as it waits in a batch that is open. */
export async function findFile(ports: FindPorts, owner: Owner, fileId: FileId): Promise<BatchFile | undefined> {
  const runs = [...(await ports.runs.readUnder(fileId)).values()].filter((run) => run.owner === owner)
  const [newest] = runs
    .filter(({ progress }) => progress.phase !== 'gone')
    .sort((one, other) => other.acceptedAtMs - one.acceptedAtMs || (other.batchId < one.batchId ? -1 : 1))
  if (newest && (await isDoomed(ports, newest))) return undefined
  if (newest) {
    const { batchId, index, filename, acceptedAtMs } = newest
    return { ref: { owner, batchId, fileId, index }, filename, acceptedAtMs, run: newest }
  }
  return findWaiting(ports, owner, fileId)
}

async function isDoomed({ fileRecords }: FindPorts, run: RunState): Promise<boolean> {
  if (run.source.type !== 'upload' || !isUntouched(run)) return false
  const upload = (await fileRecords.read(run.fileId))?.value
  return !(upload && isVisible(upload))
}

/** Nothing leads from a file to the batches it waits in, so they are searched, the newest first. */
async function findWaiting(ports: FindPorts, owner: Owner, fileId: FileId): Promise<BatchFile | undefined> {
  const upload = (await ports.fileRecords.read(fileId))?.value
  if (upload && upload.owner !== owner) return undefined
  const open = (await ports.open.keys()).flatMap((key) => {
    const [of, batchId = ''] = key.split('.')
    return of === owner && isBatchId(batchId) ? [batchId] : []
  })
  // what was not uploaded is behind a URL, and such a file is as old as its batch
  const isPossible = (batchId: BatchId): boolean =>
    upload !== undefined || Math.abs(madeAtMs(batchId) - madeAtMs(fileId)) < sameAgeMs
  for (const batchIds of groupsOf(open.filter(isPossible).sort().reverse(), batchesAtOnce)) {
    const batches = await ports.batches.readMany(batchIds)
    const found = await findIn(
      ports,
      batchIds.flatMap((batchId) => acceptedBatch(batches.get(batchId)) ?? []),
      fileId,
    )
    if (found) return found
  }
  return undefined
}

async function findIn(
  ports: FindPorts,
  batches: readonly BatchState[],
  fileId: FileId,
): Promise<BatchFile | undefined> {
  const pages = batches.flatMap((batch) =>
    Array.from({ length: Math.ceil(batch.total / membersPerPage) }, (_, page) => {
      const first = page * membersPerPage
      return { batch, first, key: membersKey(batch.batchId, first) }
    }),
  )
  for (const group of groupsOf(pages, pagesAtOnce)) {
    const members = await ports.members.readMany(group.map(({ key }) => key))
    for (const { batch, first, key } of group) {
      const place = members.get(key)?.files.findIndex((member) => member?.fileId === fileId) ?? -1
      if (place < 0 || has(batch.gone, first + place)) continue
      for await (const file of filesAt(ports, batch, [first + place])) return file
    }
  }
  return undefined
}

function groupsOf<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}
