import type { ChunkWork } from '../chunk/protocol.ts'
import { FailureError, sentenceOf } from '../failure.ts'
import type { Failure } from '../failure.ts'
import { runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { Clock } from '../ports.ts'
import type { RunActor } from '../run/actor.ts'
import type { Reports, RunWork } from '../run/ports.ts'
import { stepErrorOf } from '../attempt/step-error.ts'
import { webhookActor } from '../webhook/actor.ts'
import type { WebhookRecordPorts } from '../webhook/actor.ts'
import type { WebhookWork } from '../webhook/protocol.ts'

/** Tells whoever waits for work that was set aside that it will not be done: a sentence instead of waiting for ever. */
export interface GiveUp {
  readonly step: (work: RunWork, error: unknown) => Promise<void>
  readonly chunk: (work: ChunkWork, error: unknown) => Promise<void>
  readonly webhook: (work: WebhookWork, error: unknown) => Promise<void>
  /** Of reports about a run. */
  readonly run: (ref: RunRef, error: unknown) => Promise<void>
}

interface GiveUpPorts extends WebhookRecordPorts {
  readonly run: Pick<RunActor, 'tell'>
  readonly reports: Reports
  readonly clock: Clock
}

export function giveUpWith(ports: GiveUpPorts): GiveUp {
  const errorOf = (error: unknown, attempts: number) =>
    stepErrorOf(failureOf(error), { attempts, atMs: ports.clock.nowMs() })
  const run = async (ref: RunRef, error: unknown, attempts: number): Promise<void> =>
    void (await ports.run.tell(ref, [{ type: 'GaveUp', error: errorOf(error, attempts) }]))
  return {
    step: (work, error) => run(work, error, work.attempt),
    chunk(work, error) {
      const { chunk, attempt } = work
      const command = { type: 'ChunkFailed', chunk, error: errorOf(error, attempt) } as const
      return ports.reports.toFile(work, command, `set-aside:${runKey(work)}:${chunk}`)
    },
    async webhook(work, error) {
      const attempt = { atMs: ports.clock.nowMs(), error: sentenceOf(failureOf(error)) }
      const outcome = { attempt, standing: 'given_up', delayMs: 0 } as const
      await webhookActor(ports).tell(work, [{ type: 'Attempted', work, outcome }])
    },
    run: (ref, error) => run(ref, error, 1),
  }
}

/** What nobody foresaw is told to nobody but the log. */
function failureOf(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure
  return {
    kind: 'retryable',
    code: 'worker_failed',
    detail: 'Something went wrong on our side each time that this was worked on, so it was set aside. Submit it again.',
  }
}
