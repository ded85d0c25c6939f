import { add, has, members, minus, missing, size } from '../bitset.ts'
import type { Decision } from '../decision.ts'
import { unreachable } from '../decision.ts'
import type { BatchCommand, BatchEffect, FileReport } from './protocol.ts'
import { settledOf, statusOf, underWayOf } from './state.ts'
import type { BatchState } from './state.ts'

export interface BatchLimits {
  /** Files of one batch that may be under way: a user with one file is not behind another's ten thousand. */
  readonly window: number
}

/** As for files: a change asks for what it added, a repetition for everything that is owed. */
export function decide(
  batch: BatchState,
  commands: readonly BatchCommand[],
  limits: BatchLimits,
): Decision<BatchState, BatchEffect> {
  let state = batch
  let isRepeated = false
  let isWoken = false
  for (const command of commands) {
    const next = issue(apply(state, command), limits)
    if (next === state) isRepeated ||= !isNews(command)
    isWoken ||= command.type === 'Wake'
    state = next
  }
  return { state, effects: isRepeated ? owed(state, isWoken) : between(batch, state) }
}

/**
 * Nothing hangs on it: saying it again is no sign that something was left undone. If it were, a file that is woken and says so
 * would have its batch wake it again.
 */
function isNews(command: BatchCommand): boolean {
  return command.type === 'FileMoved' && command.standing === 'started'
}

function apply(batch: BatchState, command: BatchCommand): BatchState {
  switch (command.type) {
    case 'FileMoved':
      return moved(batch, command)
    case 'Wake':
      return batch
    default:
      return unreachable(command)
  }
}

function moved(batch: BatchState, report: FileReport): BatchState {
  const { index, standing } = report
  // only deletion comes before its turn (I12)
  if (index >= (standing === 'gone' ? batch.total : batch.issued)) return batch
  const isSettled = has(settledOf(batch), index)
  // the first outcome stays (I2); only deletion comes after it (I12)
  if (standing === 'gone' ? has(batch.gone, index) : isSettled) return batch
  // that it was deleted does not say that it had begun
  const started = standing === 'gone' ? batch.started : add(batch.started, index)
  const chunks = counted(batch.chunks, report)
  if (standing === 'started')
    return started === batch.started && chunks === batch.chunks ? batch : { ...batch, started, chunks }
  const audio = isSettled ? {} : settledAudio(batch, report)
  return finish({ ...batch, started, chunks, ...audio, [standing]: add(batch[standing], index) }, report.atMs)
}

/** What failed or was deleted before it was cut has no audio, whatever its header told: nobody waits for it any more. */
function settledAudio(batch: BatchState, { seconds, estimatedSeconds }: FileReport): Partial<BatchState> {
  if (seconds === 0) return { estimatedSeconds: Math.max(0, batch.estimatedSeconds - estimatedSeconds) }
  return {
    settledSeconds: batch.settledSeconds + seconds,
    settledEstimate: batch.settledEstimate + estimatedSeconds,
  }
}

/** Written once: a file is cut once. */
function counted(chunks: readonly number[], { index, chunks: count }: FileReport): readonly number[] {
  if (count === 0 || (chunks[index] ?? 0) > 0) return chunks
  return Array.from({ length: Math.max(chunks.length, index + 1) }, (_, at) =>
    at === index ? count : (chunks[at] ?? 0),
  )
}

function finish(batch: BatchState, atMs: number): BatchState {
  if (batch.finishedAtMs !== undefined || size(settledOf(batch)) < batch.total) return batch
  return { ...batch, finishedAtMs: atMs }
}

/** Those that were deleted before their turn take no room. */
function issue(batch: BatchState, limits: BatchLimits): BatchState {
  const { issued, total } = batch
  const room = limits.window - underWayOf(batch).length
  if (room <= 0 || issued === total) return batch
  const waiting = missing(total, settledOf(batch)).filter((index) => index >= issued)
  return { ...batch, issued: waiting[room] ?? total }
}

function between(before: BatchState, after: BatchState): BatchEffect[] {
  const indexes = underWayOf(after).filter((index) => index >= before.issued)
  const forgotten = members(minus(after.gone, before.gone))
  // told by its only file itself, by one who may have died before it was closed: of a file that is deleted since nobody says it again
  const isToldLast = after.total === 1 && forgotten.length > 0
  const isClosed = after.finishedAtMs !== undefined && (before.finishedAtMs === undefined || isToldLast)
  // one that has ended may end otherwise without a file that was deleted
  const isListed = isClosed || (after.finishedAtMs !== undefined && statusOf(after) !== statusOf(before))
  return effectsOf(after, { indexes, forgotten, isListed, isClosed })
}

/** Who only says something again may do so while others are at work on what the first one led to. */
function owed(batch: BatchState, isWoken: boolean): BatchEffect[] {
  const isClosed = batch.finishedAtMs !== undefined
  const indexes = underWayOf(batch)
  return effectsOf(batch, { indexes, forgotten: members(batch.gone), isListed: isClosed, isClosed }).map((effect) =>
    effect.type === 'IssueFiles' && !isWoken ? { ...effect, isSaidAgain: true } : effect,
  )
}

function effectsOf(
  { callbackUrl }: BatchState,
  input: { indexes: number[]; forgotten: number[]; isListed: boolean; isClosed: boolean },
): BatchEffect[] {
  return [
    ...(input.indexes.length > 0 ? [{ type: 'IssueFiles', indexes: input.indexes } as const] : []),
    ...(input.forgotten.length > 0 ? [{ type: 'ForgetMembers', indexes: input.forgotten } as const] : []),
    ...(input.isListed ? [{ type: 'List' } as const] : []),
    // before it is closed: afterwards nobody looks after it any more
    ...(input.isClosed && callbackUrl !== undefined ? [{ type: 'Announce' } as const] : []),
    ...(input.isClosed ? [{ type: 'Close' } as const] : []),
  ]
}
