import type { TraceFacts, TraceKind } from '../../actors/trace/ports.ts'

/** A part that is over. */
export interface TraceSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: TraceKind
  readonly beganMs: number
  readonly endedMs: number
  readonly facts: TraceFacts
  /** Why it failed: a code or the name of a class, no sentence. */
  readonly error: string | undefined
}

const kinds: Readonly<Record<TraceKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 }
const failedStatus = 2

/** OTLP as JSON, version 1: opentelemetry-proto, collector/trace/v1. */
export function tracesRequest(resource: TraceFacts, spans: readonly TraceSpan[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'vaak' }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

function spanOf({ traceId, spanId, parentSpanId, name, kind, beganMs, endedMs, facts, error }: TraceSpan): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanosOf(beganMs),
    endTimeUnixNano: nanosOf(Math.max(beganMs, endedMs)),
    attributes: attributesOf(error === undefined ? facts : { ...facts, 'error.type': error }),
    ...(error !== undefined && { status: { code: failedStatus } }),
  }
}

/** In whole microseconds: more than a number of nanoseconds can hold. */
function nanosOf(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}

function attributesOf(facts: TraceFacts): object[] {
  return Object.entries(facts).map(([key, value]) => ({ key, value: valueOf(value) }))
}

function valueOf(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
