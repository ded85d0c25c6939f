import { outcomeOf } from '../attempt/attempted.ts'
import type { Failed } from '../attempt/attempted.ts'
import { nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { unreachable } from '../decision.ts'
import type { Editing } from '../edit/ports.ts'
import { FailureError, sentenceOf } from '../failure.ts'
import { runKey, transcriptKey } from '../ids.ts'
import type { InquiryRef, RunRef } from '../ids.ts'
import { openInquiryKey } from './keys.ts'
import type { Clock, Delivered } from '../ports.ts'
import { hasWords } from '../run/state.ts'
import type { RunState } from '../run/state.ts'
import { readStoredJson } from '../stored-json.ts'
import type { Segment, StoredTranscript } from '../transcript/state.ts'
import { putOutcome, readAsked, readOutcome } from './objects.ts'
import type { InquiryModel, TranscriptLine } from './ports.ts'
import type { InquiryWork } from './protocol.ts'
import { enqueueInquiry } from './queue.ts'
import type { AskedInquiry, InquiryOutcome } from './state.ts'
import { callAboutInquiry, oweInquiryCall } from './tell.ts'
import type { InquiryCallPorts } from './tell.ts'

interface InquiryWorkPorts extends InquiryCallPorts {
  readonly editing: Pick<Editing, 'read'>
  readonly model: InquiryModel
  readonly clock: Pick<Clock, 'nowMs'>
}

interface InquiryWorkOptions {
  readonly retry: RetryPolicy
  /** Of calls about what came of it. */
  readonly callRetry: RetryPolicy
}

/** What a worker does with inquiries that the queue gives it. Each resolves when it may be acknowledged. */
export interface InquiryWorker {
  run(delivered: Delivered<InquiryWork>): Promise<void>
  /** For what the queue set aside. */
  readonly giveUp: (work: InquiryWork, error: unknown) => Promise<void>
}

export function inquiryWorker(ports: InquiryWorkPorts, options: InquiryWorkOptions): InquiryWorker {
  return {
    run: (delivered) =>
      delivered.work.call === undefined
        ? runInquiry(ports, options.retry, delivered)
        : callAboutInquiry(ports, options.callRetry, delivered),
    giveUp: (work, error) =>
      work.call === undefined ? settle(ports, work, failedWith(ports, error)) : strikeOff(ports, work),
  }
}

/** One delivery. An outcome is stored before the entry goes, or the call about it is enqueued, and that is before the message goes. */
async function runInquiry(
  ports: InquiryWorkPorts,
  retry: RetryPolicy,
  { work, signal }: Delivered<InquiryWork>,
): Promise<void> {
  const run = await finishedRun(ports, work)
  const asked = run && (await readAsked(ports.blobs, work))
  if (!run || !asked) return strikeOff(ports, work)
  const before = await readOutcome(ports.blobs, work)
  // an earlier delivery came this far
  if (before) return oweInquiryCall(ports, refOf(work), before.atMs)
  const answered = await outcomeOf(signal, async () => ({
    kind: 'done',
    value: await answer(ports, { run, asked, signal }),
  }))
  switch (answered.kind) {
    case 'done':
      return answered.value ? settle(ports, work, answered.value) : strikeOff(ports, work)
    case 'failed':
      return giveUpOrRetry(ports, retry, { work, asked, failed: answered })
    case 'left':
      throw answered.cause
    default:
      return unreachable(answered)
  }
}

interface Asking {
  readonly run: RunState
  readonly asked: AskedInquiry
  readonly signal: AbortSignal
}

async function finishedRun(
  ports: Pick<InquiryWorkPorts, 'runs'>,
  ref: Pick<RunRef, 'fileId' | 'batchId'>,
): Promise<RunState | undefined> {
  const run = (await ports.runs.read(runKey(ref)))?.value
  return hasWords(run) ? run : undefined
}

/** As its user reads it now: redacted if it was, edited if it was. Nothing where the file was deleted since we looked. */
async function answer(ports: InquiryWorkPorts, { run, asked, signal }: Asking): Promise<InquiryOutcome | undefined> {
  const stored = await readStoredJson<StoredTranscript>(ports.blobs, transcriptKey(run))
  const read = stored && (await ports.editing.read(run, stored))
  if (!read) {
    if (await finishedRun(ports, run)) throw new Error('a finished run has no transcript')
    return undefined
  }
  const lines = read.transcript.result.segments.map(lineOf).filter(({ text }) => text !== '')
  const { kind, question = '' } = asked
  return {
    status: 'completed',
    answer: await ports.model.answer({ kind, question, lines }, signal),
    model: ports.model.name,
    version: read.edits?.version ?? 0,
    atMs: ports.clock.nowMs(),
  }
}

function lineOf({ start, end, text, speech_information: information }: Segment): TranscriptLine {
  const speaker = information?.speaker_name ?? information?.speaker_id
  return { start, end, text: text.trim(), ...(speaker !== undefined && { speaker }) }
}

async function giveUpOrRetry(
  ports: InquiryWorkPorts,
  retry: RetryPolicy,
  { work, asked, failed }: { readonly work: InquiryWork; readonly asked: AskedInquiry; readonly failed: Failed },
): Promise<void> {
  const { failure, cause } = failed
  const { batchId, fileId, inquiryId, attempt } = work
  const facts = { batchId, fileId, inquiryId, attempt, code: failure.code }
  if (failure.code === 'worker_failed') ports.log.error('inquiry crashed', { ...facts, error: cause })
  const next = nextAttempt(retry, attempt, failure)
  ports.log.warn('inquiry failed', { ...facts, retry: next.retry })
  if (!next.retry)
    return settle(ports, work, { status: 'failed', message: sentenceOf(failure), atMs: ports.clock.nowMs() })
  const again = { ...work, attempt: attempt + 1 }
  await enqueueInquiry(ports.inquiryQueue, again, { which: asked.askedAtMs, delayMs: next.delayMs })
}

async function settle(ports: InquiryWorkPorts, work: InquiryWork, outcome: InquiryOutcome): Promise<void> {
  await putOutcome(ports, work, outcome)
  // the first one counts; where it was deleted meanwhile nobody is to be told
  const kept = await readOutcome(ports.blobs, work)
  await (kept ? oweInquiryCall(ports, refOf(work), kept.atMs) : strikeOff(ports, work))
}

function refOf({ owner, batchId, fileId, index, inquiryId }: InquiryWork): InquiryRef {
  return { owner, batchId, fileId, index, inquiryId }
}

function strikeOff({ openInquiries }: InquiryWorkPorts, work: InquiryWork): Promise<void> {
  return openInquiries.erase(openInquiryKey(work))
}

function failedWith({ clock }: InquiryWorkPorts, error: unknown): InquiryOutcome {
  const message =
    error instanceof FailureError
      ? sentenceOf(error.failure)
      : 'Something went wrong on our side each time that this was worked on, so it was set aside. Ask it again.'
  return { status: 'failed', message, atMs: clock.nowMs() }
}
