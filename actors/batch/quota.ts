import { commit } from '../durable-actor.ts'
import { FailureError, terminal } from '../failure.ts'
import type { BatchId, Owner } from '../ids.ts'
import type { Records } from '../ports.ts'
import type { Backlog } from '../services.ts'
import type { OpenWork } from './estimate.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { dropFromPages, everyShare, moveToPages, roomInRecord, shareOfAll } from './quota-pages.ts'
import { openKey } from './state.ts'
import type { BatchRecord, OpenBatch } from './state.ts'
import type { Quota, QuotaShare, ShareKey } from '../quota/state.ts'

/** 0 means no such limit. */
export interface QuotaLimits {
  readonly quotaFiles: number
  readonly quotaAudioSeconds: number
}

export interface QuotaPorts {
  readonly quotas: Records<Quota>
  readonly batches: Pick<Records<BatchRecord>, 'read' | 'readMany'>
  readonly open: Pick<Records<OpenBatch>, 'read' | 'ageMs'>
}

interface ReservePorts extends QuotaPorts {
  readonly backlog: Pick<Backlog, 'secondsUntilIdle'>
}

interface Wanted {
  readonly owner: Owner
  readonly key: ShareKey
  readonly share: QuotaShare
  /** For who is refused. */
  readonly what: string
}

/** No submission takes so long: an open entry without a batch is what a crash left. */
const abandonedAfterMs = 600_000

/** Takes what a batch needs of its user's quota before anything else is written, or refuses it. */
export async function reserve(ports: ReservePorts, limits: QuotaLimits, work: OpenWork): Promise<void> {
  const { owner, batchId, files, seconds } = work
  const share = { files, seconds }
  const alone = excessOf({ reserved: { [batchId]: share } }, limits, 'batch')
  if (alone !== undefined) throw terminal('beyond_quota', `${alone} That is this batch alone: submit it in parts.`)
  const excess = await takeShare(ports, limits, { owner, key: batchId, share, what: 'batch' })
  if (excess !== undefined) throw await exceeded(ports, owner, excess)
}

/** Resolves with a sentence when it would be too much, and then nothing was taken. Taking the same again is as good as once (I13). */
export async function takeShare(ports: QuotaPorts, limits: QuotaLimits, wanted: Wanted): Promise<string | undefined> {
  if (!isMetered(limits)) return undefined
  const { owner } = wanted
  const excess = await take(ports, limits, wanted)
  if (excess === undefined) return undefined
  const all = await everyShare(ports.quotas, owner)
  return (await dropSettled(ports, owner, all)) ? take(ports, limits, wanted) : excess
}

export function isMetered({ quotaFiles, quotaAudioSeconds }: QuotaLimits): boolean {
  return quotaFiles > 0 || quotaAudioSeconds > 0
}

async function take(ports: QuotaPorts, limits: QuotaLimits, wanted: Wanted): Promise<string | undefined> {
  const { owner, key, share, what } = wanted
  const { state, effects } = await commit(ports.quotas, owner, (quota) => {
    const next: Quota = { ...quota, reserved: { ...quota?.reserved, [key]: share } }
    const excess = excessOf(next, limits, what)
    return excess === undefined ? { state: next, effects: [] } : { state: quota, effects: [excess] }
  })
  // who gave something back while it was moved may have left it in a page
  if (state && Object.keys(state.reserved).length >= roomInRecord)
    await dropSettled(ports, owner, await moveToPages(ports.quotas, owner))
  return effects[0]
}

/** Gives back what a batch took; twice is as good as once (I13). */
export async function release(quotas: Records<Quota>, { owner, batchId }: OpenBatch): Promise<void> {
  await dropFromPages(quotas, owner, [batchId])
}

function excessOf(quota: Quota, limits: QuotaLimits, what: string): string | undefined {
  const { files, seconds } = shareOfAll(quota)
  if (limits.quotaFiles > 0 && files > limits.quotaFiles)
    return `With this ${what} ${files} of your files would wait or be under way; your quota is ${limits.quotaFiles} files.`
  if (limits.quotaAudioSeconds > 0 && seconds > limits.quotaAudioSeconds)
    return `With this ${what} ${Math.ceil(seconds)} seconds of your sound would wait or be under way; your quota is ${limits.quotaAudioSeconds} seconds.`
  return undefined
}

async function exceeded(ports: ReservePorts, owner: Owner, excess: string): Promise<FailureError> {
  return new FailureError({
    kind: 'retryable',
    code: 'quota_exceeded',
    detail: `${excess} Submit less at once, or come back when earlier batches are finished.`,
    retryAfterSeconds: retryAfterSeconds(await ports.backlog.secondsUntilIdle(owner)),
  })
}

/** Batches give their share back when they finish; this is for those that a crash kept from it. True when there were any. */
async function dropSettled(ports: QuotaPorts, owner: Owner, batchIds: readonly BatchId[]): Promise<boolean> {
  const batches = await ports.batches.readMany(batchIds)
  const finished = batchIds.filter((batchId) => batches.get(batchId)?.finishedAtMs !== undefined)
  const missing = batchIds.filter((batchId) => !batches.has(batchId))
  const lost = await Promise.all(missing.map((batchId) => isLost(ports, { owner, batchId })))
  const settled = [...finished, ...missing.filter((_, at) => lost[at])]
  if (settled.length > 0) await dropFromPages(ports.quotas, owner, settled)
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
