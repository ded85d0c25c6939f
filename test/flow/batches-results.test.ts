import test from 'ava'

import { transcriptKey } from '../../actors/ids.ts'
import type { ApiAnswer } from '../support/api.ts'
import { aBatchId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'
import { aGateway } from '../support/gateway.ts'
import { aResult, stageTimes } from '../support/file-stages.ts'
import type { RunStage } from '../support/file-stages.ts'

const service = batchService(test)

const of = (...stages: readonly RunStage[]): { stage: RunStage }[] => stages.map((stage) => ({ stage }))
const finishedAt = new Date(stageTimes.finishedMs).toISOString()
const statusesOf = ({ body }: ApiAnswer): string[] => body.files.map((file: { status: string }) => file.status)
const namesOf = ({ body }: ApiAnswer): string[] => body.files.map((file: { filename: string }) => file.filename)

test('a page has the files in the order of the submission, each as far as it is', async (t) => {
  const { api, owner } = await service.user(t)
  const stages: RunStage[] = [
    'completed',
    'partial',
    'failed',
    'uncut',
    'running',
    'planning',
    'waiting',
    'issued',
    'queued',
  ]
  const { batch, refs } = await (await service.records()).layOut(owner, of(...stages))
  const answer = await api.get(`/transcribe/results/batch/${batch.batchId}`)
  t.is(answer.status, 200)
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  t.like(answer.body, { batch_id: batch.batchId, page: 1, limit: 50, total_pages: 1, total_files: 9, count: 9 })
  t.deepEqual(
    answer.body.files.map((file: { file_id: string }) => file.file_id),
    refs.map(({ fileId }) => fileId),
  )
  t.deepEqual(statusesOf(answer), [
    'completed',
    'partial',
    'failed',
    'failed',
    'processing',
    'processing',
    'retrying',
    'queued',
    'queued',
  ])
})

test('a completed file has its transcript, and what it says of speech only when that is asked for', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, [{ stage: 'completed', text: 'नमस्ते [laughing]' }])
  const result = aResult('नमस्ते [laughing]')
  const [segment] = result.segments
  const with_ = await api.get(`/transcribe/results/batch/${batch.batchId}?speech_information=true`)
  t.deepEqual(with_.body.files[0].result, result as never)
  const without = await api.get(`/transcribe/results/batch/${batch.batchId}`)
  t.false('speech_information' in without.body.files[0].result.segments[0])
  t.is(without.body.files[0].result.segments[0].text, segment?.text)
  t.deepEqual(Object.keys(without.body.files[0]), ['file_id', 'filename', 'status', 'result'])
})

test('what went wrong is told with its reason, its attempts and its time', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, of('uncut', 'partial', 'waiting', 'running'))
  const { body } = await api.get(`/transcribe/results/batch/${batch.batchId}`)
  const [uncut, partial, waiting, running] = body.files
  t.deepEqual(uncut.errors, [{ code: 'unsupported_media', message: 'It did not work.', attempts: 2, at: finishedAt }])
  t.false('result' in uncut)
  t.deepEqual(partial.errors, [
    { chunk_index: 1, code: 'worker_failed', message: 'It did not work.', attempts: 2, at: finishedAt },
  ])
  t.is(partial.result.text, 'words of 1')
  t.like(waiting.errors[0], { code: 'worker_failed', attempts: 1 })
  t.false('errors' in running)
})

test('with chunks every chunk of a file is there, with its text, or why it has none', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch, refs } = await (
    await service.records()
  ).layOut(owner, of('completed', 'partial', 'running', 'fan-out-failed', 'queued', 'uncut'))
  const { body } = await api.get(`/transcribe/results/batch/${batch.batchId}?chunks=true`)
  const [completed, partial, running, fanOut, queued, uncut] = body.files.map(
    (file: { chunk_results: object[] }) => file.chunk_results,
  )
  const heard = (index: number, chunk: number): object => ({
    chunk_id: `${refs[index]?.fileId}.${batch.batchId}.${chunk}`,
    chunk_index: chunk,
    start: chunk * 5,
    end: chunk * 5 + 5,
    status: 'completed',
    attempts: 1,
    text: `chunk ${chunk}`,
    confidence: 0.9,
    language: 'hi',
  })
  t.deepEqual(completed, [heard(0, 0), heard(0, 1)])
  t.deepEqual(partial[0], heard(1, 0))
  t.like(partial[1], { chunk_index: 1, start: 5, end: 10, status: 'failed', attempts: 2, error: { chunk_index: 1 } })
  t.deepEqual(running[0], heard(2, 0))
  t.like(running[1], { start: 5, end: 10, status: 'processing', attempts: 2 })
  t.deepEqual(fanOut[0], heard(3, 0))
  t.like(fanOut[1], { start: 5, status: 'failed', attempts: 0, error: { code: 'fan_out_failed' } })
  t.deepEqual([queued, uncut], [[], []])
})

