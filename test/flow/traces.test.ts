import { inspect } from 'node:util'

import test from 'ava'

import { aCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { clientOf, gatewayEnvironment } from '../support/gateway.ts'
import type { Api } from '../support/api.ts'
import { aNatsServer } from '../support/nats.ts'
import { submit } from '../support/pipeline.ts'
import { startVaak } from '../support/processes.ts'
import { aRemoteServer } from '../support/remote.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const wholly = { depth: null, maxArrayLength: null, maxStringLength: null }
const client = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

test('one trace leads from an upload through batch, files, chunks and models to the webhook', async (t) => {
  const nats = await aNatsServer(t)
  const collector = await aCollector(t)
  const { port } = await aRemoteServer(t, (_request, response) => response.writeHead(204).end())
  const dataDir = await aFolder(t)
  const environment = gatewayEnvironment(nats, {
    dataDir,
    environment: {
      RECOGNISER: 'scripted',
      CHUNK_RETRY_INTERVALS: '0.2',
      LOG_LEVEL: 'debug',
      REMOTE_ALLOW_PRIVATE: '127.0.0.1',
      REMOTE_PORTS: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    },
  })
  const [gateway, worker] = [startVaak(t, ['gateway'], environment), startVaak(t, ['worker'], environment)]
  const { api } = await clientOf(t, { url: await gateway.ready(), dataDir })
  await worker.ready()
  const traceparent = `00-${client.traceId}-${client.spanId}-01`
  const traced: Api = {
    ...api,
    post: (path, options) => api.post(path, { ...options, headers: { ...options?.headers, traceparent } }),
  }
  // its second attempt comes by a message that waited
  const failing = { audio: 99, commands: [{ stage: 'transcribe', act: 'retryable', times: 1 }] } as const
  const recordings = [
    { name: 'long.wav', content: aScriptedRecording([...scriptedSeconds(2), failing]) },
    { name: 'short.wav', content: aScriptedRecording(scriptedSeconds(1, 10)) },
  ]
  const batch = await submit(traced, recordings, {
    callback_url: `http://127.0.0.1:${port}/hook`,
    callback_headers: { Authorization: 'Bearer of-nobody-else' },
    metadata: { ticket: 'of-nobody-else' },
  })
  await batch.finished()
  const standing = `/transcribe/webhooks/batch/${batch.batchId}`
  await eventually('the webhook was called', async () => (await api.get(standing)).body.status === 'delivered')
  await Promise.all([gateway.stop(), worker.stop()])

  t.deepEqual(collector.complaints, [])
  t.false(inspect(collector.spans, wholly).includes('of-nobody-else'))
  const spans = collector.spans.filter(({ traceId }) => traceId === client.traceId)
  const count = (name: string): number => spans.filter((span) => span.name === name).length
  t.is(count('plan'), 2)
  t.is(count('chunk'), 4)
  t.is(count('recognise'), 5)
  t.is(count('decode and cut'), 2)
  t.is(count('assemble'), 1)
  t.is(count('webhook call'), 1)
  for (const name of ['tell batch', 'tell file', 'webhook']) t.true(count(name) >= 1, name)
  const known = new Set([client.spanId, ...spans.map(({ spanId }) => spanId)])
  t.deepEqual(
    spans.filter(({ parentSpanId = '' }) => !known.has(parentSpanId)),
    [],
  )
  const requests = spans.filter(({ parentSpanId }) => parentSpanId === client.spanId)
  t.is(requests.length, 2)
  t.true(requests.every(({ service }) => service === 'vaak-gateway'))
  t.deepEqual(requests.map(({ name, facts }) => `${name} ${facts['http.response.status_code']}`).toSorted(), [
    'POST submitBatch 200',
    'POST uploadFiles 202',
  ])
  const attempts = spans.filter(({ name, facts }) => name === 'chunk' && facts['vaak.chunk'] === 2)
  t.deepEqual([...new Set(attempts.map(({ facts }) => String(facts['vaak.attempt'])))].toSorted(), ['1', '2'])
  const chunk = spans.find(({ name }) => name === 'chunk')
  t.like(chunk, { service: 'vaak-worker', facts: { 'vaak.batch': batch.batchId } })

  const answered = linesOf(gateway.stderr).filter(
    ({ msg, traceId }) => msg === 'request answered' && traceId === client.traceId,
  )
  t.deepEqual(
    new Set(answered.map(({ requestId }) => requestId)),
    new Set(requests.map(({ facts }) => facts['vaak.request_id'])),
  )
  t.true(spans.every(({ facts }) => !JSON.stringify(facts).includes('hook')))
})

/** What the log says, as JSON. */
function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}
