import { nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { whyItFailed } from '../attempt/why-it-failed.ts'
import { acceptedBatch, countsOf, statusOf } from '../batch/state.ts'
import type { BatchRecord, BatchState } from '../batch/state.ts'
import { sentenceOf } from '../failure.ts'
import type { Clock, Delivered, Log, Records } from '../ports.ts'
import { noticeActor } from './actor.ts'
import type { NoticeRecordPorts } from './actor.ts'
import { isDue } from './decide.ts'
import type { Caller } from './ports.ts'
import type { NoticeOutcome, NoticeWork } from './protocol.ts'

export interface NoticePorts extends NoticeRecordPorts {
  readonly batches: Records<BatchRecord>
  readonly caller: Caller
  readonly clock: Clock
  readonly log: Log
}

interface NoticeOptions {
  readonly retry: RetryPolicy
}

interface Calling {
  readonly ports: NoticePorts
  readonly options: NoticeOptions
}

/** One delivery of a call that is owed. Resolves when it may be acknowledged: its outcome, and its next attempt, are stored. */
export async function runNotice(of: Calling, { work, signal }: Delivered<NoticeWork>): Promise<void> {
  const { ports } = of
  const { batchId } = work
  const batch = acceptedBatch((await ports.batches.read(batchId))?.value)
  if (!batch || batch.callbackUrl === undefined || batch.finishedAtMs === undefined) return
  const notice = noticeActor(ports)
  const known = (await ports.notices.read(batchId))?.value
  if (!isDue(known, work)) {
    const delayMs = usualDelayMs(of.options.retry, work.attempt)
    await notice.tell(work, [{ type: 'Repeated', work, delayMs }])
    return
  }
  const outcome = await call(of, { batch, url: batch.callbackUrl, finishedAtMs: batch.finishedAtMs }, { work, signal })
  await ports.faults.point('notice.after-call')
  await notice.tell(work, [{ type: 'Attempted', work, outcome }])
}

function usualDelayMs({ intervalsMs }: RetryPolicy, attempt: number): number {
  return intervalsMs[Math.min(attempt, intervalsMs.length) - 1] ?? 0
}

async function call(
  { ports, options }: Calling,
  of: { batch: BatchState; url: string; finishedAtMs: number },
  { work, signal }: { work: NoticeWork; signal: AbortSignal },
): Promise<NoticeOutcome> {
  const { owner, batchId, attempt } = work
  const atMs = ports.clock.nowMs()
  const id = `batch_${batchId}`
  try {
    const body = JSON.stringify(bodyOf(id, of.batch, of.finishedAtMs))
    const { status } = await ports.caller.call({ url: of.url, owner, id, body, signal })
    return { attempt: { atMs, status }, standing: 'delivered', delayMs: 0 }
  } catch (error) {
    const failure = whyItFailed(error, signal)
    if (!failure) throw error
    const next = nextAttempt(options.retry, attempt, failure)
    ports.log.info('a call was not taken', { batchId, attempt, code: failure.code, retry: next.retry })
    return {
      attempt: { atMs, error: sentenceOf(failure) },
      standing: next.retry ? 'waiting' : 'given_up',
      delayMs: next.retry ? next.delayMs : 0,
    }
  }
}

/** In the words of the status endpoint. Nothing of what was said: whoever is called asks for that with a token. */
function bodyOf(id: string, batch: BatchState, finishedAtMs: number): object {
  const { total, completed, partial, failed } = countsOf(batch)
  return {
    id,
    type: 'batch.finished',
    created_at: new Date(finishedAtMs).toISOString(),
    data: {
      batch_id: batch.batchId,
      status: statusOf(batch),
      total_files: total,
      files_completed: completed + partial,
      files_partial: partial,
      files_failed: failed,
    },
  }
}
