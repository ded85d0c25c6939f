import { FailureError, isRefused, terminal } from '../failure.ts'
import { readBatchQuestions, storeBatchQuestions } from '../inquiry/batch-questions.ts'
import type { BatchListing } from '../listing/ports.ts'
import type { Blobs, Clock, Faults, Log, Records, Revision } from '../ports.ts'
import type { Backlog, Batches, Submitted } from '../services.ts'
import { readBatchWords, storeBatchWords } from '../vocabulary/batch-words.ts'
import { beginBatch } from './begin.ts'
import type { BeginPorts } from './begin.ts'
import { cancelFiles } from './cancel.ts'
import type { DayQuota } from './day-quota.ts'
import type { OpenWork } from './estimate.ts'
import { findAllQueued, findQueued } from './queued.ts'
import { isMetered, release, reserve } from './quota.ts'
import type { QuotaLimits } from './quota.ts'
import { renameBatch } from './rename.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { orderOfRetry, unlink } from './retry.ts'
import { newBatch, openOf, pagesOf, workOf } from './new-batch.ts'
import { openKey } from './state.ts'
import type { BatchOrder } from './protocol.ts'
import type { BatchRecord, BatchState, Members, OpenBatch, WaitingBatch } from './state.ts'
import type { Quota } from '../quota/state.ts'
import { enterWaiting, leaveOpen, pagesByStretch } from './waiting.ts'
import { withdrawBatch } from './withdraw.ts'

export interface SubmitPorts extends BeginPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly open: Records<OpenBatch>
  readonly waiting: Records<WaitingBatch>
  readonly quotas: Records<Quota>
  /** Absent: no such limit. */
  readonly dayQuota?: DayQuota
  readonly batchListing: BatchListing
  readonly backlog: Backlog
  readonly blobs: Pick<Blobs, 'open' | 'put' | 'remove'>
  readonly clock: Clock
  readonly faults: Faults
  readonly log: Log
}

interface SubmitLimits extends QuotaLimits {
  /** Files of all users that wait or are under way. */
  readonly queueMaxFiles: number
  /** Of one of them; absent: as many as all. */
  readonly queueMaxFilesPerUser?: number
}

export function openBatches(ports: SubmitPorts, limits: SubmitLimits): Batches {
  return {
    submit: async (order) => submit(ports, limits, await withKept(ports, order)),
    async retry(batch, as, fileIds) {
      const order = await orderOfRetry(ports, batch, { as, ...(fileIds && { fileIds }) })
      try {
        return { ...(await submit(ports, limits, await withKept(ports, order))), members: order.members }
      } catch (error) {
        await unlink(ports, order.retryOf ?? batch.batchId, as)
        throw error
      }
    },
    cancel: (batch, fileIds) => cancelFiles(ports, batch, fileIds),
    rename: (batch, name) => renameBatch(ports, batch, name),
    withdraw: (input) => withdrawBatch(ports, input),
    whereQueued: (owner, fileId) => findQueued(ports, owner, fileId),
    allQueued: (owner, fileIds) => findAllQueued(ports, owner, fileIds),
  }
}

/** What the batch that it goes on with was submitted with, as it was. */
async function withKept({ blobs }: SubmitPorts, order: BatchOrder): Promise<BatchOrder> {
  const { owner, settings, vocabularyWords, questions, members } = order
  const batchId = members[0]?.continues
  if (batchId === undefined) return order
  const isAsking = settings.after?.includes('question') && !questions
  return {
    ...order,
    ...(settings.vocabulary &&
      !vocabularyWords && { vocabularyWords: await readBatchWords(blobs, { owner, batchId }) }),
    ...(isAsking && { questions: await readBatchQuestions(blobs, { owner, batchId }) }),
  }
}

async function submit(ports: SubmitPorts, limits: SubmitLimits, order: BatchOrder): Promise<Submitted> {
  const work = workOf(order)
  await admit(ports.backlog, limits, work)
  // before anything is stored: what is accepted must not fail any more
  const secondsUntilDone = await ports.backlog.secondsUntilDone(work)
  const ahead = await ports.backlog.piecesOf(order.owner)
  ports.backlog.add(work)
  try {
    return { batch: await accept(ports, limits, { order, work, ahead }), secondsUntilDone }
  } catch (error) {
    ports.backlog.drop(order.batchId)
    // nobody else knows what it wrote after it was withdrawn
    if (isWithdrawn(error)) await withdrawBatch(ports, openOf(order))
    throw error
  }
}

/** What was seen a while ago admits; who would be refused by it is judged by what is true now. */
async function admit(backlog: Backlog, limits: SubmitLimits, work: OpenWork): Promise<void> {
  refuseImpossible(limits, work)
  if (!(await refusalOf(backlog, limits, work))) return
  await backlog.lookAgain()
  const refusal = await refusalOf(backlog, limits, work)
  if (refusal) throw refusal
}

/** However long they wait. */
function refuseImpossible({ queueMaxFiles, queueMaxFilesPerUser = Infinity }: SubmitLimits, { files }: OpenWork): void {
  if (files > queueMaxFilesPerUser)
    throw terminal(
      'beyond_quota',
      `This batch alone has ${files} files; a user’s share of the queue is ${queueMaxFilesPerUser} files. Submit it in parts.`,
    )
  if (files > queueMaxFiles)
    throw terminal(
      'invalid_request',
      `This batch has ${files} files, and the queue holds ${queueMaxFiles}. Submit it in parts.`,
    )
}

