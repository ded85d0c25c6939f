import { whyItFailed } from '../attempt.ts'
import { countsOf, statusOf } from '../batch/state.ts'
import type { BatchState } from '../batch/state.ts'
import { sentenceOf } from '../failure.ts'
import type { Caller, Clock, Delivered, Faults, Log, Outbox, Records } from '../ports.ts'
import { nextAttempt } from '../retry.ts'
import type { RetryPolicy } from '../retry.ts'
import { attempted, isDue } from './decide.ts'
import type { NoticeWork } from './protocol.ts'
import { enqueueNotice } from './queue.ts'
import type { Notice, NoticeAttempt } from './state.ts'
import { writeNotice } from './write.ts'

export interface NoticePorts {
  readonly batches: Records<BatchState>
  readonly notices: Records<Notice>
  readonly noticeQueue: Outbox<NoticeWork>
  readonly caller: Caller
  readonly clock: Clock
  readonly faults: Faults
  readonly log: Log
}

export interface NoticeOptions {
  readonly retry: RetryPolicy
}

interface Calling {
  readonly ports: NoticePorts
  readonly options: NoticeOptions
}

interface Outcome {
  readonly attempt: NoticeAttempt
  readonly standing: Notice['standing']
  /** Before the next attempt. */
  readonly delayMs: number
}

/** One delivery of a call that is owed. Resolves when it may be acknowledged: its outcome, and its next attempt, are stored. */
export async function runNotice(of: Calling, { work, signal }: Delivered<NoticeWork>): Promise<void> {
  const { ports } = of
  const { batchId } = work
  const batch = (await ports.batches.read(batchId))?.value
  if (!batch || batch.callbackUrl === undefined || batch.finishedAtMs === undefined) return
  const known = (await ports.notices.read(batchId))?.value
  if (!isDue(known, work)) return goOn(of, known, { work })
  const outcome = await call(of, { batch, url: batch.callbackUrl, finishedAtMs: batch.finishedAtMs }, { work, signal })
  await ports.faults.point('notice.after-call')
  const notice = await writeNotice(ports.notices, batchId, (before) => attempted(before, work, outcome))
  await ports.faults.point('notice.after-record')
  await goOn(of, notice, { work, delayMs: outcome.delayMs })
}

/** Who died after an attempt was written down may not have asked for the next. */
async function goOn(
  { ports, options }: Calling,
  notice: Notice | undefined,
  { work, delayMs }: { work: NoticeWork; delayMs?: number },
): Promise<void> {
  const { attempt } = work
  const isLast = notice?.round === work.round && notice.attempts.length === attempt
  if (notice?.standing !== 'waiting' || !isLast) return
  const usualMs = options.retry.intervalsMs[Math.min(attempt, options.retry.intervalsMs.length) - 1] ?? 0
  await enqueueNotice(ports.noticeQueue, { ...work, attempt: attempt + 1 }, delayMs ?? usualMs)
}

async function call(
  { ports, options }: Calling,
  of: { batch: BatchState; url: string; finishedAtMs: number },
  { work, signal }: { work: NoticeWork; signal: AbortSignal },
): Promise<Outcome> {
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
