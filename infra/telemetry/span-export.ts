import type { Log } from '../../actors/ports.ts'
import type { TraceFacts } from '../../actors/trace/ports.ts'
import { haltingFetch } from '../timing/halting-fetch.ts'
import { tracesRequest } from './otlp.ts'
import type { TraceSpan } from './otlp.ts'

export interface SpanExportOptions {
  /** Of the collector: `/v1/traces` is added. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** Who it is that tells. */
  readonly resource: TraceFacts
  readonly log: Log
  readonly fetch?: typeof fetch
}

export interface SpanExport {
  /** Returns at once, whatever the collector does. */
  add(span: TraceSpan): void
  /** Spans that nobody will see. */
  dropped(): number
  /** Sends what is left, for a moment; then it is over. */
  close(): Promise<void>
}

const waitingMax = 2_048
const atOnceMax = 512
const gatherMs = 1_000
const answerWithinMs = 5_000
const closeWithinMs = 2_000

/** To one collector, one request at a time. What does not fit while it is slow or away is dropped and counted: work never waits for it. */
export function openSpanExport(options: SpanExportOptions): SpanExport {
  const waiting: TraceSpan[] = []
  let [dropped, isAway] = [0, false]
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  const send = async (signal: AbortSignal): Promise<void> => {
    const spans = waiting.splice(0, atOnceMax)
    try {
      await post(options, spans, signal)
      if (isAway) options.log.info('traces are taken again', { dropped })
      isAway = false
    } catch (error) {
      dropped += spans.length
      if (!isAway) options.log.warn('traces are dropped: the collector does not take them', { dropped, error })
      isAway = true
    }
  }
  /** Not down to the last: whatever comes while one request is under way would have a request of its own. */
  const sendMany = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    do await send(AbortSignal.timeout(answerWithinMs))
    while (waiting.length >= atOnceMax)
  }
  const begin = (): void => {
    sending ??= sendMany().finally(() => {
      sending = undefined
      if (waiting.length > 0) gather()
    })
  }
  const gather = (): void => {
    timer ??= setTimeout(begin, gatherMs).unref()
  }
  return {
    add(span) {
      if (waiting.length >= waitingMax) {
        dropped += 1
        return
      }
      waiting.push(span)
      if (waiting.length >= atOnceMax) begin()
      else gather()
    },
    dropped: () => dropped,
    async close() {
      const signal = AbortSignal.timeout(closeWithinMs)
      await Promise.race([sending, aborted(signal)])
      clearTimeout(timer)
      timer = undefined
      while (waiting.length > 0 && !signal.aborted) await send(signal)
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

async function post(options: SpanExportOptions, spans: readonly TraceSpan[], signal: AbortSignal): Promise<void> {
  const { endpoint, headers, resource, fetch: ask = haltingFetch } = options
  const answer = await ask(`${endpoint}/v1/traces`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(tracesRequest(resource, spans)),
    redirect: 'error',
    signal,
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the collector answered ${answer.status}`)
}
