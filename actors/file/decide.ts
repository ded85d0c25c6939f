import { add, emptySet, has, missing, size } from '../bitset.ts'
import type { Decision } from '../decision.ts'
import { unreachable } from '../decision.ts'
import type { ChunkReport, FileCommand, FileEffect, QueuedChunk } from './protocol.ts'
import { chunksOf, isSettled } from './state.ts'
import type { ActiveChunk, Chunks, FileProgress, FileState, Finished, StepError } from './state.ts'

export interface FileLimits {
  /** Chunks of one file that may be enqueued and not settled: one huge file does not starve the others. */
  readonly window: number
  /** How often a chunk's message may vanish before it is given up. */
  readonly lostMax: number
}

/**
 * What commands make of a file. A command that changes something asks for what it added; one that changes nothing, because
 * it came twice or from the sweeper, asks for everything that the state owes. So what a crash left undone after a commit is done
 * when the same command comes again.
 */
export function decide(
  file: FileState,
  commands: readonly FileCommand[],
  limits: FileLimits,
): Decision<FileState, FileEffect> {
  let { progress } = file
  let isRepeated = false
  const added: FileEffect[] = []
  for (const command of commands) {
    const next = issue(apply(progress, command, limits), limits)
    if (next === progress) isRepeated ||= !isNews(command)
    else added.push(...between(progress, next, command))
    progress = next
  }
  const effects = isRepeated ? [...added, ...owed(progress)] : added
  return { state: progress === file.progress ? file : { ...file, progress }, effects }
}

/** Nothing hangs on these: one that says nothing new is no sign that something was left undone. */
function isNews({ type }: FileCommand): boolean {
  return type === 'ChunkStarted' || type === 'ChunkRetrying'
}

function apply(progress: FileProgress, command: FileCommand, limits: FileLimits): FileProgress {
  if (progress.phase === 'gone') return progress
  switch (command.type) {
    case 'Begin':
      return begin(progress, command)
    case 'Planned':
      return planned(progress, command)
    case 'StepFailed':
      return stepFailed(progress, command)
    case 'FanOutFailed':
      return progress.phase === 'running' ? failed(progress, command.error) : progress
    case 'ChunkStarted':
    case 'ChunkRetrying':
    case 'ChunkDone':
    case 'ChunkFailed':
      return reported(progress, command)
    case 'ChunksLost':
      return command.chunks.reduce<FileProgress>(
        (now, chunk) => lost(now, { chunk, atMs: command.atMs }, limits),
        progress,
      )
    case 'Assembled':
      return assembled(progress, command.atMs)
    case 'Purge':
      return { phase: 'gone' }
    case 'Wake':
      return progress
    default:
      return unreachable(command)
  }
}

function begin(progress: FileProgress, command: FileCommand & { type: 'Begin' }): FileProgress {
  const { attempt, atMs: sinceMs } = command
  if (progress.phase === 'queued' && command.step === 'plan') return { phase: 'planning', attempt, sinceMs }
  if (progress.phase !== 'waiting' || attempt !== progress.attempt) return progress
  if (progress.chunks) return { phase: 'assembling', attempt, chunks: progress.chunks }
  return { phase: 'planning', attempt, sinceMs }
}

/** The total is written once, before the first chunk is issued (I3). */
function planned(progress: FileProgress, command: FileCommand & { type: 'Planned' }): FileProgress {
  if (progress.phase !== 'planning' && progress.phase !== 'waiting') return progress
  if (chunksOf(progress)) return progress
  const { total, seconds } = command
  const chunks = { total, seconds, issued: 0, done: emptySet, failed: emptySet, active: {}, errors: [] }
  return total === 0
    ? { phase: 'assembling', attempt: 1, chunks }
    : { phase: 'running', attempt: progress.attempt, chunks }
}

function stepFailed(progress: FileProgress, command: FileCommand & { type: 'StepFailed' }): FileProgress {
  if (progress.phase !== (command.step === 'plan' ? 'planning' : 'assembling')) return progress
  if (progress.attempt !== command.attempt) return progress
  if (command.delayMs === undefined) return failed(progress, command.error)
  const chunks = chunksOf(progress)
  return {
    phase: 'waiting',
    attempt: command.attempt + 1,
    delayMs: command.delayMs,
    error: command.error,
    ...(chunks && { chunks }),
  }
}

