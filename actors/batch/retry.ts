import { members as membersIn, minus, union } from '../bitset.ts'
import { commit } from '../durable-actor.ts'
import { terminal } from '../failure.ts'
import type { FailureError } from '../failure.ts'
import type { BatchId } from '../ids.ts'
import type { Log, Records } from '../ports.ts'
import { acceptedBatch, membersKey, membersPerPage } from './state.ts'
import type { BatchOrder, BatchRecord, BatchState, Member, Members } from './state.ts'

interface RetryPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly log: Log
}

/** Longer than any submission takes: a link to a batch that is not there by then is what a crash left. */
const submittedWithinMs = 600_000
const linksMax = 1_000

/**
 * What did not come out well in a batch is submitted once more, as a batch of its own whose files go on where the earlier
 * ones ended. The earlier batch stays as it ended (I2) and says by which one it is followed, so that two who ask get one.
 */
export async function orderOfRetry(ports: RetryPorts, first: BatchState, as: BatchId): Promise<BatchOrder> {
  const batch = await newestOf(ports, first)
  if (batch.finishedAtMs === undefined) throw underWay(batch.batchId)
  const places = membersIn(minus(union(batch.failed, batch.partial), batch.gone))
  const members = await membersAt(ports, batch.batchId, places)
  if (members.length === 0)
    throw terminal('conflict', 'Nothing in this batch failed, so there is nothing to try again.')
  await link(ports, batch, as)
  const { owner, settings, callbackUrl, retain, batchId } = batch
  return {
    batchId: as,
    owner,
    settings,
    members: members.map((member) => ({ ...member, continues: batchId })),
    retryOf: batchId,
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(retain !== undefined && { retain }),
  }
}

/** It was not accepted after all. */
export async function unlink(ports: RetryPorts, from: BatchId, as: BatchId): Promise<void> {
  await commit(ports.batches, from, (stored) => {
    const batch = acceptedBatch(stored)
    if (batch?.retriedAs !== as) return { state: stored, effects: [] }
    const { retriedAs: _, ...rest } = batch
    return { state: rest, effects: [] }
  }).catch((error: unknown) => ports.log.warn('a retry that was refused is still linked', { batchId: from, error }))
}

/** Who asks for a batch means what became of it since. */
async function newestOf(ports: RetryPorts, first: BatchState): Promise<BatchState> {
  let stored = await ports.batches.read(first.batchId)
  let batch = acceptedBatch(stored?.value) ?? first
  for (let links = 0; links < linksMax && batch.retriedAs !== undefined; links += 1) {
    const next = await ports.batches.read(batch.retriedAs)
    const newer = acceptedBatch(next?.value)
    // a batch that has ended changes no more once it is linked, unless a file of it is deleted: that only lets one wait longer
    if (!newer && stored && (await ports.batches.ageMs(stored)) < submittedWithinMs) throw underWay(batch.retriedAs)
    if (!newer) return batch
    stored = next
    batch = newer
  }
  return batch
}

async function link(ports: RetryPorts, { batchId, retriedAs }: BatchState, as: BatchId): Promise<void> {
  const { state } = await commit(ports.batches, batchId, (stored) => {
    const batch = acceptedBatch(stored)
    const isAsItWas = batch && batch.retriedAs === retriedAs
    return { state: isAsItWas ? { ...batch, retriedAs: as } : stored, effects: [] }
  })
  const linked = acceptedBatch(state)?.retriedAs
  if (linked !== as) throw underWay(linked ?? batchId)
}

async function membersAt({ members }: RetryPorts, batchId: BatchId, places: readonly number[]): Promise<Member[]> {
  const keys = [...new Set(places.map((place) => membersKey(batchId, place)))]
  const pages = new Map(await Promise.all(keys.map(async (key) => [key, (await members.read(key))?.value] as const)))
  return places.flatMap((place) => pages.get(membersKey(batchId, place))?.files[place % membersPerPage] ?? [])
}

function underWay(batchId: BatchId): FailureError {
  return terminal('conflict', {
    message: 'This is being worked on; try again what fails when it has ended.',
    batch_id: batchId,
  })
}
