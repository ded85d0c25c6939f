import type { RunProgress, RunState } from './state.ts'

/** What people are told of a run's past, and its progress no longer says. */
type RunHistory = Pick<RunState, 'startedAtMs' | 'attempts'>

export function historyOf({ startedAtMs, attempts }: RunState): RunHistory {
  return { ...(startedAtMs !== undefined && { startedAtMs }), ...(attempts !== undefined && { attempts }) }
}

export function followed(history: RunHistory, progress: RunProgress): RunHistory {
  if (progress.phase !== 'planning' && progress.phase !== 'assembling') return history
  const isFirst = progress.phase === 'planning' && history.startedAtMs === undefined
  const isMore = progress.attempt > Math.max(1, history.attempts ?? 1)
  if (!isFirst && !isMore) return history
  return {
    ...history,
    ...(isFirst && { startedAtMs: progress.sinceMs }),
    ...(isMore && { attempts: progress.attempt }),
  }
}
