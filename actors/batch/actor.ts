import { emptySet, has } from '../bitset.ts'
import { unreachable } from '../decision.ts'
import { commit, durableActor } from '../durable-actor.ts'
import type { DurableActor } from '../durable-actor.ts'
import { runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import { createLastSeen } from '../last-seen.ts'
import type { LastSeen } from '../last-seen.ts'
import type { BatchListing } from '../listing/ports.ts'
import type { Clock, Faults, Log, Records, WorkQueue } from '../ports.ts'
import type { Expiry } from '../retention/state.ts'
import type { RunWork, Reports } from '../run/ports.ts'
import type { RunState } from '../run/state.ts'
import { oweCall } from '../webhook/queue.ts'
import type { OwedCallPorts } from '../webhook/queue.ts'
import { decide } from './decide.ts'
import type { BatchLimits } from './decide.ts'
import { piecesIn } from './estimate.ts'
import { enterExpiries } from './expiries.ts'
import { listedAs } from './listed.ts'
import type { BatchCommand, BatchEffect } from './protocol.ts'
import { release } from './quota.ts'
import { acceptedBatch, membersKey, membersPerPage, underWayOf } from './state.ts'
import type { BatchRecord, BatchState, Members, OpenBatch } from './state.ts'
import type { Quota } from '../quota/state.ts'
import { leaveOpen } from './waiting.ts'
import type { WaitingPorts } from './waiting.ts'

export interface BatchPorts extends WaitingPorts, OwedCallPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly runs: Records<RunState>
  readonly quotas: Records<Quota>
  readonly batchListing: BatchListing
  readonly expiries: Records<Expiry>
  /** Who takes up a run that was made here need not read it. */
  readonly seenRuns?: LastSeen<RunState>
  readonly fileQueue: WorkQueue<RunWork>
  readonly reports: Reports
  readonly clock: Clock
  readonly faults: Faults
  readonly log: Log
}

type BatchActor = DurableActor<OpenBatch, BatchRecord, BatchCommand>

interface Handling {
  readonly ports: BatchPorts
  readonly options: BatchLimits
  readonly self: BatchActor
}

interface Owed {
  readonly batch: BatchState
  readonly revision: number
}

/** What came with one submission, until the last of its files has settled. */
export function batchActor({ ports, options }: Omit<Handling, 'self'>): BatchActor {
  const self: BatchActor = durableActor({
    records: ports.batches,
    lastSeen: createLastSeen<BatchRecord>(),
    keyOf: ({ batchId }: OpenBatch) => batchId,
    decide(stored: BatchRecord | undefined, commands: readonly BatchCommand[]) {
      const batch = acceptedBatch(stored)
      return batch ? decide(batch, commands, options) : { state: stored, effects: [] }
    },
    async perform(effect, { state, revision }) {
      const batch = acceptedBatch(state)
      if (batch) await perform({ ports, options, self }, effect, { batch, revision })
    },
    async passed(place) {
      if (place === 'commit') await ports.faults.point('batch.after-commit')
    },
  })
  return {
    ...self,
    async tell(at, commands) {
      const batch = await self.tell(at, commands)
      if (!acceptedBatch(batch))
        ports.log.warn('a batch that does not exist was told something', { batchId: at.batchId })
      return batch
    },
  }
}

async function perform(input: Handling, effect: BatchEffect, owed: Owed): Promise<void> {
  switch (effect.type) {
    case 'IssueFiles':
      return issueFiles(input, effect.indexes, owed)
    case 'ForgetMembers':
      return forgetMembers(input.ports, effect.indexes, owed.batch)
    case 'List':
      return input.ports.batchListing.mark(owed.batch.owner, [listedAs(owed.batch)])
    case 'Announce':
      return announce(input.ports, owed.batch)
    case 'Close':
      return close(input.ports, owed.batch)
    default:
      return unreachable(effect)
  }
}

