import type { BatchRecord } from '../../actors/batch/state.ts'
import { runKey, transcriptKey } from '../../actors/ids.ts'
import { openInquiries } from '../../actors/inquiry/inquiries.ts'
import type { InquiryQuestion } from '../../actors/inquiry/ports.ts'
import type { InquiryWork } from '../../actors/inquiry/protocol.ts'
import type { InquiryAnswer, OpenInquiry } from '../../actors/inquiry/state.ts'
import { beginSubmitted } from '../../actors/inquiry/submitted.ts'
import { createInquirySweeper } from '../../actors/inquiry/sweep.ts'
import { inquiryWorker } from '../../actors/inquiry/work.ts'
import type { EnqueueOptions } from '../../actors/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { WebhookCaller } from '../../actors/webhook/ports.ts'
import { aRun, nowMs } from './batch-builders.ts'
import { aManualClock } from './manual-clock.ts'
import { aMemoryStorage } from './memory-blobs.ts'
import { memoryRecords } from './memory-records.ts'
import { silentLog } from './silent-log.ts'
import { aToldTranscript } from './told-transcripts.ts'

const finished = { phase: 'finished', outcome: 'completed', attempt: 1, finishedAtMs: nowMs, errors: [] } as const
/** By the model, unless it is told otherwise. */
export const answeredSummary: InquiryAnswer = { kind: 'summary', text: 'All is well.' }
export const inquiryStaleMs = 1_000
const signal = new AbortController().signal

/** A finished run, and all that has to do with inquiries about it. */
export async function aHouseOfInquiries(openMax = 10) {
  const storage = aMemoryStorage()
  const { blobs } = storage
  const runs = memoryRecords<RunState>()
  const openEntries = memoryRecords<OpenInquiry>()
  const run = aRun(finished)
  await runs.create(runKey(run), run)
  const transcript = aToldTranscript({ text: 'my dada came home.' })
  await blobs.put(transcriptKey(run), { bytes: Buffer.from(JSON.stringify(transcript)) })
  const sent: (InquiryWork & EnqueueOptions)[] = []
  const inquiryQueue = {
    async enqueue(work: InquiryWork, options: EnqueueOptions) {
      if (!sent.some(({ id }) => id === options.id)) sent.push({ ...work, ...options })
    },
    outstanding: async () => sent,
  }
  const clock = aManualClock()
  const batches = memoryRecords<BatchRecord>()
  const ports = { runs, batches, blobs, openInquiries: openEntries, inquiryQueue, clock }
  const calls: Parameters<WebhookCaller['call']>[0][] = []
  let takes: () => Promise<{ status: number }> = async () => ({ status: 204 })
  const caller: WebhookCaller = {
    call(input) {
      calls.push(input)
      return takes()
    },
  }
  const asked: InquiryQuestion[] = []
  let next: () => Promise<InquiryAnswer> = async () => answeredSummary
  const model = {
    name: 'a-model',
    answer(question: InquiryQuestion) {
      asked.push(question)
      return next()
    },
  }
  const editing = { read: async <Transcript>(_: RunState, read: Transcript) => ({ transcript: read }) }
  const worker = inquiryWorker(
    { ...ports, editing, model, caller, log: silentLog },
    { retry: { retriesMax: 1, intervalsMs: [5] }, callRetry: { retriesMax: 2, intervalsMs: [7] } },
  )
  /** What was sent first, and no more when it was done. */
  const deliver = async (): Promise<void> => {
    const [{ id: _, delayMs: __, isRetry: ___, ahead: ____, ...work }] = sent as [(typeof sent)[number]] // as: something was sent
    await worker.run({ work, deliveries: 1, signal })
    sent.shift()
  }
  return {
    storage,
    runs,
    batches,
    calls,
    receiverAnswers: (answer: typeof takes) => void (takes = answer),
    openEntries,
    run,
    sent,
    clock,
    asked,
    worker,
    deliver,
    inquiries: openInquiries(ports, { openMax }),
    begin: (wanted: Pick<RunState['settings'], 'after'>, through: Partial<typeof blobs> = {}) =>
      beginSubmitted(
        { ...ports, blobs: { ...blobs, ...through } },
        { ...run, settings: { ...run.settings, ...wanted } },
      ),
    sweeper: createInquirySweeper(ports, inquiryStaleMs),
    answersWith: (answer: () => Promise<InquiryAnswer>) => void (next = answer),
  }
}
