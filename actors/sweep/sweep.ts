import type { BatchPorts } from '../batch/actor.ts'
import { openKey, underWayOf } from '../batch/state.ts'
import type { BatchState, OpenBatch } from '../batch/state.ts'
import { enterLate } from '../batch/waiting.ts'
import { withdrawBatch } from '../batch/withdraw.ts'
import { isBatchId, isOwner } from '../ids.ts'
import type { BatchWork, Blobs, Records, WorkQueue } from '../ports.ts'
import { createSights } from '../sights.ts'
import type { Sights } from '../sights.ts'
import type { WebhookWork } from '../webhook/protocol.ts'
import type { Webhook } from '../webhook/state.ts'
import { careFor } from './decide.ts'
import type { SweepLimits } from './decide.ts'
import type { Lease } from './lease.ts'
import { lookAfterCall } from './webhooks.ts'

export interface SweepPorts extends Omit<BatchPorts, 'runs' | 'fileQueue' | 'webhookQueue'> {
  readonly fileQueue: BatchWork
  readonly chunkQueue: BatchWork
  readonly webhookQueue: WorkQueue<WebhookWork>
  readonly webhooks: Records<Webhook>
  readonly blobs: Pick<Blobs, 'remove'>
  readonly lease: Lease
  /** Takes out of the queues what was acknowledged and is still there; resolves with how many there were. */
  readonly dropAcknowledged: () => Promise<number>
  readonly pause: (ms: number) => Promise<void>
}

export interface Sweeper {
  /** Looks at every open batch and every call that is owed, unless another sweeps; resolves with how many were woken. */
  sweep(): Promise<number>
}

/** How many of what is open one sweeper looks at in a second: a sweep takes longer when there is more, and costs no more. */
const looksPerSecond = 200
/** After so many it waits for its second, and says that it still sweeps. */
const looksAtOnce = 50

interface Sweeping {
  readonly ports: SweepPorts
  readonly limits: SweepLimits
  readonly sights: Sights
}

/** What is owed and was forgotten is found by the batch itself when it is woken. Harmless when two sweep at once (I7). */
export function createSweeper(ports: SweepPorts, limits: SweepLimits): Sweeper {
  const batches = { ports, limits, sights: createSights(ports.clock) }
  const calls = { ports, limits, sights: createSights(ports.clock) }
  return {
    async sweep() {
      if (!(await ports.lease.hold())) return 0
      // first: it would be taken for work that somebody will do
      await dropAcknowledged(ports)
      const woken = await inTurns(batches, await ports.open.keys(), lookAfter)
      return woken + (await inTurns(calls, await ports.owedCalls.keys(), lookAfterCall))
    },
  }
}

/** What is forgotten is looked for also where this fails. */
async function dropAcknowledged({ log, ...ports }: SweepPorts): Promise<void> {
  try {
    const dropped = await ports.dropAcknowledged()
    if (dropped > 0) log.warn('the broker had kept messages that were acknowledged', { dropped })
  } catch (error) {
    log.info('nobody tells what the queues have kept', { error })
  }
}

/** One after another, no faster than may be, for as long as it is this sweeper's turn. */
async function inTurns(
  sweeping: Sweeping,
  keys: readonly string[],
  look: (sweeping: Sweeping, entry: OpenBatch) => Promise<boolean>,
): Promise<number> {
  const { ports, sights } = sweeping
  sights.keepOnly(new Set(keys))
  let woken = 0
  for (let from = 0; from < keys.length; from += looksAtOnce) {
    const beganMs = ports.clock.elapsedMs()
    for (const key of keys.slice(from, from + looksAtOnce)) {
      const entry = entryOf(key)
      if (entry && (await look(sweeping, entry))) woken += 1
    }
    if (from + looksAtOnce >= keys.length) break
    const restMs = (looksAtOnce / looksPerSecond) * 1000 - (ports.clock.elapsedMs() - beganMs)
    if (restMs > 0) await ports.pause(restMs)
    if (!(await ports.lease.hold())) break
  }
  return woken
}

function entryOf(key: string): OpenBatch | undefined {
  const [owner = '', batchId = ''] = key.split('.')
  return isOwner(owner) && isBatchId(batchId) ? { owner, batchId } : undefined
}

async function lookAfter(input: Sweeping, entry: OpenBatch): Promise<boolean> {
  const { ports, limits, sights } = input
  const { batchId } = entry
  const key = openKey(entry)
  if (sights.isNew(key)) await enterLate(ports, entry)
  const stored = await ports.batches.read(batchId)
  const revision = stored?.revision ?? 0
  const ageMs = sights.ageMs(key, revision)
  switch (careFor({ batch: stored?.value, ageMs }, limits)) {
    case 'leave':
      return false
    case 'ask':
      sights.forget(key)
      // as: only what is a batch is asked about
      return (await isMissed(ports, stored!.value as BatchState)) && wake(input, entry, revision)
    case 'wake':
      sights.forget(key)
      return wake(input, entry, revision)
    case 'collect':
      if (!(await withdrawBatch(ports, entry))) ports.log.warn('an unfinished submission is cleared away', { batchId })
      return false
  }
}

/** What has a message waits for somebody to take it, however long the queue is: to wake it would only make the queue longer. */
async function isMissed(ports: SweepPorts, batch: BatchState): Promise<boolean> {
  const underWay = underWayOf(batch)
  if (underWay.length === 0) return true
  const found = await Promise.all([ports.fileQueue, ports.chunkQueue].map((queue) => queue.filesWithWork(batch)))
  return underWay.some((index) => !found.some((files) => files.has(index)))
}

async function wake({ ports, limits }: Sweeping, entry: OpenBatch, revision: number): Promise<boolean> {
  // one question in each stale time, also when two sweepers ask it
  const round = Math.floor(ports.clock.nowMs() / limits.staleMs)
  await ports.reports.toBatch(entry, { type: 'Wake' }, `wake:${entry.batchId}:${revision}:${round}`)
  await ports.faults.point('sweep.after-wake')
  return true
}