async function issueFiles(input: Handling, indexes: readonly number[], owed: Owed): Promise<void> {
  const { ports } = input
  const { batch } = owed
  const keys = [...new Set(indexes.map((index) => membersKey(batch.batchId, index)))]
  const pages = new Map(
    await Promise.all(keys.map(async (key) => [key, (await ports.members.read(key))?.value] as const)),
  )
  const deleted: number[] = []
  await Promise.all(
    indexes.map(async (index) => {
      const member = pages.get(membersKey(batch.batchId, index))?.files[index % membersPerPage]
      if (!member) {
        deleted.push(index)
        return
      }
      const { fileId, filename, source, estimatedSeconds, continues } = member
      const { owner, batchId, settings, acceptedAtMs } = batch
      const begun = continues === undefined ? {} : { continues }
      const ahead = aheadOf(batch, index)
      const order = {
        filename,
        source,
        settings,
        acceptedAtMs,
        estimatedSeconds,
        ...begun,
        ...(batch.total === 1 && { isOnly: true as const }),
        ...(ahead > 0 && { ahead }),
      }
      const isCancelled = has(batch.cancelled ?? emptySet, index)
      await issueFile(ports, { owner, batchId, fileId, index, ...order }, { revision: owed.revision, isCancelled })
    }),
  )
  // that it was deleted was told before, with its length
  const none = { chunks: 0, seconds: 0, estimatedSeconds: 0 }
  const report = { type: 'FileMoved', standing: 'gone', ...none, atMs: ports.clock.nowMs() } as const
  if (deleted.length > 0)
    await input.self.tell(
      batch,
      deleted.map((index) => ({ ...report, index })),
    )
}

/** Its user's work before the batch, and files of the batch that are under way before this one, each as long as all are in the mean. */
function aheadOf(batch: BatchState, index: number): number {
  const before = underWayOf(batch).filter((other) => other < index).length
  return (batch.ahead ?? 0) + before * piecesIn(1, batch.estimatedSeconds / batch.total)
}

/**
 * One that is in the workers' hands already looks after itself: its message may have been lost, or it was deleted. One that is cancelled
 * ends like any other, and none of it is done any more.
 */
async function issueFile(
  ports: BatchPorts,
  order: Omit<RunState, 'progress'>,
  { revision, isCancelled }: { readonly revision: number; readonly isCancelled: boolean },
): Promise<void> {
  const { owner, batchId, fileId, index } = order
  const ref: RunRef = { owner, batchId, fileId, index }
  const key = runKey(ref)
  const atMs = ports.clock.nowMs()
  const run: RunState = { ...order, progress: { phase: 'queued', ...(isCancelled && { cancelledAtMs: atMs }) } }
  const created = await ports.runs.create(key, run)
  await ports.faults.point('issue.after-record')
  if (created === 'exists' && isCancelled)
    return ports.reports.toFile(ref, { type: 'Cancel', atMs }, `cancel:${key}:${revision}`)
  if (created === 'exists') return ports.reports.toFile(ref, { type: 'Wake' }, `wake:${key}:${revision}`)
  ports.seenRuns?.keep(key, { value: run, revision: created })
  await ports.fileQueue.enqueue(
    { ...ref, step: 'plan', attempt: 1 },
    { id: `plan:${key}:1:${revision}`, delayMs: 0, isRetry: false, ahead: isCancelled ? 0 : (order.ahead ?? 0) },
  )
}

/** Their names go too (I12). */
async function forgetMembers(ports: BatchPorts, indexes: readonly number[], batch: BatchState): Promise<void> {
  const forgotten = new Set(indexes)
  const pages = new Set(indexes.map((index) => Math.floor(index / membersPerPage)))
  for (const page of pages) {
    const isForgotten = (at: number): boolean => forgotten.has(page * membersPerPage + at)
    await commit(ports.members, membersKey(batch.batchId, page * membersPerPage), (members) => {
      if (!members) return { state: undefined, effects: [] }
      const isDone = members.files.every((member, at) => member === null || !isForgotten(at))
      if (isDone) return { state: members, effects: [] }
      const files = members.files.map((member, at) => (isForgotten(at) ? null : member))
      return { state: { ...members, files }, effects: [] }
    })
  }
}

async function announce(ports: BatchPorts, { owner, batchId, ahead }: BatchState): Promise<void> {
  await oweCall(ports, { owner, batchId, round: 1, attempt: 1 }, ahead)
  await ports.faults.point('batch.after-announce')
}

async function close(ports: BatchPorts, batch: BatchState): Promise<void> {
  if (!batch.isUnmetered) await release(ports.quotas, batch)
  await ports.faults.point('batch.after-quota')
  await enterExpiries(ports.expiries, batch)
  await leaveOpen(ports, batch)
}
