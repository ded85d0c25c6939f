import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'

import test from 'ava'

import { transcriptKey } from '../../actors/ids.ts'
import { aBatchId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'
import type { RunStage } from '../support/file-stages.ts'

const service = batchService(test)

const stages: RunStage[] = [
  'completed',
  'partial',
  'failed',
  'uncut',
  'fan-out-failed',
  'running',
  'planning',
  'waiting',
]
const everything = [...stages, 'issued' as const, 'queued' as const, 'purged' as const].map((stage) => ({ stage }))
const linesOf = (text: string): object[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object)

test('a download is by default one file a line, as results have it, under a name of its own', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, everything)
  const { status, headers, body } = await api.get(`/transcribe/download/batch/${batch.batchId}`)
  t.is(status, 200)
  t.is(headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  const name = `${batch.batchId}.ndjson`
  t.is(headers.get('content-disposition'), `attachment; filename="${name}"`)
  const results = await api.get(`/transcribe/results/batch/${batch.batchId}`)
  t.deepEqual(linesOf(String(body)), results.body.files)
  t.true(String(body).endsWith('\n'))
})

for (const query of [
  'chunks=true',
  'speech_information=true',
  'raw=true',
  'status=completed',
  'status=failed',
  'status=processing',
  'raw=true&status=completed',
  'raw=true&status=failed',
  'raw=true&status=processing',
])
  test(`a download with ${query} has what results have, as lines and as one document`, async (t) => {
    const { api, owner } = await service.user(t)
    const { batch } = await (await service.records()).layOut(owner, everything)
    const { body: page } = await api.get(`/transcribe/results/batch/${batch.batchId}?${query}`)
    const expected = page.files ?? page.jobs
    t.true(expected.length > 0)
    const lines = await api.get(`/transcribe/download/batch/${batch.batchId}?${query}`)
    t.deepEqual(linesOf(String(lines.body)), expected)
    const document = await api.get(`/transcribe/download/batch/${batch.batchId}?${query}&format=json`)
    t.is(document.headers.get('content-type'), 'application/json; charset=utf-8')
    t.regex(document.headers.get('content-disposition') ?? '', /filename="[0-9a-f-]{36}\.json"/)
    const name = query.includes('raw') ? 'jobs' : 'files'
    t.deepEqual(document.body, { batch_id: batch.batchId, [name]: expected })
  })

test('a batch with nothing in it is an empty list', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, [{ stage: 'forgotten' }])
  const path = `/transcribe/download/batch/${batch.batchId}`
  t.is((await api.get(path)).body, '')
  t.deepEqual((await api.get(`${path}?format=json`)).body, { batch_id: batch.batchId, files: [] })
  t.deepEqual((await api.get(`${path}?format=json&raw=true`)).body, { batch_id: batch.batchId, jobs: [] })
})

test('a line is a line, whatever was said', async (t) => {
  const { api, owner } = await service.user(t)
  const texts = [
    'one\u2028two\u2029three\u0085four',
    '"\\\n\r\t\u0000\u000b\u000c',
    '\ud800 alone',
    '</script>',
    '👩‍🚀 नमस्ते',
  ]
  const { batch } = await (
    await service.records()
  ).layOut(
    owner,
    texts.map((text) => ({ stage: 'completed' as const, text })),
  )
  const { body } = await api.get(`/transcribe/download/batch/${batch.batchId}`)
  const lines = String(body).split(/[\n\r\v\f\u0085\u2028\u2029]/)
  t.is(lines.pop(), '')
  const heard = lines.map((line) => (JSON.parse(line) as { result: { text: string } }).result.text)
  t.deepEqual(heard, texts)
})

for (const [query, status] of [
  ['format=csv', 400],
  ['status=retrying', 400],
  ['page=1', 404],
  ['', 404],
  ['status=completed', 404],
] as const)
  test(`a download of a batch that does not exist with ?${query} is ${status}`, async (t) => {
    const { api } = await service.user(t)
    const answer = await api.get(`/transcribe/download/batch/${aBatchId()}?${query}`)
    t.is(answer.status, status)
    if (status === 404) t.deepEqual(answer.body, { error: 'batch not found', detail: 'batch not found' })
  })

const manyWords = 'शब्द '.repeat(60_000)

test('a download that fails on the way is broken off, so that nobody takes it for whole', async (t) => {
  const { token, owner } = await service.user(t)
  const records = await service.records()
  const files = Array.from({ length: 12 }, () => ({ stage: 'completed' as const, text: manyWords }))
  const { batch, refs } = await records.layOut(owner, files)
  await records.blobs.put(transcriptKey(refs[11]!), { bytes: Buffer.from('{"result":') })
  for (const format of ['ndjson', 'json']) {
    const response = await start(`/transcribe/download/batch/${batch.batchId}?format=${format}`, token)
    t.is(response.statusCode, 200)
    response.resume()
    await t.throwsAsync(once(response, 'end'), { code: 'ECONNRESET' })
    t.false(response.complete)
  }
})

test('what fails before the first part of it is sent gets its own status', async (t) => {
  const { token, owner } = await service.user(t)
  const records = await service.records()
  const { batch, refs } = await records.layOut(owner, [{ stage: 'completed' }, { stage: 'completed' }])
  await records.blobs.put(transcriptKey(refs[1]!), { bytes: Buffer.from('{"result":') })
  const response = await start(`/transcribe/download/batch/${batch.batchId}`, token)
  t.is(response.statusCode, 500)
  response.resume()
})

async function start(path: string, token: string): Promise<IncomingMessage> {
  const request = get(service.shared.url + path, { headers: { Authorization: `Bearer ${token}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}
