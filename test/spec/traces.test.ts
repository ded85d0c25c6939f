import test from 'ava'
import type { ExecutionContext } from 'ava'

import { terminal } from '../../actors/failure.ts'
import { within } from '../../actors/trace/ports.ts'
import { inOneTrace } from '../../infra/cli/client/one-trace.ts'
import { readConfig } from '../../infra/config/config.ts'
import { openSpanExport } from '../../infra/telemetry/span-export.ts'
import { isInShare, newTraceId, readTraceparent, writeTraceparent } from '../../infra/telemetry/trace-context.ts'
import { openTracer } from '../../infra/telemetry/tracer.ts'
import { tracedTurns } from '../../realtime/main-trace.ts'
import { aCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'

const resource = { 'service.name': 'test' }
const followed = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function aTracer(t: ExecutionContext, endpoint: string, share = 1) {
  const clock = aManualClock()
  const tracer = openTracer({ endpoint, headers: {}, resource, share, clock, log: aLog() })
  t.teardown(() => tracer.close())
  return { tracer, clock }
}

test('where something belongs is read and written as the W3C has it', (t) => {
  const context = readTraceparent(followed)
  t.deepEqual(context, {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    isFollowed: true,
  })
  t.is(writeTraceparent(context!), followed)
  t.false(readTraceparent(followed.replace(/01$/, '00'))?.isFollowed)
  const nonsense = ['', 'x', followed.toUpperCase(), `${followed}-more`, followed.replace('0af7', 'zzzz')]
  const nothing = ['00-00000000000000000000000000000000-b7ad6b7169203331-01', followed.replace(/^00/, 'ff')]
  for (const text of [...nonsense, ...nothing]) t.is(readTraceparent(text), undefined, text)
})

test('a share of traces is followed, and everybody agrees on which', (t) => {
  const ids = Array.from({ length: 2_000 }, newTraceId)
  t.true(ids.every((id) => isInShare(id, 1)))
  t.false(ids.some((id) => isInShare(id, 0)))
  const tenth = ids.filter((id) => isInShare(id, 0.1))
  t.true(tenth.length > 80 && tenth.length < 400, String(tenth.length))
  t.true(tenth.every((id) => isInShare(id, 0.2)))
})

test('what is done inside of a part is below it, and what fails says so in a word', async (t) => {
  const { endpoint, spans, complaints } = await aCollector(t)
  const { tracer, clock } = aTracer(t, endpoint)
  let told: string | undefined
  const failing = tracer.run({ name: 'request', kind: 'server', facts: { size: 3 } }, async (note) => {
    clock.advance(5)
    note({ name: 'POST upload', facts: { ratio: 0.5 } })
    await tracer.run({ name: 'inside' }, async () => {
      told = tracer.cause()
      clock.advance(7)
    })
    throw terminal('not_found', 'Asha’s file is not there.')
  })
  await t.throwsAsync(failing)
  t.is(tracer.cause(), undefined)
  await tracer.run({ name: 'elsewhere', kind: 'consumer', cause: told }, async () => undefined)
  await tracer.close()
  const [inside, request, elsewhere] = spans
  t.is(spans.length, 3)
  t.like(request, { name: 'POST upload', parentSpanId: undefined, isFailed: true })
  t.deepEqual(request?.facts, { size: 3, ratio: 0.5, 'error.type': 'not_found' })
  t.like(inside, { name: 'inside', parentSpanId: request?.spanId, traceId: request?.traceId, isFailed: false })
  t.like(elsewhere, { parentSpanId: inside?.spanId, traceId: request?.traceId })
  t.is(inside!.endedNs - inside!.beganNs, 7_000_000n)
  t.is(request!.endedNs - request!.beganNs, 12_000_000n)
  t.deepEqual(complaints, [])
})

test('a stranger names a trace, and does not decide that it is followed', async (t) => {
  const { endpoint, spans } = await aCollector(t)
  const { tracer } = aTracer(t, endpoint, 0)
  const part = { name: 'request', cause: followed }
  await tracer.run({ ...part, isFromOutside: true }, async () => {
    t.regex(tracer.cause() ?? '', /^00-0af7651916cd43dd8448eb211c80319c-[\da-f]{16}-00$/)
  })
  await tracer.run({ ...part, name: 'message' }, async () => undefined)
  await tracer.close()
  t.deepEqual(
    spans.map(({ name, parentSpanId }) => [name, parentSpanId]),
    [['message', 'b7ad6b7169203331']],
  )
})

test('work does not wait for a collector that does not answer: what does not fit is dropped, and counted', async (t) => {
  const { endpoint, spans } = await aCollector(t, () => undefined)
  const { tracer } = aTracer(t, endpoint)
  let done = 0
  for (let index = 0; index < 4_000; index += 1) await tracer.run({ name: 'work' }, async () => void (done += 1))
  t.is(done, 4_000)
  await eventually('the first were sent', () => spans.length === 512)
  t.is(tracer.dropped(), 4_000 - 512 - 2_048)
})

test('what a collector refuses is dropped, told once, and told again when it is over', async (t) => {
  let isAway = true
  const { endpoint, headers } = await aCollector(t, (response) => response.writeHead(isAway ? 503 : 200).end())
  const log = aLog()
  const spans = openSpanExport({ endpoint, headers: { authorization: 'Bearer secret' }, resource, log })
  const span = { traceId: newTraceId(), spanId: '1'.repeat(16), parentSpanId: undefined, error: undefined, facts: {} }
  const send = async (): Promise<void> => {
    spans.add({ ...span, name: 'work', kind: 'internal', beganMs: Date.UTC(2026, 0), endedMs: Date.UTC(2026, 0) })
    await spans.close()
  }
  await send()
  await send()
  isAway = false
  await send()
  t.is(spans.dropped(), 2)
  t.deepEqual(
    log.lines.map(({ level, message }) => [level, message]),
    [
      ['warn', 'traces are dropped: the collector does not take them'],
      ['info', 'traces are taken again'],
    ],
  )
  t.is(headers[0]?.['authorization'], 'Bearer secret')
  t.notRegex(JSON.stringify(log.lines), /secret/)
})

test('a turn is one trace with its stages, told when the answer begins', async (t) => {
  const { endpoint, spans } = await aCollector(t)
  const { tracer, clock } = aTracer(t, endpoint)
  const measure = tracedTurns(tracer, () => clock.elapsedMs())
  const stages = [
    ['vad_ms', 200],
    ['asr_ms', 50],
    ['llm_ttft_ms', 300],
    ['tts_ttfb_ms', 100],
  ] as const
  clock.advance(1_000)
  measure('vad_ms', 10) // nobody answered this one
  for (const [stage, ms] of stages) {
    clock.advance(ms)
    measure(stage, ms)
  }
  measure('voice_to_voice_ms', 650)
  await tracer.close()
  const turn = spans.find(({ name }) => name === 'turn')!
  const msOf = (span: typeof turn) => [span.name, Number(span.beganNs - turn.beganNs) / 1e6, Number(span.endedNs - span.beganNs) / 1e6] // prettier-ignore
  t.deepEqual(spans.map(msOf), [
    ['turn', 0, 650],
    ['hearing: is it over', 0, 200],
    ['hearing: the words', 200, 50],
    ['thinking', 250, 300],
    ['speaking', 550, 100],
  ])
  t.true(spans.every(({ traceId, parentSpanId }) => traceId === turn.traceId && parentSpanId !== turn.parentSpanId || parentSpanId === undefined)) // prettier-ignore
})

test('all that one command asks of a server is one trace, and another command is another', async (t) => {
  const asked: Headers[] = []
  const ask: typeof fetch = async (_address, init) => {
    asked.push(new Headers(init?.headers))
    return new Response()
  }
  const [one, other] = [inOneTrace(ask), inOneTrace(ask)]
  await one('http://there/a', { headers: { authorization: 'Bearer x' } })
  await one('http://there/b')
  await other('http://there/c')
  const ids = asked.map((headers) => readTraceparent(headers.get('traceparent') ?? '')?.traceId)
  t.is(ids[0]?.length, 32)
  t.is(ids[0], ids[1])
  t.not(ids[0], ids[2])
  t.is(asked[0]?.get('authorization'), 'Bearer x')
})

test('where nobody follows, what is to be done is done', async (t) => {
  t.is(await within(undefined, { name: 'work' }, async (note) => (note({ name: 'other' }), 7)), 7)
})

test('traces are configured by the names that OpenTelemetry has', (t) => {
  t.is(readConfig({}).otelEndpoint, '')
  const config = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db,x-team=speech',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  t.is(config.otelEndpoint, 'http://127.0.0.1:4318')
  t.deepEqual(config.otelHeaders, [
    ['authorization', 'Bearer a=b'],
    ['x-team', 'speech'],
  ])
  t.is(config.otelShare, 0.25)
  const wrong = { OTEL_EXPORTER_OTLP_HEADERS: 'secret', OTEL_TRACES_SAMPLER_ARG: '2' }
  const error = t.throws(() => readConfig(wrong))
  t.notRegex(error?.message ?? '', /"secret"/)
  t.regex(error?.message ?? '', /OTEL_TRACES_SAMPLER_ARG/)
})
