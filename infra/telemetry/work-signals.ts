import type { Clock, Delivered } from '../../actors/ports.ts'
import { within } from '../../actors/trace/ports.ts'
import type { TraceFacts, Tracer } from '../../actors/trace/ports.ts'
import type { Metrics } from './metrics.ts'

/** What operators see of a worker: how much it has in hand, how long that takes, and what becomes of it. */
export interface WorkSignals {
  /** The same handler, watched. `stageOf` names what it does with a piece of work. */
  watched<Given extends Delivered<Attempted>>(
    stageOf: (work: Given['work']) => string,
    handle: (delivered: Given) => Promise<void>,
  ): (delivered: Given) => Promise<void>
  /** How many pieces of a kind of work can be in hand at once, and how many are. */
  slots(kind: string, input: { readonly all: number; readonly taken: () => number }): void
}

interface Attempted {
  readonly attempt: number
  readonly batchId: string
  readonly fileId?: string
  readonly chunk?: number
}

/** From a short clip to an hour that is put together. */
const stageSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

export function openWorkSignals(
  metrics: Metrics,
  { clock, tracer }: { readonly clock: Clock; readonly tracer?: Tracer | undefined },
): WorkSignals {
  const took = metrics.histogram({
    name: 'vaak_work_seconds',
    help: 'Time from taking up a piece of work to its end, whatever became of it.',
    label: 'stage',
    buckets: stageSeconds,
  })
  const left = metrics.counter({
    name: 'vaak_work_left_total',
    help: 'Pieces of work that were given back undone: the worker stops, or something that all work needs is away.',
    label: 'stage',
  })
  const retried = metrics.counter({
    name: 'vaak_work_retries_total',
    help: 'Pieces of work that were taken up again after an attempt had failed.',
    label: 'stage',
  })
  const repeated = metrics.counter({
    name: 'vaak_work_repeated_total',
    help: 'Pieces of work that came again without an answer: who had them before died, or gave them back.',
    label: 'stage',
  })
  const slots = new Map<string, { readonly all: number; readonly taken: () => number }>()
  metrics.gauges({
    label: 'kind',
    name: 'vaak_work_slots',
    help: 'Pieces of work that can be in hand at the same time.',
    read: () => Object.fromEntries(Array.from(slots, ([kind, { all }]) => [kind, all])),
  })
  metrics.gauges({
    label: 'kind',
    name: 'vaak_work_slots_taken',
    help: 'Pieces of work that are in hand.',
    read: () => Object.fromEntries(Array.from(slots, ([kind, { taken }]) => [kind, taken()])),
  })
  return {
    watched: (stageOf, handle) => async (delivered) => {
      const stage = stageOf(delivered.work)
      const beganMs = clock.elapsedMs()
      if (delivered.work.attempt > 1) retried(stage)
      if (delivered.deliveries > 1) repeated(stage)
      try {
        const { cause, work, deliveries } = delivered
        const part = { name: stage, kind: 'consumer', cause, facts: factsOf(work, deliveries) } as const
        await within(tracer, part, () => handle(delivered))
      } catch (error) {
        left(stage)
        throw error
      } finally {
        took(stage, (clock.elapsedMs() - beganMs) / 1000)
      }
    },
    slots: (kind, input) => void slots.set(kind, input),
  }
}

function factsOf({ attempt, batchId, fileId, chunk }: Attempted, deliveries: number): TraceFacts {
  return {
    'vaak.batch': batchId,
    ...(fileId !== undefined && { 'vaak.file': fileId }),
    ...(chunk !== undefined && { 'vaak.chunk': chunk }),
    'vaak.attempt': attempt,
    'vaak.deliveries': deliveries,
  }
}
