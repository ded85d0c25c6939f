import { outcomeOf } from '../attempt/attempted.ts'
import type { Attempted } from '../attempt/attempted.ts'
import { excused } from '../attempt/excuse.ts'
import type { ExcusePorts } from '../attempt/excuse.ts'
import { wakeIfOver } from '../attempt/left-late.ts'
import { aheadOfRetries, nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { onTrial } from '../attempt/trial.ts'
import type { TrialPorts } from '../attempt/trial.ts'
import { unreachable } from '../decision.ts'
import type { Failure } from '../failure.ts'
import { chunkAudioKey, chunkResultKey, runKey, trialFolder } from '../ids.ts'
import type { Clock, Delivered, Faults, Log, WorkQueue } from '../ports.ts'
import type { Reports } from '../run/ports.ts'
import { stepErrorOf } from '../run/state.ts'
import type { TranscribeSettings } from '../run/state.ts'
import type { StoredChunk } from '../transcript/state.ts'
import type { OrderOf } from './order.ts'
import type { Transcriber } from './ports.ts'
import type { ChunkWork } from './protocol.ts'

export interface ChunkPorts extends TrialPorts, ExcusePorts {
  readonly transcriber: Transcriber
  readonly chunkQueue: WorkQueue<ChunkWork>
  readonly reports: Reports
  readonly clock: Clock
  readonly faults: Faults
  readonly log: Log
  /** How it is to be heard, or nothing when its outcome is known already or the file is gone. */
  readonly orderOf: OrderOf
  /** For the estimate of how long others will wait. */
  heard(input: { audioSeconds: number; tookMs: number }): void
}

interface ChunkOptions {
  readonly retry: RetryPolicy
  readonly deathsMax: number
  readonly saveAudio: boolean
}

interface Hearing {
  readonly ports: ChunkPorts
  readonly options: ChunkOptions
}

/** One delivery of a chunk. Resolves when it may be acknowledged: its outcome, or its next attempt, is stored. */
export async function runChunk(input: Hearing, delivered: Delivered<ChunkWork>): Promise<void> {
  const { ports } = input
  const { work } = delivered
  const settings = await ports.orderOf(delivered)
  if (!settings) return comesLate(ports, delivered)
  const heard = await excused(ports, await outcomeOf(delivered.signal, () => hear(input, delivered, settings)))
  switch (heard.kind) {
    case 'done':
      return heard.value === 'heard' ? tellDone(input, work) : comesLate(ports, delivered)
    case 'failed':
      if (heard.failure.code === 'worker_failed')
        ports.log.error('chunk crashed', { ...idsOf(work), error: heard.cause })
      return giveUpOrRetry(input, work, heard.failure)
    case 'left':
      await wakeIfOver({
        isOver: async () => !(await ports.orderOf(delivered, { isLate: true })),
        wake: () => wakeLate(ports, delivered),
      })
      throw heard.cause
    default:
      return unreachable(heard)
  }
}

/**
 * Its outcome is known, or the file is gone. A worker before us may have stored something after that, and died; then the file clears it
 * away (I12).
 */
async function comesLate(ports: ChunkPorts, delivered: Delivered<ChunkWork>): Promise<void> {
  if (delivered.work.attempt === 1 && delivered.deliveries === 1) return
  await wakeLate(ports, delivered)
}

function wakeLate({ reports }: ChunkPorts, { work, deliveries }: Delivered<ChunkWork>): Promise<void> {
  const { chunk, attempt } = work
  return reports.toFile(work, { type: 'Wake' }, `late:${runKey(work)}:${chunk}:${attempt}:${deliveries}`)
}

async function isHeard({ blobs }: ChunkPorts, work: ChunkWork): Promise<boolean> {
  return (await blobs.stat(chunkResultKey(work, work.chunk))) !== undefined
}

async function hear(
  input: Hearing,
  delivered: Delivered<ChunkWork>,
  settings: TranscribeSettings,
): Promise<Attempted<'heard' | 'unwanted'>> {
  const { ports, options } = input
  const { work, deliveries, signal } = delivered
  // a worker before us died, or was only slow, after it had stored the result: that one counts (I4)
  if (await isHeard(ports, work)) return { kind: 'done', value: 'heard' }
  const { chunk, attempt } = work
  const startedAtMs = ports.clock.nowMs()
  await ports.reports.toFile(
    work,
    { type: 'ChunkStarted', chunk, attempt, atMs: startedAtMs },
    `started:${runKey(work)}:${chunk}:${attempt}`,
  )
  await ports.faults.point('chunk.after-start')
  const suspicion = {
    deliveries,
    signal,
    deathsMax: options.deathsMax,
    folder: trialFolder(work, `${chunk}.${attempt}`),
  }
  const trial = await onTrial(ports, suspicion, async () => {
    // it may have waited long for its turn, and what its file was deleted with took the marks of those who died
    if (deliveries > 1 && !(await ports.orderOf(delivered))) return undefined
    const begunMs = ports.clock.elapsedMs()
    const found = await ports.transcriber.transcribe(work, settings, signal)
    return { heard: found, tookMs: Math.round(ports.clock.elapsedMs() - begunMs) }
  })
  if (trial.kind !== 'done') return trial
  if (!trial.value) return { kind: 'done', value: 'unwanted' }
  const { heard, tookMs } = trial.value
  await ports.faults.point('chunk.after-hearing')
  const result: StoredChunk = { ...heard, attempts: attempt, startedAtMs, tookMs }
  const bytes = Buffer.from(JSON.stringify(result))
  await ports.blobs.put(chunkResultKey(work, chunk), { bytes }, { ifAbsent: true, signal })
  await ports.faults.point('chunk.after-result')
  ports.heard({ audioSeconds: heard.end - heard.start, tookMs })
  return { kind: 'done', value: 'heard' }
}

async function tellDone(input: Hearing, work: ChunkWork): Promise<void> {
  const { ports } = input
  const { chunk } = work
  await ports.reports.toFile(
    work,
    { type: 'ChunkDone', chunk, atMs: ports.clock.nowMs() },
    `done:${runKey(work)}:${chunk}`,
  )
  await ports.faults.point('chunk.after-report')
  await forgetAudio(input, work)
}

async function giveUpOrRetry(input: Hearing, work: ChunkWork, failure: Failure): Promise<void> {
  const { ports, options } = input
  const { chunk, attempt } = work
  const error = stepErrorOf(failure, { attempts: attempt, atMs: ports.clock.nowMs() })
  const next = nextAttempt(options.retry, attempt, failure)
  ports.log.warn('chunk failed', { ...idsOf(work), attempt, code: failure.code, retry: next.retry })
  if (!next.retry) {
    // somebody who had it in hand as well was luckier: what is stored counts, and its audio is gone
    if (await isHeard(ports, work)) return tellDone(input, work)
    await ports.reports.toFile(work, { type: 'ChunkFailed', chunk, error }, `failed:${runKey(work)}:${chunk}`)
    // its audio goes with the file's: when the report is lost it is heard again
    return ports.faults.point('chunk.after-report')
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
  await ports.reports.toFile(
    work,
    { type: 'ChunkRetrying', chunk, attempt, error },
    `retrying:${runKey(work)}:${chunk}:${attempt}`,
  )
}

async function forgetAudio({ ports, options }: Hearing, work: ChunkWork): Promise<void> {
  if (!options.saveAudio) await ports.blobs.remove(chunkAudioKey(work, work.chunk))
}

function idsOf({ batchId, fileId, chunk }: ChunkWork): object {
  return { batchId, fileId, chunk }
}
