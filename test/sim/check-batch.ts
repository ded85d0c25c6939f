import { members, minus, missing, size } from '../../actors/bitset.ts'
import { isWithdrawnBatch, membersKey, membersPerPage, settledOf } from '../../actors/batch/state.ts'
import type { BatchRecord, BatchState } from '../../actors/batch/state.ts'
import { runKey } from '../../actors/ids.ts'
import type { Platform } from './platform-parts.ts'
import type { StoreChange } from './stores.ts'

const outcomes = ['completed', 'partial', 'failed'] as const

/** What must hold at every change of the record of a batch. */
export function checkBatch(platform: Platform, [key, before, after]: StoreChange<BatchRecord>): void {
  const complain = (sentence: string): void => platform.world.violate(`${sentence} (${key})`)
  if (before && !after && !isWithdrawnBatch(before)) complain('I1: a batch that was accepted is forgotten')
  if (!after || !before) return
  if (isWithdrawnBatch(before)) return complain('I2: a batch that was withdrawn changed')
  if (isWithdrawnBatch(after)) {
    if (!platform.promises.doomedBatches.has(after.batchId)) complain('I1: a batch was deleted for no reason')
    return
  }
  if (after.cancelled !== undefined) platform.promises.cancelled.add(after.batchId)
  const { total, issued, finishedAtMs } = after
  if (total !== before.total) complain('the total of a batch changed')
  if (issued < before.issued || issued > total) complain('the number of issued files is wrong')
  if (missing(issued, settledOf(after)).length > platform.scenario.limits.batchWindow)
    complain('the window of the batch is exceeded')
  if (outcomes.reduce((sum, outcome) => sum + size(after[outcome]), 0) > total) complain('A6: more outcomes than files')
  if (finishedAtMs !== undefined && size(settledOf(after)) < total)
    complain('I5: finished before all files have settled')
  if (before.finishedAtMs !== undefined && finishedAtMs !== before.finishedAtMs) complain('I2: finished twice')
  for (const outcome of [...outcomes, 'gone', 'started'] as const)
    if (size(minus(before[outcome], after[outcome])) > 0) complain(`I2: ${outcome} was taken back`)
  for (const outcome of outcomes)
    for (const index of members(minus(after[outcome], before[outcome])))
      checkOutcome(platform, { batch: after, index, outcome }, complain)
}

/** A batch counts what its files say (A6). */
function checkOutcome(
  platform: Platform,
  input: { batch: BatchState; index: number; outcome: string },
  complain: (sentence: string) => void,
): void {
  const { batch, index, outcome } = input
  const page = platform.members.get(membersKey(batch.batchId, index))
  const member = page?.files[index % membersPerPage]
  if (!member) return
  const run = platform.runs.get(runKey({ fileId: member.fileId, batchId: batch.batchId }))
  if (!run || run.progress.phase === 'gone') return
  if (run.progress.phase !== 'finished' || run.progress.outcome !== outcome)
    complain(`A6: file ${index} is counted as ${outcome} and is ${run.progress.phase}`)
}
