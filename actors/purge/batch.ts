import { leaveExpiries } from '../batch/expiries.ts'
import { release } from '../batch/quota.ts'
import { firstIndexOf, isWithdrawnBatch, openKey } from '../batch/state.ts'
import type { BatchRecord, BatchState, Members, OpenBatch, WithdrawnBatch } from '../batch/state.ts'
import type { Quota } from '../quota/state.ts'
import { leaveOpen } from '../batch/waiting.ts'
import type { WaitingPorts } from '../batch/waiting.ts'
import { purgedBatch, unsubmittedBatch } from '../batch/withdrawn.ts'
import { commit } from '../durable-actor.ts'
import { runKey } from '../ids.ts'
import type { FileId, RunRef } from '../ids.ts'
import type { BatchListing } from '../listing/ports.ts'
import type { Records } from '../ports.ts'
import type { Expiry } from '../retention/state.ts'
import { chunksOf } from '../run/state.ts'
import type { Webhook } from '../webhook/state.ts'
import { endingRun } from './runs.ts'
import type { PurgeRunsPorts } from './runs.ts'

export interface PurgeBatchPorts extends WaitingPorts, PurgeRunsPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly quotas: Records<Quota>
  readonly webhooks: Records<Webhook>
  readonly owedCalls: Records<OpenBatch>
  readonly batchListing: BatchListing
  readonly expiries: Records<Expiry>
}

type BatchPlace = Pick<BatchState, 'owner' | 'batchId'>

const runsAtOnce = 32

/** Nobody sees it any more, and it hands out nothing. Resolves with nothing when it is gone already. */
export async function buryBatch({ batches }: PurgeBatchPorts, at: BatchPlace): Promise<WithdrawnBatch | undefined> {
  // its submission may be under way: of the two only one is made
  await batches.create(at.batchId, unsubmittedBatch(at))
  const { state } = await commit(batches, at.batchId, (stored) => ({
    state: stored && !isWithdrawnBatch(stored) && stored.owner === at.owner ? purgedBatch(stored) : stored,
    effects: [],
  }))
  return state && isWithdrawnBatch(state) ? state : undefined
}

/** Of the files that are there, in the order of the batch. */
export async function filesOf({ members }: Pick<PurgeBatchPorts, 'members'>, at: BatchPlace): Promise<FileId[]> {
  return (await refsOf(members, at)).map(({ fileId }) => fileId)
}

/** Every transcription of its files in this batch ends, whatever is being done with it. Resolves with how many jobs there were. */
export async function endRunsOf(ports: PurgeBatchPorts, batch: WithdrawnBatch): Promise<number> {
  const refs = await refsOf(ports.members, batch)
  const ending = endingRun(ports, { tellsBatch: false })
  let jobs = refs.length
  for (let from = 0; from < refs.length; from += runsAtOnce) {
    const group = refs.slice(from, from + runsAtOnce)
    const runs = await ports.runs.readMany(group.map(runKey))
    for (const { progress } of runs.values()) jobs += chunksOf(progress)?.total ?? 0
    // what was not handed out before it was buried never will be
    const begun = group.filter(({ index }) => index < batch.issued)
    await Promise.all(begun.map((ref) => ending.tell({ ...ref, estimatedSeconds: 0 }, [{ type: 'Purge' }])))
  }
  return jobs
}

/** What is left of its records. The batch itself goes last: until then it says what was handed out. */
export async function forgetBatch(ports: PurgeBatchPorts, at: BatchPlace): Promise<void> {
  const pages = await ports.members.readUnder(at.batchId)
  await Promise.all([...pages.keys()].map((key) => ports.members.erase(key)))
  if (await ports.webhooks.read(at.batchId)) await ports.webhooks.remove(at.batchId)
  await ports.owedCalls.erase(openKey(at))
  await leaveExpiries(ports.expiries, at)
  await release(ports.quotas, at)
  await leaveOpen(ports, at)
  await ports.batches.remove(at.batchId)
}

async function refsOf(members: Records<Members>, { owner, batchId }: BatchPlace): Promise<RunRef[]> {
  const pages = await members.readUnder(batchId)
  return [...pages]
    .flatMap(([key, { files }]) => files.map((member, at) => ({ member, index: firstIndexOf(key) + at })))
    .flatMap(({ member, index }) => (member ? [{ owner, batchId, fileId: member.fileId, index }] : []))
    .sort((one, other) => one.index - other.index)
}
