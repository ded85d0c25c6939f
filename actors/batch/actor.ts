import { unreachable } from '../decision.ts'
import { commit, durableActor } from '../durable-actor.ts'
import type { DurableActor } from '../durable-actor.ts'
import { createLastSeen } from '../last-seen.ts'
import type { BatchListing } from '../listing/ports.ts'
import type { Log, Records, WorkQueue } from '../ports.ts'
import type { Expiry } from '../retention/state.ts'
import type { RunWork, Reports } from '../run/ports.ts'
import { oweCall } from '../webhook/queue.ts'
import type { OwedCallPorts } from '../webhook/queue.ts'
import { decide } from './decide.ts'
import type { BatchLimits } from './decide.ts'
import { enterExpiries } from './expiries.ts'
import { issueFile } from './issue.ts'
import type { IssuePorts } from './issue.ts'
import { listedAs } from './listed.ts'
import { placedMembers } from './placed-members.ts'
import type { BatchCommand, BatchEffect } from './protocol.ts'
import { release } from './quota.ts'
import { acceptedBatch, membersKey, membersPerPage } from './state.ts'
import type { BatchRecord, BatchState, Members, OpenBatch } from './state.ts'
import type { Quota } from '../quota/state.ts'
import { leaveOpen } from './waiting.ts'
import type { WaitingPorts } from './waiting.ts'

export interface BatchPorts extends IssuePorts, WaitingPorts, OwedCallPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly quotas: Records<Quota>
  readonly batchListing: BatchListing
  readonly expiries: Records<Expiry>
  readonly fileQueue: WorkQueue<RunWork>
  readonly reports: Reports
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
      return issueFiles(input, effect, owed)
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

type Issuing = Extract<BatchEffect, { type: 'IssueFiles' }>

async function issueFiles(
  input: Handling,
  { indexes, isSaidAgain }: Issuing,
  { batch, revision }: Owed,
): Promise<void> {
  const { ports } = input
  const placed = await placedMembers(ports, batch.batchId, indexes)
  await Promise.all(
    placed.map(({ place, member }) => issueFile(ports, { batch, revision, index: place, member, isSaidAgain })),
  )
  const there = new Set(placed.map(({ place }) => place))
  const deleted = indexes.filter((index) => !there.has(index))
  // that it was deleted was told before, with its length
  const none = { chunks: 0, seconds: 0, estimatedSeconds: 0 }
  const report = { type: 'FileMoved', standing: 'gone', ...none, atMs: ports.clock.nowMs() } as const
  if (deleted.length > 0)
    await input.self.tell(
      batch,
      deleted.map((index) => ({ ...report, index })),
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
