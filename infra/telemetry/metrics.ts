import { createServer } from 'node:http'
import type { Server } from 'node:http'

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  answered(input: { method: string; route: string; status: number; seconds: number }): void
  /** Read whenever somebody asks for the metrics. */
  gauge(input: { name: string; help: string; read: () => number | Promise<number> }): void
  /** The same, with a number for each value of the label. */
  gauges(input: { name: string; help: string; label: string; read: () => Numbers | Promise<Numbers> }): void
  /** Returns what notes a duration under one value of the label. */
  histogram(input: { name: string; help: string; label: string; buckets: readonly number[] }): Observe
  /** Returns what counts one more, or so many more, under a value of the label. */
  counter(input: { name: string; help: string; label: string }): (label: string, more?: number) => void
  text(): Promise<string>
}

type Observe = (label: string, seconds: number) => void
type Numbers = Readonly<Record<string, number>>

export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'vaak_' })
  const requests = new Counter({
    name: 'vaak_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'vaak_http_request_duration_seconds',
    help: 'Time from the first line of a request to its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
    registers: [registry],
  })
  return {
    answered({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    gauge({ name, help, read }) {
      registry.registerMetric(
        new Gauge({
          name,
          help,
          registers: [],
          async collect() {
            this.set(await read())
          },
        }),
      )
    },
    gauges({ name, help, label, read }) {
      registry.registerMetric(
        new Gauge({
          name,
          help,
          labelNames: [label],
          registers: [],
          async collect() {
            const numbers = Object.entries(await read())
            // what is not told this time is not known any more
            this.reset()
            for (const [value, number] of numbers) this.set({ [label]: value }, number)
          },
        }),
      )
    },
    histogram({ name, help, label, buckets }) {
      const seconds = new Histogram({ name, help, labelNames: [label], buckets: [...buckets], registers: [registry] })
      return (input, value) => seconds.observe({ [label]: input }, value)
    },
    counter({ name, help, label }) {
      const counted = new Counter({ name, help, labelNames: [label], registers: [registry] })
      return (input, more = 1) => counted.inc({ [label]: input }, more)
    },
    text: () => registry.metrics(),
  }
}

/** On a port of its own, so that the public one never shows them. */
export async function serveMetrics(metrics: Metrics, at: { host: string; port: number }): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    void metrics
      .text()
      .then((text) => response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(text))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, resolve)
  })
  return server
}
