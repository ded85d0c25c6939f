import { commit } from '../durable-actor.ts'
import type { BatchId } from '../ids.ts'
import type { Records } from '../ports.ts'
import type { Quota, QuotaPageTotal, QuotaShare, ShareKey } from '../quota/state.ts'

/**
 * What open batches take of a quota, in as many records as it needs. Batches are admitted in one record, the user's own, so that of
 * two that race only one gets the last place; when there are many in it they move to pages. Nothing is lost by a crash in between: what is in
 * both is moved again, and what somebody gave back meanwhile is found by whether its batch has ended.
 */

/** Batches in the record itself: a write of it stays small. */
export const roomInRecord = 256
/** A page has room for some five thousand batches. */
const pageCount = 64

type Shares = Quota['reserved']

/** `account`: the key of the user's record. The newest batches move to their pages. Resolves with those of which somebody else took care meanwhile. */
export async function moveToPages(quotas: Records<Quota>, account: string): Promise<BatchId[]> {
  const moved = (await quotas.read(account))?.value.reserved ?? {}
  const totals = await onPages(batchesIn(moved), async (page, batchIds) => {
    const shares = only(moved, batchIds)
    return changePage(quotas, { account, page }, (reserved) => ({ ...reserved, ...shares }))
  })
  const { effects } = await commit(quotas, account, (quota) => {
    if (!quota) return { state: undefined, effects: batchesIn(moved) }
    const elsewhere = batchesIn(without(moved, quota.reserved))
    return { state: recounted({ ...quota, reserved: without(quota.reserved, moved) }, totals), effects: elsewhere }
  })
  return [...effects]
}

/** Gives back what batches took, wherever it is; twice is as good as once (I13). */
export async function dropFromPages(
  quotas: Records<Quota>,
  account: string,
  batchIds: readonly BatchId[],
): Promise<void> {
  const { effects } = await commit(quotas, account, (quota) => {
    const dropped = only(quota?.reserved ?? {}, batchIds)
    // of one batch some may be here, and some there
    const paged = quota?.pages ? batchIds : []
    if (!quota || keysIn(dropped).length === 0) return { state: quota, effects: paged }
    return { state: { ...quota, reserved: without(quota.reserved, dropped) }, effects: paged }
  })
  if (effects.length === 0) return
  // counted again also when nothing was left there: who took it out may have died before the user's record knew
  const totals = await onPages(effects, (page, ids) =>
    changePage(quotas, { account, page }, (reserved) => without(reserved, only(reserved, ids))),
  )
  await commit(quotas, account, (quota) => ({ state: quota && recounted(quota, totals), effects: [] }))
}

export async function everyShare(quotas: Records<Quota>, account: string): Promise<BatchId[]> {
  const quota = (await quotas.read(account))?.value
  const pages = await quotas.readMany(Object.keys(quota?.pages ?? {}).map((page) => pageKey(account, page)))
  return [...new Set([quota, ...pages.values()].flatMap((one) => batchesIn(one?.reserved ?? {})))]
}

export function shareOfAll({ reserved, pages = {} }: Quota): QuotaShare {
  return sumOf([...Object.values(reserved), ...Object.values(pages)])
}

type PageTotals = readonly (readonly [page: number, total: QuotaPageTotal | undefined])[]

async function onPages(
  batchIds: readonly BatchId[],
  change: (page: number, batchIds: readonly BatchId[]) => Promise<QuotaPageTotal | undefined>,
): Promise<PageTotals> {
  const byPage = new Map<number, BatchId[]>()
  for (const batchId of batchIds) {
    const page = byPage.get(pageOf(batchId))
    if (page) page.push(batchId)
    else byPage.set(pageOf(batchId), [batchId])
  }
  return Promise.all([...byPage].map(async ([page, ids]) => [page, await change(page, ids)] as const))
}

/** Nothing when there is no such page. */
async function changePage(
  quotas: Records<Quota>,
  { account, page }: { account: string; page: number },
  change: (reserved: Shares) => Shares,
): Promise<QuotaPageTotal | undefined> {
  const { state, revision } = await commit(quotas, pageKey(account, page), (stored) => {
    const before = stored?.reserved ?? {}
    const after = change(before)
    return { state: keysIn(after).length === keysIn(before).length ? stored : { reserved: after }, effects: [] }
  })
  return state && { ...sumOf(Object.values(state.reserved)), revision }
}

function recounted(quota: Quota, totals: PageTotals): Quota {
  const newer = totals.flatMap(([page, total]) => {
    const known = quota.pages?.[page]
    return total && !(known && known.revision >= total.revision) ? [[page, total] as const] : []
  })
  return newer.length === 0 ? quota : { ...quota, pages: { ...quota.pages, ...Object.fromEntries(newer) } }
}

function sumOf(shares: readonly QuotaShare[]): QuotaShare {
  return shares.reduce((sum, { files, seconds }) => ({ files: sum.files + files, seconds: sum.seconds + seconds }), {
    files: 0,
    seconds: 0,
  })
}

function only(shares: Shares, batchIds: readonly BatchId[]): Shares {
  const wanted = new Set(batchIds)
  return Object.fromEntries(Object.entries(shares).filter(([key]) => wanted.has(batchOf(key))))
}

function without(shares: Shares, dropped: Shares): Shares {
  return Object.fromEntries(Object.entries(shares).filter(([key]) => !(key in dropped)))
}

function keysIn(shares: Shares): ShareKey[] {
  return Object.keys(shares) as ShareKey[] // as: what shares are kept by
}

function batchesIn(shares: Shares): BatchId[] {
  return [...new Set(keysIn(shares).map(batchOf))]
}

function batchOf(key: string): BatchId {
  return key.split('.')[0] as BatchId // as: what the keys of shares begin with
}

function pageKey(account: string, page: number | string): string {
  return `${account}.${page}`
}

/** By the end of the id, which is drawn by chance. */
function pageOf(batchId: BatchId): number {
  return Number.parseInt(batchId.slice(-4), 16) % pageCount
}
