import { add, emptySet, has, size } from '../bitset.ts'
import { unreachable } from '../decision.ts'
import type { Decision } from '../decision.ts'
import { cancelledRun, restCancelled } from './cancel.ts'
import { cancelledAt, orphaned, withFailure } from './chunk-errors.ts'
import { followed, historyOf } from './history.ts'
import { between, owedByRun, stillOwed, withInquiries, withLook } from './owed.ts'
import type { ChunkReport, RunCommand, FileEffect } from './protocol.ts'
import { failedRun, settled } from './settle.ts'
import { cancelledAtMsOf, chunksOf } from './state.ts'
import type { ActiveChunk, Chunks, RunProgress, RunState, StepError } from './state.ts'

export interface RunLimits {
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
  file: RunState,
  commands: readonly RunCommand[],
  limits: RunLimits,
): Decision<RunState, FileEffect> {
  let { progress } = file
  let history = historyOf(file)
  let isRepeated = false
  const added: FileEffect[] = []
  for (const command of commands) {
    const next = issue(apply(progress, command, limits), limits)
    if (next === progress) isRepeated ||= isOwedAgain(progress, command)
    else added.push(...between(progress, next, command))
    progress = next
    history = followed(history, progress)
  }
  const owed = stillOwed(progress, isRepeated ? [...added, ...owedByRun(progress)] : added)
  const effects = withLook(commands, progress, withInquiries(file, progress, owed))
  return { state: progress === file.progress ? file : { ...file, ...history, progress }, effects }
}

/** Whether a command that changes nothing may be a sign that something was left undone. */
function isOwedAgain(progress: RunProgress, command: RunCommand): boolean {
  if (progress.phase === 'gone') return true
  return !isNews(command) && !isInHand(progress, command) && !isTakenUp(progress, command)
}

/** Whoever has it in hand looks after it. */
function isTakenUp({ phase }: RunProgress, command: RunCommand): boolean {
  return command.type === 'Wake' && command.isSaidAgain === true && phase !== 'queued' && phase !== 'finished'
}

/** Nothing hangs on these: one that says nothing new is no sign that something was left undone. */
function isNews({ type }: RunCommand): boolean {
  return type === 'ChunkStarted' || type === 'ChunkRetrying'
}

/** Whoever begins to assemble has the message of it: it is not lost, and what led to it was told by who enqueued it. */
function isInHand(progress: RunProgress, command: RunCommand): boolean {
  if (command.type !== 'Begin' || command.step !== 'assemble') return false
  return progress.phase === 'assembling' && progress.attempt === command.attempt
}

function apply(progress: RunProgress, command: RunCommand, limits: RunLimits): RunProgress {
  if (progress.phase === 'gone') return progress
  switch (command.type) {
    case 'Begin':
      return begin(progress, command)
    case 'Planned':
      return planned(progress, command)
    case 'StepFailed':
      return stepFailed(progress, command)
    case 'FanOutFailed':
      return progress.phase === 'running' ? failedRun(progress, command.error) : progress
    case 'GaveUp':
      return gaveUp(progress, command.error)
    case 'ChunkStarted':
    case 'ChunkRetrying':
    case 'ChunkDone':
    case 'ChunkFailed':
      return reported(progress, command)
    case 'ChunksLost':
      return command.chunks.reduce<RunProgress>(
        (now, chunk) => lost(now, { chunk, atMs: command.atMs }, limits),
        progress,
      )
    case 'Assembled':
      return assembled(progress, command)
    case 'Cancel':
      return cancelledRun(progress, command.atMs)
    case 'Purge':
      return { phase: 'gone' }
    case 'Wake':
      return progress
    default:
      return unreachable(command)
  }
}

function begin(progress: RunProgress, command: RunCommand & { type: 'Begin' }): RunProgress {
  const { step, attempt, atMs: sinceMs } = command
  if (progress.phase === 'queued' && step === 'plan') return { ...progress, phase: 'planning', attempt, sinceMs }
  if (progress.phase !== 'waiting' || attempt !== progress.attempt) return progress
  if (step === 'plan') return progress.chunks ? progress : { phase: 'planning', attempt, sinceMs }
  return progress.chunks ? { phase: 'assembling', attempt, chunks: progress.chunks } : progress
}

/** The total is written once, before the first chunk is issued (I3). */
function planned(progress: RunProgress, command: RunCommand & { type: 'Planned' }): RunProgress {
  if (progress.phase !== 'planning' && progress.phase !== 'waiting') return progress
  if (chunksOf(progress)) return progress
  const { total, seconds } = command
  const chunks = { total, seconds, issued: 0, done: emptySet, failed: emptySet, active: {}, errors: [] }
  if (total === 0) return { phase: 'assembling', attempt: 1, chunks }
  const running = { phase: 'running', attempt: progress.attempt, chunks } as const
  const cancelledMs = cancelledAtMsOf(progress)
  return cancelledMs === undefined ? running : restCancelled(running, cancelledMs)
}