/** Chunks that were enqueued before a fan-out failed still settle: their bits go on, the outcome stays (I2). */
function reported(progress: FileProgress, report: ChunkReport): FileProgress {
  if (progress.phase !== 'running' && progress.phase !== 'finished') return progress
  if (!progress.chunks) return progress
  const chunks = noted(progress.chunks, report)
  if (chunks === progress.chunks) return progress
  return progress.phase === 'running' ? settled({ ...progress, chunks }, report) : { ...progress, chunks }
}

function noted(chunks: Chunks, report: ChunkReport): Chunks {
  const { chunk } = report
  if (chunk >= chunks.total || has(chunks.done, chunk) || has(chunks.failed, chunk)) return chunks
  const { [chunk]: known, ...others } = chunks.active
  switch (report.type) {
    case 'ChunkStarted':
      return started(chunks, report, known)
    case 'ChunkRetrying': {
      if (known && known.attempt > report.attempt) return chunks
      if (known?.attempt === report.attempt && known.status === 'retrying') return chunks
      const retrying: ActiveChunk = {
        ...known,
        status: 'retrying',
        attempt: report.attempt,
        sinceMs: report.error.atMs,
        error: report.error,
      }
      return { ...chunks, active: { ...others, [chunk]: retrying } }
    }
    case 'ChunkDone':
      return { ...chunks, done: add(chunks.done, chunk), active: others }
    case 'ChunkFailed':
      return {
        ...chunks,
        failed: add(chunks.failed, chunk),
        active: others,
        errors: [...chunks.errors, { ...report.error, chunk }],
      }
    default:
      return unreachable(report)
  }
}

function started(chunks: Chunks, report: ChunkReport & { type: 'ChunkStarted' }, known?: ActiveChunk): Chunks {
  if (known && known.attempt >= report.attempt) return chunks
  const { attempt, atMs: sinceMs } = report
  const active: ActiveChunk = { ...known, status: 'processing', attempt, sinceMs }
  return { ...chunks, active: { ...chunks.active, [report.chunk]: active } }
}

/** When the last chunk is settled the file goes on, whatever became of the chunks. */
function settled(progress: Extract<FileProgress, { phase: 'running' }>, report: ChunkReport): FileProgress {
  const { chunks, attempt } = progress
  if (size(chunks.done) + size(chunks.failed) < chunks.total) return progress
  if (size(chunks.done) > 0 || report.type !== 'ChunkFailed') return { phase: 'assembling', attempt: 1, chunks }
  const finishedAtMs = report.error.atMs
  return { phase: 'finished', outcome: 'failed', attempt, finishedAtMs, errors: chunks.errors, chunks }
}

/** Enqueued again while the file runs. After a fan-out failed nothing is: the chunk was never enqueued, or is lost for good. */
function lost(progress: FileProgress, at: { chunk: number; atMs: number }, limits: FileLimits): FileProgress {
  const chunks = chunksOf(progress)
  const { chunk, atMs } = at
  if (!chunks || chunk >= chunks.issued || has(chunks.done, chunk) || has(chunks.failed, chunk)) return progress
  const known = chunks.active[chunk]
  const times = (known?.lost ?? 0) + 1
  if (progress.phase !== 'running' || times > limits.lostMax)
    return reported(progress, { type: 'ChunkFailed', chunk, error: orphaned(at, known) })
  const waiting: ActiveChunk = { status: 'retrying', attempt: 1, sinceMs: atMs, ...known, lost: times }
  return { ...progress, chunks: { ...chunks, active: { ...chunks.active, [chunk]: waiting } } }
}

function orphaned(at: { chunk: number; atMs: number }, known: ActiveChunk | undefined): StepError {
  return {
    chunk: at.chunk,
    code: 'worker_lost',
    message: 'The work on this part was lost; it is given up.',
    attempts: known?.attempt ?? 1,
    atMs: at.atMs,
  }
}

function assembled(progress: FileProgress, finishedAtMs: number): FileProgress {
  if (progress.phase !== 'assembling') return progress
  const { chunks, attempt } = progress
  const outcome = size(chunks.failed) > 0 ? 'partial' : 'completed'
  return { phase: 'finished', outcome, attempt, finishedAtMs, errors: chunks.errors, chunks }
}

