import type { ServerResponse } from 'node:http'

import { FailureError } from '../../actors/failure.ts'

interface WaitingClient {
  /** Aborted, with the reason, when nobody waits any more. */
  readonly signal: AbortSignal
  close(): void
}

const comeBackSeconds = 60

/** As long as the client is there, the server goes on, and the deadline has not passed. */
export function waitFor(
  response: ServerResponse,
  { stopping, deadlineMs }: { stopping: AbortSignal; deadlineMs: number },
): WaitingClient {
  const controller = new AbortController()
  const hangUp = (): void => controller.abort(away('The client hung up; the recording was taken back.'))
  const stop = (): void => controller.abort(away('This server stops; send the recording again.'))
  const late = (): void =>
    controller.abort(
      away(
        `It was not done within ${deadlineMs / 1000} seconds, as long as an answer may wait, and was taken back. Submit it as a batch, or try again when less is queued.`,
      ),
    )
  const deadline = setTimeout(late, deadlineMs)
  stopping.addEventListener('abort', stop)
  response.once('close', hangUp)
  if (response.destroyed) hangUp()
  return {
    signal: controller.signal,
    close() {
      clearTimeout(deadline)
      stopping.removeEventListener('abort', stop)
      response.off('close', hangUp)
    },
  }
}

function away(detail: string): FailureError {
  return new FailureError({ kind: 'retryable', code: 'overloaded', detail, retryAfterSeconds: comeBackSeconds })
}
