import { listedAs } from '../../actors/batch/listed.ts'
import { acceptedBatch } from '../../actors/batch/state.ts'
import type { Platform } from './platform-parts.ts'

/** As their pages have them: by batch, the letter of its status. */
export function listedBatches({ batchPages }: Platform): ReadonlyMap<string, string> {
  const pages = batchPages.keys().flatMap((key) => batchPages.get(key) ?? [])
  return new Map(
    pages.flatMap(({ batchIds, statuses }) => batchIds.map((batchId, at) => [batchId, statuses[at] ?? ''] as const)),
  )
}

/** A user sees every batch of theirs, as it ended, and none that never was. */
export function checkBatchList(platform: Platform): string[] {
  const { batches } = platform
  const listed = listedBatches(platform)
  const accepted = batches.keys().flatMap((key) => acceptedBatch(batches.get(key)) ?? [])
  const known = new Set<string>(accepted.map(({ batchId }) => batchId))
  return [
    ...accepted
      .filter((batch) => !listedAs(batch).status.startsWith(listed.get(batch.batchId) ?? 'unlisted'))
      .map(({ batchId }) => `${batchId} is listed as ${listed.get(batchId)}`),
    ...[...listed.keys()].filter((key) => !known.has(key)).map((key) => `${key} is listed and never was`),
    ...checkHeads(platform),
  ]
}

/** Whoever changed a page has counted it, or somebody repeated what they did. */
function checkHeads({ batchHeads, batchPages }: Platform): string[] {
  return batchPages.keys().flatMap((key) => {
    const [owner = '', page = ''] = key.split('.p')
    const counted = batchHeads.get(`${owner}.head`)?.pages.find((one) => `${one.page}` === page)
    const count = counted?.counts.reduce((sum, one) => sum + one, 0) ?? 0
    const there = batchPages.get(key)?.batchIds.length ?? 0
    return count === there ? [] : [`the head counts ${count} of ${there} batches in ${key}`]
  })
}
