import test from 'ava'

import type { Stage } from '../support/file-stages.ts'
import { aBatchId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'
import { aGateway } from '../support/gateway.ts'

const service = batchService(test)

const of = (...stages: readonly Stage[]): { stage: Stage }[] => stages.map((stage) => ({ stage }))

for (const [status, stages, counts] of [
  ['queued', ['queued', 'queued'], { total_files: 2, files_completed: 0, files_partial: 0, files_failed: 0 }],
  ['queued', ['issued'], { total_files: 1 }],
  ['processing', ['planning', 'queued'], { total_files: 2, files_completed: 0 }],
  ['processing', ['completed', 'running', 'queued'], { total_files: 3, files_completed: 1 }],
  ['processing', ['failed', 'waiting'], { total_files: 2, files_failed: 1 }],
  ['completed', ['completed', 'completed'], { total_files: 2, files_completed: 2, files_failed: 0 }],
  ['partial', ['completed', 'partial'], { total_files: 2, files_completed: 2, files_partial: 1, files_failed: 0 }],
  ['partial', ['completed', 'uncut'], { total_files: 2, files_completed: 1, files_failed: 1 }],
  ['failed', ['uncut', 'failed'], { total_files: 2, files_completed: 0, files_failed: 2 }],
  ['completed', ['completed', 'forgotten'], { total_files: 1, files_completed: 1 }],
] as const)
  test(`a batch whose files are ${stages.join(', ')} is ${status}`, async (t) => {
    const { api, owner } = await service.user(t)
    const { batch } = await (await service.records()).layOut(owner, of(...stages))
    const { status: code, body } = await api.get(`/transcribe/status/batch/${batch.batchId}`)
    t.is(code, 200)
    t.like(body, { batch_id: batch.batchId, status, ...counts })
    t.false('total_jobs' in body, 'counts of jobs are for development')
  })

test('a finished batch is estimated to take no more time, and its sound is what was heard', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (
    await service.records()
  ).layOut(owner, of('completed'), {
    estimatedSeconds: 500,
    settledSeconds: 12.3456,
  })
  const { body } = await api.get(`/transcribe/status/batch/${batch.batchId}`)
  t.like(body, { estimated_audio_seconds: 12.346, estimated_completion_seconds: 0 })
})

test('the estimate falls while files settle', async (t) => {
  const { api, owner } = await service.user(t)
  const records = await service.records()
  const { batch } = await records.layOut(owner, of('running', 'queued'))
  const estimate = async (): Promise<number> =>
    (await api.get(`/transcribe/status/batch/${batch.batchId}`)).body.estimated_completion_seconds
  const before = await estimate()
  const { revision } = (await records.batches.read(batch.batchId))!
  await records.batches.replace(batch.batchId, { ...batch, settledSeconds: 15 }, revision)
  const after = await estimate()
  t.true(after > 0)
  t.true(after < before, `${before}, then ${after}`)
})

test('a batch that does not exist is 404, with the reason under both names', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get(`/transcribe/status/batch/${aBatchId()}`)
  t.is(status, 404)
  t.deepEqual(body, { error: 'batch not found', detail: 'batch not found' })
})

test('what is no id is 400', async (t) => {
  const { api } = await service.user(t)
  t.is((await api.get('/transcribe/status/batch/x')).status, 400)
})

test('in development mode jobs are counted: files and the chunks that are known', async (t) => {
  const gateway = await aGateway(t, service.shared.nats, { environment: { APP_ENV: 'development' } })
  const { owner, name } = await service.user(t)
  const stages: Stage[] = ['completed', 'partial', 'failed', 'uncut', 'fan-out-failed', 'running', 'waiting', 'issued']
  const { batch } = await (
    await service.records()
  ).layOut(owner, [...stages.map((stage) => ({ stage, chunks: 3 })), ...of('queued', 'purged', 'queued', 'forgotten')])
  const { body } = await (await gateway.apiOf(name)).get(`/transcribe/status/batch/${batch.batchId}`)
  t.like(body, {
    total_files: 11,
    files_processing: 2,
    // whole files: completed and partial, and each of their chunks; two chunks each of partial, failed, fan-out and running
    completed_jobs: 2 + 3 + 2 + 2 + 2 + 2,
    // three files; a chunk of partial and of failed, and the chunk of the fan-out whose turn never came
    failed_jobs: 3 + 1 + 1 + 1,
    // the running file and its third chunk, and the file that waits to be tried again
    processing_jobs: 3,
    queued_jobs: 3,
  })
  t.is(body.total_jobs, body.completed_jobs + body.failed_jobs + body.processing_jobs + body.queued_jobs)
})