async function refusalOf(backlog: Backlog, limits: SubmitLimits, work: OpenWork): Promise<FailureError | undefined> {
  const { queueMaxFiles } = limits
  const beyondShare = await refusalOfShare(backlog, limits, work)
  if (beyondShare) return beyondShare
  const files = await backlog.files()
  const over = files + work.files - queueMaxFiles
  if (over <= 0) return undefined
  return new FailureError({
    kind: 'retryable',
    code: 'overloaded',
    detail: `The queue is full: ${files} files wait or are under way, and the limit is ${queueMaxFiles}. Come back later.`,
    retryAfterSeconds: retryAfterSeconds(await backlog.secondsUntilRoom(over)),
  })
}

/** One user does not fill the queue of all. */
async function refusalOfShare(
  backlog: Backlog,
  { queueMaxFilesPerUser = Infinity }: SubmitLimits,
  { owner, files }: OpenWork,
): Promise<FailureError | undefined> {
  const own = (await backlog.filesOf(owner)) + files
  if (own <= queueMaxFilesPerUser) return undefined
  return new FailureError({
    kind: 'retryable',
    code: 'quota_exceeded',
    detail: `With this batch ${own} of your files would wait or be under way; a user’s share of the queue is ${queueMaxFilesPerUser} files. Come back when earlier batches are finished.`,
    retryAfterSeconds: retryAfterSeconds(await backlog.secondsUntilIdle(owner)),
  })
}

/**
 * The open entry comes first: whatever a crash leaves behind is found through it. The batch record comes last: with it the batch
 * is accepted, without it nothing was (I1).
 */
async function accept(
  ports: SubmitPorts,
  limits: SubmitLimits,
  { order, work, ahead }: { order: BatchOrder; work: OpenWork; ahead: number },
): Promise<BatchState> {
  const { batchId } = order
  await createNew(ports.open, openKey(order), openOf(order))
  await ports.faults.point('submit.after-open')
  await enterWaiting(ports, order, pagesByStretch(order.members))
  await reserveOrLeave(ports, limits, { order, work })
  await ports.faults.point('submit.after-quota')
  // one after the other: what is on its way when another write fails would come after all was withdrawn
  await list(ports, order)
  await Promise.all(pagesOf(order).map(([key, page]) => createNew(ports.members, key, page)))
  await storeBatchWords(ports.blobs, order, order.vocabularyWords)
  await storeBatchQuestions(ports.blobs, order, order.questions)
  await ports.faults.point('submit.after-members')
  const isUnmetered = !isMetered(limits)
  const batch = newBatch(order, { atMs: ports.clock.nowMs(), seconds: work.seconds, ahead, isUnmetered })
  const revision = await createNew(ports.batches, batchId, batch)
  await ports.faults.point('submit.after-batch')
  ports.backlog.add(work)
  await beginBatch(ports, { value: batch, revision }, order)
  await ports.faults.point('submit.after-wake')
  return batch
}

/** Before anybody can have it end. A list that is full refuses nothing that can be transcribed. */
async function list(ports: SubmitPorts, { owner, batchId }: BatchOrder): Promise<void> {
  try {
    await ports.batchListing.append(owner, [{ batchId, status: 'open' }])
  } catch (error) {
    if (!isTooLarge(error)) throw error
    ports.log.warn('the list of a user is full; a batch is left out of it', { batchId })
  }
}

/** Who is refused leaves nothing. Who was not answered may have reserved something, and leaves it to the sweeper. */
async function reserveOrLeave(
  ports: SubmitPorts,
  limits: SubmitLimits,
  { order, work }: { order: BatchOrder; work: OpenWork },
): Promise<void> {
  try {
    await reserve(ports, limits, work)
    await spendToday(ports, work)
  } catch (error) {
    if (isRefused(error)) await leaveOpen(ports, openOf(order))
    throw error
  }
}

/** Last of all that may refuse: what is spent stays spent. */
async function spendToday({ dayQuota, quotas }: SubmitPorts, { owner, batchId, seconds }: OpenWork): Promise<void> {
  const spent = await dayQuota?.spend({ owner, key: batchId, seconds })
  if (!spent) return
  await release(quotas, { owner, batchId })
  const { detail, secondsLeft } = spent
  if (secondsLeft === undefined) throw terminal('beyond_quota', detail)
  throw new FailureError({ kind: 'retryable', code: 'quota_exceeded', detail, retryAfterSeconds: secondsLeft })
}

function isTooLarge(error: unknown): boolean {
  return error instanceof FailureError && error.failure.code === 'too_large'
}

function isWithdrawn(error: unknown): boolean {
  return error instanceof FailureError && error.failure.code === 'conflict'
}

/** Under an id that was made for this submission nothing can be there, unless it was withdrawn. */
async function createNew<Value>(records: Records<Value>, key: string, value: Value): Promise<Revision> {
  const created = await records.create(key, value)
  if (created === 'exists') throw terminal('conflict', 'This submission took so long that a repetition replaced it.')
  return created
}
