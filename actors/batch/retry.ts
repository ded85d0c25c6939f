import { add, emptySet, members as membersIn, minus, union } from '../bitset.ts'
import { commit } from '../durable-actor.ts'
import { terminal } from '../failure.ts'
import type { FailureError } from '../failure.ts'
import type { BatchId, FileId } from '../ids.ts'
import type { Log, Records } from '../ports.ts'
import { placedMembers } from './placed-members.ts'
import type { PlacedMember } from './placed-members.ts'
import { acceptedBatch } from './state.ts'
import type { BatchOrder } from './protocol.ts'
import type { BatchRecord, BatchState, Member, Members, RetriedApart } from './state.ts'

interface RetryPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly log: Log
}

/** Longer than any submission takes: a link to a batch that is not there by then is what a crash left. */
const submittedWithinMs = 600_000
const linksMax = 1_000

/** Each is an entry in the record of the batch, which is read wherever the batch is. */
const apartMax = 100

interface RetryRequest {
  readonly as: BatchId
  /** These alone; without them all that failed and was not tried again since. */
  readonly fileIds?: ReadonlySet<FileId>
}

/**
 * What did not come out well in a batch is submitted once more, as a batch of its own whose files go on where the earlier
 * ones ended. The earlier batch stays as it ended (I2) and says by which one it is followed, so that two who ask get one.
 */
export async function orderOfRetry(
  ports: RetryPorts,
  first: BatchState,
  { as, fileIds }: RetryRequest,
): Promise<BatchOrder> {
  const { batch, isSettling } = await newestOf(ports, first)
  // one file has ended before its batch has, and need not wait for it
  if (!fileIds && batch.finishedAtMs === undefined) throw underWay(batch.batchId)
  const apart = await standingApart(ports, batch, isSettling)
  const taken = union(...apart.map(({ files }) => files))
  const places = membersIn(minus(minus(union(batch.failed, batch.partial), batch.gone), taken))
  const failed = await placedMembers(ports, batch.batchId, places)
  const wanted = fileIds ? failed.filter(({ member }) => fileIds.has(member.fileId)) : failed
  if (fileIds && wanted.length < fileIds.size) throw notFailed(fileIds, wanted)
  if (wanted.length === 0) throw nothingToRetry(apart)
  if (!fileIds) await link(ports, batch, { retriedAs: as })
  else if (apart.length >= apartMax) throw tooManyApart()
  else await link(ports, batch, { retriedApart: [...apart, { as, files: add(emptySet, ...wanted.map(placeOf)) }] })
  return orderFrom(
    batch,
    as,
    wanted.map(({ member }) => member),
  )
}

function orderFrom(batch: BatchState, as: BatchId, members: readonly Member[]): BatchOrder {
  const { owner, name, metadata, settings, callbackUrl, callbackHeaders, retain, batchId } = batch
  return {
    batchId: as,
    owner,
    ...(name !== undefined && { name }),
    ...(metadata && { metadata }),
    settings,
    members: members.map((member) => ({ ...member, continues: batchId })),
    retryOf: batchId,
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(callbackHeaders && { callbackHeaders }),
    ...(retain !== undefined && { retain }),
  }
}

/** It was not accepted after all. */
export async function unlink(ports: RetryPorts, from: BatchId, as: BatchId): Promise<void> {
  await commit(ports.batches, from, (stored) => {
    const batch = acceptedBatch(stored)
    return { state: batch && isLinked(batch, as) ? unlinked(batch, as) : stored, effects: [] }
  }).catch((error: unknown) => ports.log.warn('a retry that was refused is still linked', { batchId: from, error }))
}

function isLinked({ retriedAs, retriedApart = [] }: BatchState, as: BatchId): boolean {
  return retriedAs === as || retriedApart.some((one) => one.as === as)
}

function unlinked(batch: BatchState, as: BatchId): BatchState {
  const { retriedAs, retriedApart = [], ...rest } = batch
  const apart = retriedApart.filter((one) => one.as !== as)
  return {
    ...rest,
    ...(retriedAs !== undefined && retriedAs !== as && { retriedAs }),
    ...(apart.length > 0 && { retriedApart: apart }),
  }
}

interface NewestBatch {
  readonly batch: BatchState
  /** It was changed so lately that a retry it names may still come. */
  readonly isSettling: boolean
}

/** Who asks for a batch means what became of it since. */
async function newestOf(ports: RetryPorts, first: BatchState): Promise<NewestBatch> {
  let stored = await ports.batches.read(first.batchId)
  let batch = acceptedBatch(stored?.value) ?? first
  // what is linked changes no more, unless it is renamed or a file of it ends or is deleted: that only lets one wait longer
  const isSettling = async (): Promise<boolean> =>
    stored !== undefined && (await ports.batches.ageMs(stored)) < submittedWithinMs
  for (let links = 0; links < linksMax && batch.retriedAs !== undefined; links += 1) {
    const next = await ports.batches.read(batch.retriedAs)
    const newer = acceptedBatch(next?.value)
    if (!newer && (await isSettling())) throw underWay(batch.retriedAs)
    if (!newer) break
    stored = next
    batch = newer
  }
  return { batch, isSettling: batch.retriedApart !== undefined && (await isSettling()) }
}

/** One that is not there was never accepted, or is deleted: what it was for may be tried again. */
async function standingApart(
  { batches }: RetryPorts,
  { retriedApart = [] }: BatchState,
  isSettling: boolean,
): Promise<readonly RetriedApart[]> {
  if (isSettling || retriedApart.length === 0) return retriedApart
  const found = await batches.readMany(retriedApart.map(({ as }) => as))
  return retriedApart.filter(({ as }) => acceptedBatch(found.get(as)))
}

/** Of two who ask at once one is told that the other was first. */
async function link(
  ports: RetryPorts,
  known: BatchState,
  links: Pick<BatchState, 'retriedAs' | 'retriedApart'>,
): Promise<void> {
  let isFirst = false
  const { state } = await commit(ports.batches, known.batchId, (stored) => {
    const batch = acceptedBatch(stored)
    isFirst = batch !== undefined && linksOf(batch) === linksOf(known)
    return { state: batch && isFirst ? { ...batch, ...links } : stored, effects: [] }
  })
  if (!isFirst) throw underWay(acceptedBatch(state)?.retriedAs ?? known.batchId)
}

function linksOf({ retriedAs, retriedApart = [] }: BatchState): string {
  return [retriedAs ?? '', ...retriedApart.map(({ as }) => as)].join(' ')
}

function placeOf({ place }: PlacedMember): number {
  return place
}

function underWay(batchId: BatchId): FailureError {
  return terminal('conflict', {
    message: 'This is being worked on; try again what fails when it has ended.',
    batch_id: batchId,
  })
}

function nothingToRetry(apart: readonly RetriedApart[]): FailureError {
  const message =
    apart.length === 0
      ? 'Nothing in this batch failed, so there is nothing to try again.'
      : 'All that failed in this batch was tried again already, apart from the batch.'
  return terminal('conflict', message)
}

function notFailed(fileIds: ReadonlySet<FileId>, failed: readonly PlacedMember[]): FailureError {
  const found = new Set(failed.map(({ member }) => member.fileId))
  return terminal('conflict', {
    message: 'These files did not fail in this batch, or are tried again already; nothing was submitted.',
    file_ids: [...fileIds].filter((fileId) => !found.has(fileId)),
  })
}

function tooManyApart(): FailureError {
  return terminal('conflict', `Files of this batch were tried again ${apartMax} times; try again the batch as a whole.`)
}
