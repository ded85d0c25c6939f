import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import type { ExecutionContext } from 'ava'
import { z } from 'zod'

const attribute = z.strictObject({
  key: z.string(),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    z.strictObject({ doubleValue: z.number() }),
  ]),
})
const nanos = z.string().regex(/^\d{19}$/)
/** As opentelemetry-proto has it: a collector refuses what it does not know how to read. */
const traceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          spans: z.array(
            z.strictObject({
              traceId: z.string().regex(/^[\da-f]{32}$/),
              spanId: z.string().regex(/^[\da-f]{16}$/),
              parentSpanId: z
                .string()
                .regex(/^[\da-f]{16}$/)
                .optional(),
              name: z.string().min(1),
              kind: z.int().min(1).max(5),
              startTimeUnixNano: nanos,
              endTimeUnixNano: nanos,
              attributes: z.array(attribute),
              status: z.strictObject({ code: z.literal(2) }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
})

interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string | undefined
  readonly name: string
  readonly service: string
  readonly facts: Readonly<Record<string, string | number>>
  readonly isFailed: boolean
  readonly beganNs: bigint
  readonly endedNs: bigint
}

interface Collector {
  readonly endpoint: string
  readonly spans: ReceivedSpan[]
  readonly headers: IncomingHttpHeaders[]
  /** What was sent and is not OTLP. */
  readonly complaints: string[]
}

/** Takes OTLP over HTTP as JSON, and looks at each word of it. `answer` may take its time, or refuse. */
export async function aCollector(
  t: ExecutionContext,
  answer: (response: ServerResponse) => void = (response) => response.end('{}'),
): Promise<Collector> {
  const [spans, headers, complaints]: [ReceivedSpan[], IncomingHttpHeaders[], string[]] = [[], [], []]
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      headers.push(request.headers)
      const { data, error } = traceRequest.safeParse(body)
      if (request.url !== '/v1/traces' || !data) complaints.push(`${request.url} ${error?.message ?? ''}`)
      else spans.push(...spansIn(data))
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // as: it listens on a port
  return { endpoint: `http://127.0.0.1:${port}`, spans, headers, complaints }
}

function spansIn({ resourceSpans }: z.infer<typeof traceRequest>): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ traceId, spanId, parentSpanId, name, attributes, status, ...times }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        service: String(factsIn(resource.attributes)['service.name']),
        facts: factsIn(attributes),
        isFailed: status !== undefined,
        beganNs: BigInt(times.startTimeUnixNano),
        endedNs: BigInt(times.endTimeUnixNano),
      })),
    ),
  )
}

function factsIn(attributes: readonly z.infer<typeof attribute>[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      if ('stringValue' in value) return [key, value.stringValue]
      return [key, 'intValue' in value ? Number(value.intValue) : value.doubleValue]
    }),
  )
}
