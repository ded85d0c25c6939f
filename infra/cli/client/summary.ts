import type { BatchStatus } from '../../client/api.ts'

const exitNotAll = 1

/** In a line, for people. */
export function transcriptSummary(status: BatchStatus): string {
  const {
    batch_id: id,
    total_files: total,
    files_completed: completed,
    files_partial: gaps,
    files_failed: failed,
  } = status
  const left = Math.ceil(status.estimated_completion_seconds)
  const rest = ['queued', 'processing'].includes(status.status) ? `${waits(status)}, about ${left} s to go` : ''
  return `${id} ${status.status}: ${completed} of ${total} done, ${gaps} with gaps, ${failed} failed${rest}\n`
}

function waits({ waiting_for: waiting }: BatchStatus): string {
  if (!waiting) return ''
  return `, ${waiting.what}${waiting.percent === undefined ? '' : ` (${waiting.percent} %)`}`
}

/** So that a script can tell. */
export function exitAs({ status }: BatchStatus): void {
  if (status === 'partial' || status === 'failed') process.exitCode = exitNotAll
}