function stepFailed(progress: RunProgress, command: RunCommand & { type: 'StepFailed' }): RunProgress {
  if (progress.phase !== (command.step === 'plan' ? 'planning' : 'assembling')) return progress
  if (progress.attempt !== command.attempt) return progress
  if (command.delayMs === undefined) return failedRun(progress, command.error)
  const cancelledMs = cancelledAtMsOf(progress)
  if (cancelledMs !== undefined) return failedRun(progress, cancelledAt(cancelledMs, progress.attempt))
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
function reported(progress: RunProgress, report: ChunkReport): RunProgress {
  if (progress.phase !== 'running' && progress.phase !== 'finished') return progress
  if (!progress.chunks) return progress
  const chunks = noted(progress.chunks, report)
  if (chunks === progress.chunks) return progress
  return progress.phase === 'running' ? settled({ ...progress, chunks }) : { ...progress, chunks }
}

/** What is said of one chunk, in whatever order it comes. The first outcome counts (I3). */
function noted(chunks: Chunks, report: ChunkReport): Chunks {
  const { chunk } = report
  if (chunk >= chunks.issued || has(chunks.done, chunk) || has(chunks.failed, chunk)) return chunks
  const { [chunk]: known, ...active } = chunks.active
  switch (report.type) {
    case 'ChunkStarted':
    case 'ChunkRetrying': {
      const now = report.type === 'ChunkStarted' ? started(known, report) : retrying(known, report)
      return now === known ? chunks : { ...chunks, active: { ...active, [chunk]: now } }
    }
    case 'ChunkDone':
      return { ...chunks, active, done: add(chunks.done, chunk) }
    case 'ChunkFailed':
      return {
        ...chunks,
        active,
        failed: add(chunks.failed, chunk),
        errors: withFailure(chunks.errors, chunk, report.error),
      }
    default:
      return unreachable(report)
  }
}

type Known = ActiveChunk | undefined

function started(known: Known, { attempt, atMs }: ChunkReport & { type: 'ChunkStarted' }): ActiveChunk {
  if (known && (known.attempt > attempt || hasFailed(known, attempt))) return known
  if (known?.attempt === attempt && known.status === 'processing') return known
  return { ...known, status: 'processing', attempt, sinceMs: atMs }
}

function retrying(known: Known, { attempt, error }: ChunkReport & { type: 'ChunkRetrying' }): ActiveChunk {
  if (known && hasFailed(known, attempt)) return known
  if (known && known.attempt > attempt) return { ...known, error }
  return { ...known, status: 'retrying', attempt, sinceMs: error.atMs, error }
}

function hasFailed({ error }: ActiveChunk, attempt: number): boolean {
  return error !== undefined && error.attempts >= attempt
}

/** Enqueued again while the file runs. After a fan-out failed nothing is: the chunk was never enqueued, or is lost for good. */
function lost(progress: RunProgress, at: { chunk: number; atMs: number }, limits: RunLimits): RunProgress {
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

/** Also when another attempt is waited for: whoever was slow has put it together after all. */
function assembled(progress: RunProgress, command: Extract<RunCommand, { type: 'Assembled' }>): RunProgress {
  if (progress.phase !== 'assembling' && progress.phase !== 'waiting') return progress
  const { chunks, attempt } = progress
  if (!chunks) return progress
  const outcome = size(chunks.failed) > 0 ? 'partial' : 'completed'
  const { atMs, wordlessSeconds = 0, language } = command
  return {
    phase: 'finished',
    outcome,
    attempt,
    finishedAtMs: atMs,
    ...(wordlessSeconds > 0 && { wordlessSeconds }),
    ...(language !== undefined && { language }),
    errors: [],
    chunks,
  }
}

/** Without its chunks: they may be what could not be stored. An outcome that it has stays (I2). */
function gaveUp(progress: RunProgress, error: StepError): RunProgress {
  if (progress.phase === 'finished') {
    const { chunks, ...outcome } = progress
    return chunks ? outcome : progress
  }
  const attempt = 'attempt' in progress ? progress.attempt : 1
  return { phase: 'finished', outcome: 'failed', attempt, finishedAtMs: error.atMs, errors: [error] }
}

/** As many chunks are under way as the window allows. */
function issue(progress: RunProgress, limits: RunLimits): RunProgress {
  if (progress.phase !== 'running') return progress
  const { chunks } = progress
  const underWay = chunks.issued - size(chunks.done) - size(chunks.failed)
  const issued = Math.min(chunks.total, chunks.issued + Math.max(0, limits.window - underWay))
  return issued === chunks.issued ? progress : { ...progress, chunks: { ...chunks, issued } }
}
