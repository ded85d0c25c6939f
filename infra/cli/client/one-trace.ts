import { newSpanId, newTraceId, writeTraceparent } from '../../telemetry/trace-context.ts'

/** What one command asks of a server is one trace there: an upload and the batch that it is for are told together. */
export function inOneTrace(ask: typeof fetch): typeof fetch {
  const cause = writeTraceparent({ traceId: newTraceId(), spanId: newSpanId(), isFollowed: true })
  return (address, init) => {
    const headers = new Headers(init?.headers)
    headers.set('traceparent', cause)
    return ask(address, { ...init, headers })
  }
}
