import { missing } from '../bitset.ts'
import { unreachable } from '../decision.ts'
import type { RunCommand, FileEffect, QueuedChunk } from './protocol.ts'
import { chunksOf, isRunSettled } from './state.ts'
import type { ActiveChunk, Chunks, RunProgress, RunState } from './state.ts'

/** What one change asks for. */
export function between(before: RunProgress, after: RunProgress, command: RunCommand): FileEffect[] {
  // who gave up may have failed at what was owed first, and done nothing of the rest
  const isRest = after.phase === before.phase && command.type !== 'GaveUp'
  if (isRunSettled(after)) return isRest ? leftOf(after) : owedByRun(after)
  const effects: FileEffect[] = []
  const chunks = chunksOf(after)
  const isCut = chunks !== undefined && chunksOf(before) === undefined
  const isBegun = before.phase === 'queued' && after.phase !== 'queued'
  if (isBegun || isCut) effects.push({ type: 'TellBatch' })
  // cancelled: it need not wait for its turn any more
  if (after.phase === 'queued') effects.push(stepOf(after, 'EnqueueStep'))
  if (after.phase === 'waiting') effects.push(stepOf(after, 'EnqueueStep'))
  // from waiting its message is out already
  if (after.phase === 'assembling' && (before.phase === 'running' || isCut)) effects.push(stepOf(after, 'EnqueueStep'))
  if (after.phase === 'running') effects.push(...newlyIssued(before, after.chunks, command))
  return effects
}

/**
 * A cancellation ends what others have in hand. If the message of one of them is lost too, nobody looks for it any more, and what it stores late would
 * stay. It is promised again when the cancellation comes again: who was told first may have died before.
 */
export function withLook(commands: readonly RunCommand[], progress: RunProgress, effects: FileEffect[]): FileEffect[] {
  const isOver = progress.phase === 'gone' || (progress.phase === 'finished' && progress.outcome === 'completed')
  const isCancelled = !isOver && commands.some(({ type }) => type === 'Cancel')
  return isCancelled ? [{ type: 'LookOnceMore' }, ...effects] : effects
}

/** While its batch is not told it is woken: so what its transcript is wanted for begins before that. */
export function withInquiries({ settings }: RunState, progress: RunProgress, effects: FileEffect[]): FileEffect[] {
  if (!settings.after || progress.phase !== 'finished' || progress.outcome === 'failed') return effects
  return effects.flatMap((effect): FileEffect[] =>
    effect.type === 'TellBatch' ? [{ type: 'BeginInquiries' }, effect] : [effect],
  )
}

/** Commands that come together may overtake what those before them asked for: a chunk that is done needs no message. */
export function stillOwed(progress: RunProgress, asked: readonly FileEffect[]): FileEffect[] {
  const lastTold = asked.findLastIndex(({ type }) => type === 'TellBatch')
  return asked.flatMap((effect, at): FileEffect[] => {
    if (effect.type === 'TellBatch') return at === lastTold ? [effect] : []
    if (effect.type === 'EnqueueStep') return isAwaited(progress, effect) ? [effect] : []
    if (effect.type !== 'EnqueueChunks') return [effect]
    const chunks = stillAwaited(progress, effect.chunks)
    return chunks.length > 0 ? [{ ...effect, chunks }] : []
  })
}

function isAwaited(progress: RunProgress, { step, attempt }: Extract<FileEffect, { type: 'EnqueueStep' }>): boolean {
  if (progress.phase === 'queued') return step === 'plan'
  if (progress.phase !== 'waiting' && progress.phase !== 'assembling') return false
  return progress.attempt === attempt && (chunksOf(progress) ? 'assemble' : 'plan') === step
}

/** One that is to be tried again was enqueued by who tried it. */
function stillAwaited(progress: RunProgress, asked: readonly QueuedChunk[]): readonly QueuedChunk[] {
  const chunks = chunksOf(progress)
  const underWay = new Map(chunks && underWayOf(chunks).map(({ chunk, attempt }) => [chunk, attempt]))
  return asked.filter(({ chunk, attempt }) => underWay.get(chunk) === attempt)
}

function newlyIssued(before: RunProgress, chunks: Chunks, command: RunCommand): FileEffect[] {
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
export function owedByRun(progress: RunProgress): FileEffect[] {
  switch (progress.phase) {
    case 'queued':
      return [stepOf(progress, 'FindLostStep')]
    case 'planning':
    case 'waiting':
    case 'assembling':
      return [stepOf(progress, 'FindLostStep'), { type: 'TellBatch' }]
    case 'running':
      return [{ type: 'FindLostChunks', chunks: underWayOf(progress.chunks) }, { type: 'TellBatch' }]
    case 'finished':
      // its batch last: when that is closed nobody looks after it any more
      return [...leftOf(progress), { type: 'TellBatch' }]
    case 'gone':
      // here, too: a batch that is open finds its key taken, and is told
      return [{ type: 'RemoveEverything' }, { type: 'Forget' }, { type: 'TellBatch' }]
    default:
      return unreachable(progress)
  }
}

/** Chunks that were enqueued before a fan-out failed still settle, and need their audio. A plan that failed may have left some. */
function leftOf(progress: RunProgress): FileEffect[] {
  const chunks = chunksOf(progress)
  const underWay = chunks ? underWayOf(chunks) : []
  return underWay.length > 0 ? [{ type: 'FindLostChunks', chunks: underWay }] : [{ type: 'RemoveParts' }]
}

function underWayOf({ issued, done, failed, active }: Chunks): QueuedChunk[] {
  return missing(issued, done, failed).map((chunk) => ({ chunk, attempt: attemptOf(active[chunk]) }))
}

/** The message that is out carries the next attempt from the moment that one has failed. */
function attemptOf(active: ActiveChunk | undefined): number {
  if (!active) return 1
  return active.status === 'retrying' && active.error ? active.attempt + 1 : active.attempt
}

type Stepping = Extract<RunProgress, { phase: 'queued' | 'planning' | 'waiting' | 'assembling' }>

function stepOf(progress: Stepping, type: 'EnqueueStep' | 'FindLostStep'): FileEffect {
  const step = chunksOf(progress) ? 'assemble' : 'plan'
  const attempt = progress.phase === 'queued' ? 1 : progress.attempt
  return { type, step, attempt, delayMs: progress.phase === 'waiting' ? progress.delayMs : 0 }
}
