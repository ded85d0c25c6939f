import test from 'ava'

import { finishingSeconds, unmeasuredHeardPerSecond } from '../../actors/batch/estimate.ts'
import { runKey } from '../../actors/ids.ts'
import { bits, someChunks } from '../support/batch-builders.ts'
import type { RunStage } from '../support/file-stages.ts'
import { aBatchId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'
import { aGateway } from '../support/gateway.ts'

const service = batchService(test)

const of = (...stages: readonly RunStage[]): { stage: RunStage }[] => stages.map((stage) => ({ stage }))

for (const [status, stages, counts] of [
  ['queued', ['queued', 'queued'], { total_files: 2, files_completed: 0, files_partial: 0, files_failed: 0 }],
  ['queued', ['issued'], { total_files: 1 }],
  ['processing', ['planning', 'queued'], { total_files: 2, files_completed: 0 }],
  ['processing', ['completed', 'running', 'queued'], { total_files: 3, files_completed: 1 }],
  ['processing', ['failed', 'waiting'], { total_files: 2, files_failed: 1 }],
  ['processing', ['completed', 'assembling'], { total_files: 2, files_completed: 1 }],
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
  t.like(body, { estimated_audio_seconds: 12.346, completed_audio_seconds: 12.346, estimated_completion_seconds: 0 })
})

// serial: what others lay out is in the same queue
test.serial('the estimate falls with each chunk, and is a moment when all are heard', async (t) => {
  const { api, owner } = await service.user(t)
  const records = await service.records()
  const { batch, refs } = await records.layOut(owner, [{ stage: 'running', chunks: 900 }])
  const key = runKey(refs[0]!)
  const estimates: number[] = []
  for (const heard of [0, 1, 450, 899, 900]) {
    const { value, revision } = (await records.runs.read(key))!
    const chunks = someChunks({ total: 900, seconds: 4500, done: bits(...Array(heard).keys()) })
    const phase = heard < 900 ? 'running' : 'assembling'
    await records.runs.replace(key, { ...value, progress: { phase, attempt: 1, chunks } }, revision)
    const { body } = await api.get(`/transcribe/status/batch/${batch.batchId}`)
    estimates.push(body.estimated_completion_seconds)
    t.like(body, { estimated_audio_seconds: 4500, completed_audio_seconds: heard * 5 })
    const file = await api.get(`/transcribe/status/file/${refs[0]!.fileId}`)
    t.like(file.body, { audio_seconds: 4500, completed_audio_seconds: heard * 5 })
  }
  const inAll = 4500 / unmeasuredHeardPerSecond
  t.deepEqual(estimates, [inAll, (inAll * 899) / 900, inAll / 2, finishingSeconds, finishingSeconds])
})

test('a batch that does not exist is 404, with the reason under both names', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get(`/transcribe/status/batch/${aBatchId()}`)
  t.is(status, 404)
  t.deepEqual(body, { error: 'batch not found', detail: 'batch not found' })
})

test('what is no id is as good as one that nobody has', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get('/transcribe/status/batch/x')
  t.is(status, 404)
  t.deepEqual(body, { error: 'batch not found', detail: 'batch not found' })
})

test('in development mode jobs are counted: files and the chunks that are known', async (t) => {
  const gateway = await aGateway(t, service.shared.nats, { environment: { APP_ENV: 'development' } })
  const { owner, name } = await service.user(t)
  const stages: RunStage[] = [
    'completed',
    'partial',
    'failed',
    'uncut',
    'fan-out-failed',
    'running',
    'waiting',
    'issued',
  ]
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