function failed(progress: FileProgress & { attempt: number }, error: StepError): Finished {
  const chunks = chunksOf(progress)
  return {
    phase: 'finished',
    outcome: 'failed',
    attempt: progress.attempt,
    finishedAtMs: error.atMs,
    errors: [...(chunks?.errors ?? []), error],
    ...(chunks && { chunks }),
  }
}

/** As many chunks are under way as the window allows. */
function issue(progress: FileProgress, limits: FileLimits): FileProgress {
  if (progress.phase !== 'running') return progress
  const { chunks } = progress
  const underWay = chunks.issued - size(chunks.done) - size(chunks.failed)
  const issued = Math.min(chunks.total, chunks.issued + Math.max(0, limits.window - underWay))
  return issued === chunks.issued ? progress : { ...progress, chunks: { ...chunks, issued } }
}

/** What one change asks for. */
function between(before: FileProgress, after: FileProgress, command: FileCommand): FileEffect[] {
  if (isSettled(after)) return after.phase === before.phase ? leftOf(after) : owed(after)
  const effects: FileEffect[] = []
  if (after.phase === 'waiting') effects.push(stepOf(after, 'EnqueueStep'))
  if (after.phase === 'assembling' && before.phase !== 'waiting') effects.push(stepOf(after, 'EnqueueStep'))
  if (after.phase === 'planning' && before.phase === 'queued') effects.push({ type: 'TellBatch' })
  if (before.phase === 'planning' && chunksOf(after)) effects.push({ type: 'TellBatch' })
  if (after.phase === 'running') effects.push(...newlyIssued(before, after.chunks, command))
  return effects
}

function newlyIssued(before: FileProgress, chunks: Chunks, command: FileCommand): FileEffect[] {
  const from = chunksOf(before)?.issued ?? 0
  const fresh = Array.from({ length: chunks.issued - from }, (_, at): QueuedChunk => ({ chunk: from + at, attempt: 1 }))
  const again =
    command.type === 'ChunksLost'
      ? underWayOf(chunks).filter(({ chunk }) => chunk < from && command.chunks.includes(chunk))
      : []
  const all = [...again, ...fresh]
  return all.length > 0 ? [{ type: 'EnqueueChunks', chunks: all }] : []
}

/** Everything that must be outstanding in a state. */
function owed(progress: FileProgress): FileEffect[] {
  switch (progress.phase) {
    case 'queued':
    case 'planning':
    case 'waiting':
    case 'assembling':
      return [stepOf(progress, 'FindLostStep')]
    case 'running':
      return [{ type: 'FindLostChunks', chunks: underWayOf(progress.chunks) }]
    case 'finished':
      return [{ type: 'TellBatch' }, ...leftOf(progress)]
    case 'gone':
      return [{ type: 'RemoveEverything' }, { type: 'TellBatch' }, { type: 'ForgetRecord' }]
    default:
      return unreachable(progress)
  }
}

/** Chunks that were enqueued before a fan-out failed still settle, and need their sound. A plan that failed may have left some. */
function leftOf(progress: FileProgress): FileEffect[] {
  const chunks = chunksOf(progress)
  const underWay = chunks ? underWayOf(chunks) : []
  return underWay.length > 0 ? [{ type: 'FindLostChunks', chunks: underWay }] : [{ type: 'RemoveAudio' }]
}

function underWayOf({ issued, done, failed: gone, active }: Chunks): QueuedChunk[] {
  return missing(issued, done, gone).map((chunk) => ({ chunk, attempt: attemptOf(active[chunk]) }))
}

/** The message that is out carries the next attempt from the moment that one has failed. */
function attemptOf(active: ActiveChunk | undefined): number {
  if (!active) return 1
  return active.status === 'retrying' && active.error ? active.attempt + 1 : active.attempt
}

type Stepping = Extract<FileProgress, { phase: 'queued' | 'planning' | 'waiting' | 'assembling' }>

function stepOf(progress: Stepping, type: 'EnqueueStep' | 'FindLostStep'): FileEffect {
  const step = chunksOf(progress) ? 'assemble' : 'plan'
  const attempt = progress.phase === 'queued' ? 1 : progress.attempt
  return { type, step, attempt, delayMs: progress.phase === 'waiting' ? progress.delayMs : 0 }
}
