import { AsyncLocalStorage } from 'node:async_hooks'

import { FailureError } from '../../actors/failure.ts'
import type { Clock } from '../../actors/ports.ts'
import type { ToldPart, TracedPart, TraceNote, Tracer } from '../../actors/trace/ports.ts'
import type { TraceSpan } from './otlp.ts'
import { openSpanExport } from './span-export.ts'
import type { SpanExport, SpanExportOptions } from './span-export.ts'
import { isInShare, newSpanId, newTraceId, readTraceparent, writeTraceparent } from './trace-context.ts'
import type { TraceContext } from './trace-context.ts'

interface TracerOptions extends SpanExportOptions {
  /** Of all traces, how many are followed: from 0 to 1. */
  readonly share: number
  readonly clock: Clock
}

export interface RunningTracer extends Tracer, Pick<SpanExport, 'close' | 'dropped'> {
  /** What a line of the log says of where it belongs. */
  current(): Pick<TraceContext, 'traceId' | 'spanId'> | undefined
}

/** As OpenTelemetry has it: what is done inside of a part is found by the context that Node keeps with every callback. */
export function openTracer(options: TracerOptions): RunningTracer {
  const { share, clock } = options
  const spans = openSpanExport(options)
  const contexts = new AsyncLocalStorage<TraceContext>()
  const finish = ({ traceId, spanId, isFollowed }: TraceContext, span: Unplaced): void => {
    if (isFollowed) spans.add({ ...span, traceId, spanId })
  }
  return {
    async run(part, work) {
      const parent = parentOf(part, share) ?? contexts.getStore()
      const context = below(parent, share)
      const [beganMs, fromMs] = [clock.nowMs(), clock.elapsedMs()]
      const notes = openNotes(part)
      let error: string | undefined
      try {
        return await contexts.run(context, () => work(notes.note))
      } catch (thrown) {
        error = wordFor(thrown)
        throw thrown
      } finally {
        const endedMs = beganMs + clock.elapsedMs() - fromMs
        finish(context, { ...notes.all(), parentSpanId: parent?.spanId, beganMs, endedMs, error })
      }
    },
    cause() {
      const context = contexts.getStore()
      return context && writeTraceparent(context)
    },
    tell(told) {
      const nowMs = clock.nowMs()
      const parent = contexts.getStore()
      const whole = below(parent, share)
      finish(whole, { ...toldSpan(told, nowMs), parentSpanId: parent?.spanId })
      for (const part of told.parts)
        finish(below(whole, share), { ...toldSpan(part, nowMs), parentSpanId: whole.spanId })
    },
    current() {
      const context = contexts.getStore()
      return context && { traceId: context.traceId, spanId: context.spanId }
    },
    dropped: () => spans.dropped(),
    close: () => spans.close(),
  }
}

type Unplaced = Omit<TraceSpan, 'traceId' | 'spanId'>

/** In another process, if that was told. */
function parentOf({ cause = '', isFromOutside = false }: TracedPart, share: number): TraceContext | undefined {
  const told = readTraceparent(cause)
  return told && isFromOutside ? { ...told, isFollowed: isInShare(told.traceId, share) } : told
}

function below(parent: TraceContext | undefined, share: number): TraceContext {
  if (parent) return { ...parent, spanId: newSpanId() }
  const traceId = newTraceId()
  return { traceId, spanId: newSpanId(), isFollowed: isInShare(traceId, share) }
}

/** What is known of a part from its beginning, and what is learnt of it. */
function openNotes({ name, kind = 'internal', facts = {} }: TracedPart) {
  let known = { name, kind, facts }
  const note: TraceNote = ({ name: learnt = known.name, facts: more }) => {
    known = { kind, name: learnt, facts: { ...known.facts, ...more } }
  }
  return { note, all: () => known }
}

function toldSpan({ name, beganMsAgo, tookMs }: Omit<ToldPart, 'parts'>, nowMs: number) {
  const beganMs = nowMs - beganMsAgo
  return { name, kind: 'internal', beganMs, endedMs: beganMs + tookMs, facts: {}, error: undefined } as const
}

/** Sentences may hold what users wrote. */
function wordFor(error: unknown): string {
  if (error instanceof FailureError) return error.failure.code
  return error instanceof Error ? error.name : 'unknown'
}
