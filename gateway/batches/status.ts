import { z } from 'zod'

import { audioSecondsOf, standingOfBatch, underWayOf, unsettledOf } from '../../actors/batch/state.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { members, minus, missing } from '../../actors/bitset.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Backlog } from '../../actors/services.ts'
import type { WaitedFor } from '../../actors/worker/state.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway } from '../wire.ts'
import { filesAt, ownedBatch } from './read.ts'
import type { BatchReadPorts } from './read.ts'
import { batchPath, batchStatus, notFoundBody } from './schemas.ts'
import { mixedCounts } from './select.ts'
import { addCounts, noJobs } from './standing.ts'

export interface StatusPorts extends BatchReadPorts {
  readonly backlog: Backlog
  readonly isDevelopment: boolean
}

type StatusBody = z.input<typeof batchStatus>
const millisPerSecond = 1000

export function batchStatusRoute(ports: StatusPorts): Route {
  return route({
    method: 'get',
    path: '/transcribe/status/batch/{batch_id}',
    id: 'getBatchStatus',
    summary: 'Watch a batch',
    description: 'How many of its files are done, and when all will be. Deleted files are no longer counted.',
    access: 'user',
    params: batchPath,
    query: z.strictObject({}),
    responses: {
      200: { description: 'How far it is.', schema: batchStatus },
      400: badQuery,
      401: badToken,
      404: { description: 'There is no such batch of yours.', schema: notFoundBody },
      503: dependencyAway,
    },
    async handle({ principal, params }) {
      const batch = await ownedBatch(ports, principal.owner, params.batch_id)
      if (!batch) return notFound('batch')
      return { status: 200, body: await statusBodyOf(ports, batch, await runsUnderWay(ports, batch)) }
    },
  })
}

async function runsUnderWay(ports: BatchReadPorts, batch: BatchState): Promise<RunState[]> {
  const runs: RunState[] = []
  for await (const { run } of filesAt(ports, batch, underWayOf(batch))) if (run) runs.push(run)
  return runs
}

/** `underWay`: the records of those of its files that are. */
export async function statusBodyOf(
  ports: StatusPorts,
  batch: BatchState,
  underWay: readonly RunState[],
): Promise<StatusBody> {
  return {
    ...standingOfBatch(batch),
    ...(batch.retryOf !== undefined && { retry_of: batch.retryOf }),
    ...(batch.retriedAs !== undefined && { retried_as: batch.retriedAs }),
    ...(await estimatesOf(ports.backlog, batch, underWay)),
    ...(ports.isDevelopment && (await jobCounts(ports, batch))),
  }
}

export async function estimatesOf(
  backlog: Backlog,
  batch: BatchState,
  underWay: readonly RunState[],
): Promise<
  Pick<
    StatusBody,
    'estimated_audio_seconds' | 'estimated_completion_seconds' | 'completed_audio_seconds' | 'waiting_for'
  >
> {
  const { owner, batchId } = batch
  const audio = audioSecondsOf(batch, underWay)
  const work = { owner, batchId, files: unsettledOf(batch), seconds: audio.left }
  const waiting = await backlog.waitingFor(work)
  return {
    estimated_audio_seconds: inSeconds(audio.seconds),
    completed_audio_seconds: inSeconds(audio.seconds - audio.left),
    estimated_completion_seconds: inSeconds(await backlog.secondsUntilDone(work)),
    ...(waiting && { waiting_for: presentWaiting(waiting) }),
  }
}

function presentWaiting({ what, percent }: WaitedFor): StatusBody['waiting_for'] {
  return { what, ...(percent !== undefined && { percent }) }
}

/** A job is a file or a chunk; one that is to be tried again is still being processed. */
async function jobCounts(ports: BatchReadPorts, batch: BatchState): Promise<Partial<StatusBody>> {
  const finished = members(minus(batch.completed, batch.gone))
  const ofFinished = finished.reduce((sum, index) => sum + 1 + (batch.chunks[index] ?? 0), 0)
  const notIssued = missing(batch.total, batch.gone).filter((index) => index >= batch.issued).length
  let counts = { ...noJobs, completed: ofFinished, queued: notIssued }
  let filesProcessing = 0
  for await (const mixed of mixedCounts(ports, batch)) {
    counts = addCounts(counts, mixed.counts)
    if (mixed.status === 'processing' || mixed.status === 'retrying') filesProcessing += 1
  }
  const completed = counts.completed + counts.partial
  const processing = counts.processing + counts.retrying
  return {
    total_jobs: completed + counts.failed + processing + counts.queued,
    completed_jobs: completed,
    failed_jobs: counts.failed,
    processing_jobs: processing,
    queued_jobs: counts.queued,
    files_processing: filesProcessing,
  }
}

/** To the millisecond. */
export function inSeconds(seconds: number): number {
  return Math.round(seconds * millisPerSecond) / millisPerSecond
}
