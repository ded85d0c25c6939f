import type { Metrics } from './metrics.ts'
import type { SpanExport } from './span-export.ts'

/** Where traces are told at all. */
export function countDroppedSpans(metrics: Metrics, tracer: Pick<SpanExport, 'dropped'> | undefined): void {
  if (!tracer) return
  metrics.gauge({
    name: 'vaak_trace_spans_dropped',
    help: 'Parts of traces that nobody will see, since this process started: the collector was slow or away.',
    read: () => tracer.dropped(),
  })
}
