import { commit } from '../durable-actor.ts'
import { FailureError } from '../failure.ts'
import type { BatchId, Owner } from '../ids.ts'
import type { Records } from '../ports.ts'
import type { Backlog } from '../services.ts'
import type { OpenWork } from './estimate.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { openKey } from './state.ts'
import type { BatchRecord, OpenBatch, Quota } from './state.ts'

/** 0 means no such limit. */
export interface QuotaLimits {
  readonly quotaFiles: number
  readonly quotaAudioSeconds: number
}

interface QuotaPorts {
  readonly quotas: Records<Quota>
  readonly batches: Pick<Records<BatchRecord>, 'read' | 'readMany'>
  readonly backlog: Pick<Backlog, 'secondsUntilIdle'>
  readonly open: Pick<Records<OpenBatch>, 'read' | 'ageMs'>
}

/** No submission takes so long: an open entry without a batch is what a crash left. */
const abandonedAfterMs = 600_000

/** Takes what a batch needs of its user's quota before anything else is written, or refuses it. */
export async function reserve(ports: QuotaPorts, limits: QuotaLimits, work: OpenWork): Promise<void> {
  if (limits.quotaFiles === 0 && limits.quotaAudioSeconds === 0) return
  const excess = await take(ports.quotas, limits, work)
  if (excess === undefined) return
  if (!(await dropSettled(ports, work.owner))) throw await exceeded(ports, work.owner, excess)
  const stillExcess = await take(ports.quotas, limits, work)
  if (stillExcess !== undefined) throw await exceeded(ports, work.owner, stillExcess)
}

/** Resolves with a sentence when it would be too much, and then nothing was taken. */
async function take(quotas: Records<Quota>, limits: QuotaLimits, work: OpenWork): Promise<string | undefined> {
  const { owner, batchId, files, seconds } = work
  const { effects } = await commit(quotas, owner, (quota) => {
    const next: Quota = { reserved: { ...quota?.reserved, [batchId]: { files, seconds } } }
    const excess = excessOf(next, limits)
    return excess === undefined ? { state: next, effects: [] } : { state: quota, effects: [excess] }
  })
  return effects[0]
}

/** Gives back what a batch took; twice is as good as once (I13). */
export async function release(quotas: Records<Quota>, { owner, batchId }: OpenBatch): Promise<void> {
  await drop(quotas, owner, [batchId])
}

function excessOf({ reserved }: Quota, limits: QuotaLimits): string | undefined {
  const all = Object.values(reserved)
  const files = all.reduce((sum, one) => sum + one.files, 0)
  const seconds = all.reduce((sum, one) => sum + one.seconds, 0)
  if (limits.quotaFiles > 0 && files > limits.quotaFiles)
    return `With this batch ${files} of your files would wait or be under way; your quota is ${limits.quotaFiles} files.`
  if (limits.quotaAudioSeconds > 0 && seconds > limits.quotaAudioSeconds)
    return `With this batch ${Math.ceil(seconds)} seconds of your sound would wait or be under way; your quota is ${limits.quotaAudioSeconds} seconds.`
  return undefined
}

async function exceeded(ports: QuotaPorts, owner: Owner, excess: string): Promise<FailureError> {
  return new FailureError({
    kind: 'retryable',
    code: 'quota_exceeded',
    detail: `${excess} Submit less at once, or come back when earlier batches are finished.`,
    retryAfterSeconds: retryAfterSeconds(await ports.backlog.secondsUntilIdle(owner)),
  })
}

/** Batches give their share back when they finish; this is for those that a crash kept from it. True when there were any. */
async function dropSettled(ports: QuotaPorts, owner: Owner): Promise<boolean> {
  const stored = await ports.quotas.read(owner)
  // as: the keys of this record are batch ids
  const batchIds = Object.keys(stored?.value.reserved ?? {}) as BatchId[]
  const batches = await ports.batches.readMany(batchIds)
  const finished = batchIds.filter((batchId) => batches.get(batchId)?.finishedAtMs !== undefined)
  const missing = batchIds.filter((batchId) => !batches.has(batchId))
  const lost = await Promise.all(missing.map((batchId) => isLost(ports, { owner, batchId })))
  const settled = [...finished, ...missing.filter((_, at) => lost[at])]
  if (settled.length > 0) await drop(ports.quotas, owner, settled)
  return settled.length > 0
}

/**
 * Whoever submits has an open entry before it reserves, and until its batch is there. The entry is looked for first: a batch that
 * came and went meanwhile has left its record.
 */
async function isLost(ports: QuotaPorts, batch: OpenBatch): Promise<boolean> {
  const entry = await ports.open.read(openKey(batch))
  if (entry && (await ports.open.ageMs(entry)) < abandonedAfterMs) return false
  return !(await ports.batches.read(batch.batchId))
}

async function drop(quotas: Records<Quota>, owner: Owner, batchIds: readonly BatchId[]): Promise<void> {
  await commit(quotas, owner, (quota) => {
    const kept = Object.entries(quota?.reserved ?? {}).filter(([id]) => !batchIds.some((one) => one === id))
    if (!quota || kept.length === Object.keys(quota.reserved).length) return { state: quota, effects: [] }
    return { state: { reserved: Object.fromEntries(kept) }, effects: [] }
  })
}
