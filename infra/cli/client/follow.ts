import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

import type { BatchStatus } from '../../client/api.ts'
import { ApiError } from '../../client/client.ts'
import type { Client } from '../../client/client.ts'
import { serverEvents } from '../../client/server-events.ts'
import type { Progress, ProgressBoard } from '../../telemetry/progress.ts'

const fileEvent = z.object({
  file_id: z.string(),
  filename: z.string(),
  status: z.string(),
  total_chunks: z.number(),
  completed_chunks: z.number(),
  failed_chunks: z.number(),
})
type FileEvent = z.output<typeof fileEvent>

const settled = new Set(['completed', 'partial', 'failed'])
const noContent = 204
const comeBackMs = 1_000
const attemptsMax = 30

/** Bars for a batch and its files until it has ended; a connection that breaks is taken up where it was. */
export async function followBatch(client: Client, batchId: string, board: ProgressBoard): Promise<BatchStatus> {
  const shown = show(board)
  let last: string | undefined
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await client.open('watchBatch', {
        params: { batch_id: batchId },
        ...(last !== undefined && { headers: { 'Last-Event-ID': last } }),
      })
      if (response.status === noContent) break
      attempt = 1
      for await (const { event, data, id } of serverEvents(response)) {
        last = id ?? last
        if (event === 'file') shown.file(fileEvent.parse(JSON.parse(data)))
        if (event === 'status') shown.batch(JSON.parse(data) as BatchStatus) // as: the description says so
      }
      if (last === 'end') break
    } catch (error) {
      if (attempt >= attemptsMax || (error instanceof ApiError && error.status < 500)) throw error
    }
    await pause(comeBackMs)
  }
  const status = await client.call('getBatchStatus', { params: { batch_id: batchId } })
  shown.end(status)
  return status
}

interface Shown {
  file(event: FileEvent): void
  batch(status: BatchStatus): void
  end(status: BatchStatus): void
}

function show(board: ProgressBoard): Shown {
  const bars = new Map<string, Progress>()
  const whole = board.start('all files')
  const waiting = showWaiting(board)
  return {
    file(event) {
      const isSettled = settled.has(event.status)
      const bar = bars.get(event.file_id)
      if (isSettled) {
        bars.delete(event.file_id)
        return event.status === 'failed' ? bar?.fail() : bar?.done()
      }
      if (event.total_chunks === 0) return
      const known = bar ?? board.start(event.filename)
      bars.set(event.file_id, known)
      known.update((event.completed_chunks + event.failed_chunks) / event.total_chunks)
    },
    batch(status) {
      waiting.update(status.waiting_for)
      whole.update(shareOf(status))
    },
    end(status) {
      waiting.update(undefined)
      for (const bar of bars.values()) bar.fail()
      if (status.files_failed === status.total_files && status.total_files > 0) whole.fail()
      else whole.done()
    },
  }
}

/** By how much is said in them; where nobody can tell yet, by their number. */
function shareOf(status: BatchStatus): number {
  const { estimated_audio_seconds: seconds, completed_audio_seconds: doneSeconds } = status
  if (seconds > 0) return doneSeconds / seconds
  const { total_files: total, files_completed: completed, files_failed: failed } = status
  return total === 0 ? 1 : (completed + failed) / total
}

/** What the server waits for is a bar of its own while it lasts. */
function showWaiting(board: ProgressBoard): { update(waiting: BatchStatus['waiting_for']): void } {
  let shown: { readonly what: string; readonly bar: Progress } | undefined
  return {
    update(waiting) {
      if (shown && shown.what !== waiting?.what) {
        shown.bar.done()
        shown = undefined
      }
      if (!waiting) return
      shown ??= { what: waiting.what, bar: board.start(waiting.what) }
      shown.bar.update((waiting.percent ?? 0) / 100)
    },
  }
}
