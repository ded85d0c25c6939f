import { add, emptySet, missing } from '../bitset.ts'
import { commit } from '../durable-actor.ts'
import { terminal } from '../failure.ts'
import type { FileId } from '../ids.ts'
import type { Log, Records } from '../ports.ts'
import type { Reports } from '../run/ports.ts'
import { placedMembers } from './placed-members.ts'
import { acceptedBatch, settledOf } from './state.ts'
import type { BatchRecord, BatchState, Members, OpenBatch } from './state.ts'

interface CancelPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly reports: Pick<Reports, 'toBatch'>
  readonly log: Log
}

/**
 * Of what is not done no more is wanted. That is noted in the record of the batch, so that it comes whatever dies, and the batch is woken: each
 * file that is under way, or whose turn comes, ends with what is done of it. Resolves with how many end so; with nothing when there is no such
 * batch of this user.
 */
export async function cancelFiles(
  ports: CancelPorts,
  { owner, batchId }: OpenBatch,
  fileIds?: ReadonlySet<FileId>,
): Promise<number | undefined> {
  const found = acceptedBatch((await ports.batches.read(batchId))?.value)
  if (found?.owner !== owner) return undefined
  const places = fileIds && (await placesOf(ports, found, fileIds))
  let files = 0
  const { revision } = await commit(ports.batches, batchId, (stored) => {
    const batch = acceptedBatch(stored)
    if (!batch) return { state: stored, effects: [] }
    const open = openPlaces(batch).filter((place) => !places || places.has(place))
    files = open.length
    const before = batch.cancelled ?? emptySet
    const cancelled = add(before, ...open)
    return { state: cancelled === before ? stored : { ...batch, cancelled }, effects: [] }
  })
  if (files > 0) await wake(ports, { owner, batchId }, revision)
  return files
}

function openPlaces(batch: BatchState): number[] {
  return missing(batch.total, settledOf(batch))
}

async function placesOf(
  ports: CancelPorts,
  batch: BatchState,
  fileIds: ReadonlySet<FileId>,
): Promise<ReadonlySet<number>> {
  const open = await placedMembers(ports, batch.batchId, openPlaces(batch))
  const wanted = open.filter(({ member }) => fileIds.has(member.fileId))
  const found = new Set(wanted.map(({ member }) => member.fileId))
  const others = [...fileIds].filter((fileId) => !found.has(fileId))
  if (others.length > 0)
    throw terminal('conflict', {
      message: 'These files are not under way in this batch; nothing was cancelled.',
      file_ids: others,
    })
  return new Set(wanted.map(({ place }) => place))
}

/** Cancelled is cancelled: who is not woken here is woken by the sweeper. */
async function wake({ reports, log }: CancelPorts, batch: OpenBatch, revision: number): Promise<void> {
  try {
    await reports.toBatch(batch, { type: 'Wake' }, `cancelled:${batch.batchId}:${revision}`)
  } catch (error) {
    log.warn('a cancelled batch waits for the sweeper', { batchId: batch.batchId, error })
  }
}
