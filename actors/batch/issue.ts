import { emptySet, has } from '../bitset.ts'
import { runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { LastSeen } from '../last-seen.ts'
import type { Clock, Faults, Outbox, Records, Revision } from '../ports.ts'
import type { Reports, RunWork } from '../run/ports.ts'
import { sourceOptionsOf } from '../run/state.ts'
import type { RunState } from '../run/state.ts'
import { piecesIn } from './estimate.ts'
import type { SentRecords } from './ports.ts'
import { underWayOf } from './state.ts'
import type { BatchState, Member } from './state.ts'

export interface IssuePorts {
  readonly runs: Records<RunState>
  /** Who takes up a run that was made here need not read it. */
  readonly seenRuns?: LastSeen<RunState>
  readonly fileQueue: Outbox<RunWork>
  readonly reports: Pick<Reports, 'toFile'>
  readonly clock: Clock
  readonly faults: Faults
}

interface IssuedFile {
  readonly batch: BatchState
  /** Of the batch. */
  readonly revision: Revision
  /** Its place in the batch. */
  readonly index: number
  readonly member: Member
  readonly isTied?: true
  /** See `RunCommand`. */
  readonly isSaidAgain?: true | undefined
  readonly sent?: SentRecords
}

/**
 * Hands a file of a batch to the workers. One that is in their hands already looks after itself: its message may have been lost, or it was
 * deleted. One that is cancelled ends like any other, and none of it is done any more.
 */
export async function issueFile(ports: IssuePorts, issued: IssuedFile): Promise<void> {
  const { batch, revision, index, sent } = issued
  const { owner, batchId } = batch
  const ref: RunRef = { owner, batchId, fileId: issued.member.fileId, index }
  const key = runKey(ref)
  const atMs = ports.clock.nowMs()
  const isCancelled = has(batch.cancelled ?? emptySet, index)
  const ahead = aheadOf(batch, index)
  const run = newRun(ref, issued, { ahead, ...(isCancelled && { cancelledAtMs: atMs }) })
  const created = await ports.runs.create(key, run)
  // who took it up may have told it something since
  if (created === 'exists') ports.seenRuns?.forget(key)
  await ports.faults.point('issue.after-record')
  if (created === 'exists' && isCancelled)
    return ports.reports.toFile(ref, { type: 'Cancel', atMs }, `cancel:${key}:${revision}`)
  if (created === 'exists')
    return issued.isSaidAgain
      ? ports.reports.toFile(ref, { type: 'Wake', isSaidAgain: true }, `again:${key}:${revision}`)
      : ports.reports.toFile(ref, { type: 'Wake' }, `wake:${key}:${revision}`)
  ports.seenRuns?.keep(key, { value: run, revision: created })
  await ports.fileQueue.enqueue(
    { ...ref, step: 'plan', attempt: 1, ...(sent && { sent }) },
    { id: `plan:${key}:1:${revision}`, delayMs: 0, isRetry: false, ahead: isCancelled ? 0 : ahead },
  )
}

function newRun(
  ref: RunRef,
  { batch, member, isTied }: IssuedFile,
  { ahead, ...cancelled }: { readonly ahead: number; readonly cancelledAtMs?: number },
): RunState {
  const { filename, source, estimatedSeconds, continues, again, sameAs } = member
  const { settings, acceptedAtMs } = batch
  return {
    ...ref,
    filename,
    source,
    settings,
    acceptedAtMs,
    estimatedSeconds,
    ...sourceOptionsOf(member),
    ...(continues !== undefined && { continues }),
    ...(sameAs && { sameAs }),
    // what its user made of the run that it goes on with is laid over it when it is put together
    ...(again !== undefined && { again, isEdited: true as const }),
    ...(batch.total === 1 && { isOnly: true as const }),
    ...(isTied && { isTied }),
    ...(ahead > 0 && { ahead }),
    progress: { phase: 'queued', ...cancelled },
  }
}

/** Its user's work before the batch, and files of the batch that are under way before this one, each as long as all are in the mean. */
function aheadOf(batch: BatchState, index: number): number {
  const before = underWayOf(batch).filter((other) => other < index).length
  return (batch.ahead ?? 0) + before * piecesIn(1, batch.estimatedSeconds / batch.total)
}