for (const [filter, names] of [
  ['completed', ['0', '1']],
  ['failed', ['2', '3']],
  ['processing', ['4', '5']],
  ['retrying', ['6']],
] as const)
  test(`the filter ${filter} shows those files and counts those only`, async (t) => {
    const { api, owner } = await service.user(t)
    const stages: RunStage[] = ['completed', 'partial', 'failed', 'uncut', 'running', 'planning', 'waiting', 'issued']
    const files = [...stages, 'queued' as const].map((stage, at) => ({ stage, filename: String(at) }))
    const { batch } = await (await service.records()).layOut(owner, files)
    const answer = await api.get(`/transcribe/results/batch/${batch.batchId}?status=${filter}`)
    t.deepEqual(namesOf(answer), [...names])
    t.like(answer.body, { total_files: names.length, count: names.length, total_pages: 1 })
    const second = await api.get(`/transcribe/results/batch/${batch.batchId}?status=${filter}&limit=1&page=2`)
    t.deepEqual(namesOf(second), names.slice(1, 2))
    t.is(second.body.total_pages, names.length)
  })

test('pages follow one another without gaps, and the one after the last is empty', async (t) => {
  const { api, owner } = await service.user(t)
  const files = Array.from({ length: 205 }, (_, at) => ({
    stage: 'queued' as const,
    filename: String(at),
    url: 'https://x',
  }))
  const { batch } = await (await service.records()).layOut(owner, files)
  const seen: string[] = []
  for (const page of [1, 2, 3, 4, 5, 6]) {
    const answer = await api.get(`/transcribe/results/batch/${batch.batchId}?page=${page}&limit=50`)
    t.like(answer.body, { page, limit: 50, total_pages: 5, total_files: 205, count: [50, 50, 50, 50, 5, 0][page - 1] })
    seen.push(...namesOf(answer))
  }
  t.deepEqual(
    seen,
    files.map(({ filename }) => filename),
  )
})

test('deleted files do not appear, whoever knows of it so far', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (
    await service.records()
  ).layOut(owner, of('forgotten', 'completed', 'purged', 'deleted', 'doomed', 'queued'))
  for (const query of ['', '?raw=true']) {
    const { body } = await api.get(`/transcribe/results/batch/${batch.batchId}${query}`)
    const ids = new Set((body.files ?? body.jobs).map((one: { file_id: string }) => one.file_id))
    t.is(ids.size, 2)
    t.is(body.count, query === '' ? 2 : 4)
  }
})

test('a file that is deleted while it is read does not appear', async (t) => {
  const { api, owner } = await service.user(t)
  const records = await service.records()
  const { batch, refs } = await records.layOut(owner, of('completed', 'completed'))
  await records.blobs.remove(transcriptKey(refs[0]!))
  const key = `${refs[0]!.fileId}.${batch.batchId}`
  const stored = (await records.runs.read(key))!
  const lost = (await api.get(`/transcribe/results/batch/${batch.batchId}`)).body.files
  t.is(lost.length, 2)
  t.like(lost[0], {
    status: 'completed',
    errors: [{ code: 'not_found', message: 'The result is no longer in storage.' }],
  })
  await records.runs.replace(key, { ...stored.value, progress: { phase: 'gone' } }, stored.revision)
  t.is((await api.get(`/transcribe/results/batch/${batch.batchId}`)).body.count, 1)
})

test('a batch that does not exist is 404 without a filter, and an empty page with one', async (t) => {
  const { api } = await service.user(t)
  const batchId = aBatchId()
  for (const query of ['', '?raw=true']) {
    const { status, body } = await api.get(`/transcribe/results/batch/${batchId}${query}`)
    t.is(status, 404)
    t.deepEqual(body, { error: 'batch not found', detail: 'batch not found' })
  }
  const page = { batch_id: batchId, page: 1, limit: 50, total_pages: 0, count: 0 }
  const merged = await api.get(`/transcribe/results/batch/${batchId}?status=failed`)
  t.is(merged.status, 200)
  t.deepEqual(merged.body, { ...page, total_files: 0, files: [] })
  const raw = await api.get(`/transcribe/results/batch/${batchId}?status=failed&raw=true`)
  t.deepEqual(raw.body, { ...page, total_jobs: 0, jobs: [] })
})

for (const query of ['page=0', 'limit=201', 'limit=0', 'status=queued', 'status=partial', 'raw=yes', 'chunks=2'])
  test(`results with ?${query} are 400`, async (t) => {
    const { api } = await service.user(t)
    t.is((await api.get(`/transcribe/results/batch/${aBatchId()}?${query}`)).status, 400)
  })

test('true and false may be written as other programs write them', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, of('queued'))
  for (const yes of ['true', 'True', '1']) {
    const { body } = await api.get(`/transcribe/results/batch/${batch.batchId}?raw=${yes}`)
    t.true('jobs' in body)
  }
  for (const no of ['false', 'False', '0'])
    t.true('files' in (await api.get(`/transcribe/results/batch/${batch.batchId}?raw=${no}`)).body)
})

test('in development mode each file tells of its chunks', async (t) => {
  const gateway = await aGateway(t, service.shared.nats, {
    environment: { APP_ENV: 'development' },
  })
  const { owner, name } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, [{ stage: 'failed', chunks: 3 }, { stage: 'queued' }])
  const { body } = await (await gateway.apiOf(name)).get(`/transcribe/results/batch/${batch.batchId}`)
  t.like(body.files[0], { total_chunks: 3, completed_chunks: 2, failed_chunks: 1 })
  t.like(body.files[1], { total_chunks: 0, completed_chunks: 0, failed_chunks: 0 })
})
