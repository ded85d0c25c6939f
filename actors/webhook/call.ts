import { outcomeOf } from '../attempt/attempted.ts'
import { nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { acceptedBatch, openKey, standingOfBatch } from '../batch/state.ts'
import type { BatchRecord, BatchState } from '../batch/state.ts'
import { unreachable } from '../decision.ts'
import { sentenceOf } from '../failure.ts'
import type { Clock, Delivered, Log, Records } from '../ports.ts'
import { webhookActor } from './actor.ts'
import type { WebhookRecordPorts } from './actor.ts'
import { isDue } from './decide.ts'
import type { WebhookCaller } from './ports.ts'
import type { WebhookOutcome, WebhookWork } from './protocol.ts'

export interface WebhookPorts extends WebhookRecordPorts {
  readonly batches: Records<BatchRecord>
  readonly caller: WebhookCaller
  readonly clock: Clock
  readonly log: Log
}

interface WebhookOptions {
  readonly retry: RetryPolicy
}

interface Calling {
  readonly ports: WebhookPorts
  readonly options: WebhookOptions
}

/** One delivery of a call that is owed. Resolves when it may be acknowledged: its outcome, and its next attempt, are stored. */
export async function runWebhook(input: Calling, { work, signal }: Delivered<WebhookWork>): Promise<void> {
  const { ports } = input
  const { batchId } = work
  const batch = acceptedBatch((await ports.batches.read(batchId))?.value)
  // one that was deleted owes nothing, also when its end was told meanwhile
  if (!batch) return ports.owedCalls.erase(openKey(work))
  if (batch.callbackUrl === undefined || batch.finishedAtMs === undefined) return
  const webhook = webhookActor(ports)
  const known = (await ports.webhooks.read(batchId))?.value
  if (!isDue(known, work)) {
    const delayMs = usualDelayMs(input.options.retry, work.attempt)
    await webhook.tell(work, [{ type: 'Repeated', work, delayMs }])
    return
  }
  const outcome = await call(
    input,
    { batch, url: batch.callbackUrl, finishedAtMs: batch.finishedAtMs },
    { work, signal },
  )
  await ports.faults.point('notice.after-call')
  await webhook.tell(work, [{ type: 'Attempted', work, outcome }])
}

function usualDelayMs({ intervalsMs }: RetryPolicy, attempt: number): number {
  return intervalsMs[Math.min(attempt, intervalsMs.length) - 1] ?? 0
}

async function call(
  { ports, options }: Calling,
  input: { batch: BatchState; url: string; finishedAtMs: number },
  { work, signal }: { work: WebhookWork; signal: AbortSignal },
): Promise<WebhookOutcome> {
  const { owner, batchId, attempt } = work
  const atMs = ports.clock.nowMs()
  const id = `batch_${batchId}`
  const called = await outcomeOf(signal, async () => {
    const body = JSON.stringify(bodyOf(id, input.batch, input.finishedAtMs))
    const { callbackHeaders: headers } = input.batch
    const asked = { url: input.url, owner, id, body, ...(headers && { headers }), signal }
    return { kind: 'done', value: await ports.caller.call(asked) }
  })
  switch (called.kind) {
    case 'done':
      return { attempt: { atMs, status: called.value.status }, standing: 'delivered', delayMs: 0 }
    case 'failed': {
      const { failure } = called
      const next = nextAttempt(options.retry, attempt, failure)
      ports.log.info('a call was not taken', { batchId, attempt, code: failure.code, retry: next.retry })
      return {
        attempt: { atMs, error: sentenceOf(failure) },
        standing: next.retry ? 'waiting' : 'given_up',
        delayMs: next.retry ? next.delayMs : 0,
      }
    }
    case 'left':
      throw called.cause
    default:
      return unreachable(called)
  }
}

/** Nothing of what was said: whoever is called asks for that with a token. */
function bodyOf(id: string, batch: BatchState, finishedAtMs: number): object {
  return {
    id,
    type: 'batch.finished',
    created_at: new Date(finishedAtMs).toISOString(),
    data: standingOfBatch(batch),
  }
}
