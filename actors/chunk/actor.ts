import { outcomeOf } from '../attempt/attempted.ts'
import type { Attempted, Failed } from '../attempt/attempted.ts'
import { excused } from '../attempt/excuse.ts'
import type { ExcusePorts } from '../attempt/excuse.ts'
import { mayBeWithAnother, promiseToLook } from '../attempt/late-parts.ts'
import { wakeIfOver } from '../attempt/left-late.ts'
import { withNews } from '../attempt/news.ts'
import { aheadOfRetries, nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { onTrial } from '../attempt/trial.ts'
import type { TrialPorts } from '../attempt/trial.ts'
import { unreachable } from '../decision.ts'
import { retryable } from '../failure.ts'
import { chunkAudioKey, chunkResultKey, runKey, trialFolder } from '../ids.ts'
import type { Clock, Delivered, Faults, Log, Records, Timer, WorkQueue } from '../ports.ts'
import type { Purge } from '../purge/state.ts'
import type { Reports } from '../run/ports.ts'
import type { ChunkReport } from '../run/protocol.ts'
import { stepErrorOf } from '../attempt/step-error.ts'
import type { TranscribeSettings } from '../run/state.ts'
import type { StoredChunk } from '../transcript/state.ts'
import { isOver } from './order.ts'
import type { OrderOf } from './order.ts'
import type { Transcriber } from './ports.ts'
import type { ChunkWork } from './protocol.ts'

export interface ChunkPorts extends TrialPorts, ExcusePorts {
  readonly transcriber: Transcriber
  readonly chunkQueue: WorkQueue<ChunkWork>
  readonly reports: Reports
  readonly purges: Pick<Records<Purge>, 'create'>
  readonly clock: Clock
  readonly timer: Timer
  readonly faults: Faults
  readonly log: Log
  readonly orderOf: OrderOf
  /** For the estimate of how long others will wait. */
  transcribed(input: { audioSeconds: number; tookMs: number }): void
}

interface ChunkOptions {
  readonly retry: RetryPolicy
  readonly deathsMax: number
  readonly saveAudio: boolean
  /** A chunk that takes longer is told to be under way. */
  readonly newsAfterMs: number
}

interface Hearing {
  readonly ports: ChunkPorts
  readonly options: ChunkOptions
}

/** One delivery of a chunk. Resolves when it may be acknowledged: its outcome, or its next attempt, is stored. */
export async function runChunk(input: Hearing, delivered: Delivered<ChunkWork>): Promise<void> {
  const { ports } = input
  const { work } = delivered
  const order = await ports.orderOf(delivered)
  // without this message: who did that may have died before it did what is owed then, and nobody else may come (I7)
  if (order === 'settled') return wakeLate(ports, delivered)
  if (!order) return comesLate(ports, delivered)
  if (order === 'early') return comesEarly(ports, delivered)
  // what another stores after the file has ended says what was taken out of it
  if (order.redact && mayBeWithAnother(delivered)) await promiseToLook(ports.purges, work)
  const transcribed = await excused(ports, await outcomeOf(delivered.signal, () => transcribe(input, delivered, order)))
  switch (transcribed.kind) {
    case 'done':
      return transcribed.value === 'unwanted'
        ? comesLate(ports, delivered)
        : tell(input, { work, report: doneReport(ports, work), kept: transcribed.value })
    case 'failed':
      return tell(input, { work, report: await giveUpOrRetry(input, work, transcribed) })
    case 'left':
      await wakeIfOver({
        isOver: async () => isOver(await ports.orderOf(delivered, { isLate: true })),
        wake: () => wakeLate(ports, delivered),
      })
      throw transcribed.cause
    default:
      return unreachable(transcribed)
  }
}

/**
 * One whose file was cut here a moment ago, and that has no message of its own. Resolves with what is to be told of it; with nothing when
 * it is left, to a message.
 */
export async function transcribeAtOnce(
  input: Hearing,
  work: ChunkWork,
  { settings, signal }: { readonly settings: TranscribeSettings; readonly signal: AbortSignal },
): Promise<ChunkReport | undefined> {
  const { ports } = input
  // its file does not know of it yet: nothing can be told of its beginning
  const quiet = { ports, options: { ...input.options, newsAfterMs: Infinity } }
  const first = { work, deliveries: 1, signal }
  const transcribed = await excused(ports, await outcomeOf(signal, () => transcribe(quiet, first, settings)))
  if (transcribed.kind === 'left') return undefined
  return transcribed.kind === 'done' ? doneReport(ports, work) : giveUpOrRetry(input, work, transcribed)
}

/** Its file is gone. A worker before us may have stored something after that, and died; then the file clears it away (I12). */
async function comesLate(ports: ChunkPorts, delivered: Delivered<ChunkWork>): Promise<void> {
  if (delivered.work.attempt === 1 && delivered.deliveries === 1) return
  await wakeLate(ports, delivered)
}

/** It comes again. By then who cut the file has said so, unless they died and the message of the cut is lost with them: the file looks for it. */
async function comesEarly(ports: ChunkPorts, delivered: Delivered<ChunkWork>): Promise<never> {
  if (delivered.deliveries > 1) await wakeLate(ports, delivered)
  throw retryable('overloaded', 'Its file does not know yet that it was cut.')
}

/** Under an id of its own: what the broker takes for the same as one before, of a copy of this message, wakes nobody. */
function wakeLate({ reports, nextMarkId }: ChunkPorts, { work }: Delivered<ChunkWork>): Promise<void> {
  return reports.toFile(work, { type: 'Wake' }, `late:${runKey(work)}:${work.chunk}:${nextMarkId()}`)
}

async function isTranscribed({ blobs }: ChunkPorts, work: ChunkWork): Promise<boolean> {
  return (await blobs.stat(chunkResultKey(work, work.chunk))) !== undefined
}

/** `stored`: by us, and by nobody before us that could be seen. */
type Kept = 'stored' | 'exists' | 'unwanted'

async function transcribe(
  input: Hearing,
  delivered: Delivered<ChunkWork>,
  settings: TranscribeSettings,
): Promise<Attempted<Kept>> {
  const { ports, options } = input
  const { work, deliveries, signal } = delivered
  // a worker before us died, or was only slow, after it had stored the result: that one counts (I4)
  if (await isTranscribed(ports, work)) return { kind: 'done', value: 'exists' }
  const { chunk, attempt } = work
  const startedAtMs = ports.clock.nowMs()
  const news = {
    afterMs: options.newsAfterMs,
    tell: () => send(ports, { work, report: { type: 'ChunkStarted', chunk, attempt, atMs: startedAtMs } }),
  }
  const suspicion = {
    deliveries,
    signal,
    deathsMax: options.deathsMax,
    folder: trialFolder(work, `${chunk}.${attempt}`),
  }
  const trial = await withNews(ports, news, async () => {
    await ports.faults.point('chunk.after-start')
    return onTrial(ports, suspicion, async () => {
      // it may have waited long for its turn, and what its file was deleted with took the marks of those who died
      if (deliveries > 1 && isOver(await ports.orderOf(delivered))) return undefined
      const begunMs = ports.clock.elapsedMs()
      const found = await ports.transcriber.transcribe(work, settings, signal)
      return { transcribed: found, tookMs: Math.round(ports.clock.elapsedMs() - begunMs) }
    })
  })
  if (trial.kind !== 'done') return trial
  if (!trial.value) return { kind: 'done', value: 'unwanted' }
  const { transcribed, tookMs } = trial.value
  await ports.faults.point('chunk.after-hearing')
  const result: StoredChunk = { ...transcribed, attempts: attempt, startedAtMs, tookMs }
  const bytes = Buffer.from(JSON.stringify(result))
  const value = await ports.blobs.put(chunkResultKey(work, chunk), { bytes }, { ifAbsent: true, signal })
  await ports.faults.point('chunk.after-result')
  ports.transcribed({ audioSeconds: transcribed.end - transcribed.start, tookMs })
  return { kind: 'done', value }
}

function doneReport({ clock }: ChunkPorts, { chunk }: ChunkWork): ChunkReport {
  return { type: 'ChunkDone', chunk, atMs: clock.nowMs() }
}

/** Resolves with what is to be told. The next attempt, when there is one, is enqueued before that: nobody waits for what is not there. */
async function giveUpOrRetry(input: Hearing, work: ChunkWork, { failure, cause }: Failed): Promise<ChunkReport> {
  const { ports, options } = input
  const { chunk, attempt } = work
  if (failure.code === 'worker_failed') ports.log.error('chunk crashed', { ...idsOf(work), error: cause })
  const error = stepErrorOf(failure, { attempts: attempt, atMs: ports.clock.nowMs() })
  const next = nextAttempt(options.retry, attempt, failure)
  ports.log.warn('chunk failed', { ...idsOf(work), attempt, code: failure.code, retry: next.retry })
  if (!next.retry) {
    // somebody who had it in hand as well was luckier: what is stored counts, and its audio is gone
    return (await isTranscribed(ports, work)) ? doneReport(ports, work) : { type: 'ChunkFailed', chunk, error }
  }
  await ports.chunkQueue.enqueue(
    { ...work, attempt: attempt + 1 },
    {
      id: `chunk:${runKey(work)}:${chunk}:${attempt + 1}`,
      delayMs: next.delayMs,
      isRetry: true,
      ahead: aheadOfRetries,
    },
  )
  await ports.faults.point('chunk.after-retry')
  return { type: 'ChunkRetrying', chunk, attempt, error }
}

interface Telling {
  readonly work: ChunkWork
  readonly report: ChunkReport
  readonly kept?: Kept
}

async function tell(input: Hearing, told: Telling): Promise<void> {
  const { ports } = input
  const { work, report } = told
  await send(ports, told)
  if (report.type === 'ChunkRetrying') return
  await ports.faults.point('chunk.after-report')
  // of one that failed it goes with the file's: when the report is lost it is transcribed again
  if (report.type === 'ChunkDone') await forgetAudio(input, work)
}

const wordOf = {
  ChunkStarted: 'started',
  ChunkRetrying: 'retrying',
  ChunkDone: 'done',
  ChunkFailed: 'failed',
} as const satisfies Record<ChunkReport['type'], string>

/**
 * The broker takes what two tell of one chunk for the same, and passes on the first. But whoever stored something is always heard: the file
 * may have been deleted after the other had told, and is to clear away what came late (I12).
 */
async function send({ reports, nextMarkId }: ChunkPorts, { work, report, kept }: Telling): Promise<void> {
  const which = kept === 'stored' ? `:${nextMarkId()}` : 'attempt' in report ? `:${report.attempt}` : ''
  await reports.toFile(work, report, `${wordOf[report.type]}:${runKey(work)}:${work.chunk}${which}`)
}

async function forgetAudio({ ports, options }: Hearing, work: ChunkWork): Promise<void> {
  if (!options.saveAudio) await ports.blobs.remove(chunkAudioKey(work, work.chunk))
}

function idsOf({ batchId, fileId, chunk }: ChunkWork): object {
  return { batchId, fileId, chunk }
}
