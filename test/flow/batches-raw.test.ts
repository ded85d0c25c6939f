import test from 'ava'

import type { ApiAnswer } from '../support/api.ts'
import { batchService } from '../support/batch-service.ts'
import { stageTimes } from '../support/file-stages.ts'
import type { RunStage } from '../support/file-stages.ts'

const service = batchService(test)

const at = (ms: number): string => new Date(ms).toISOString()
const short = ({ body }: ApiAnswer): string[] =>
  body.jobs.map((job: { kind: string; chunk_index?: number; status: string }) =>
    [job.kind, job.chunk_index, job.status].filter((part) => part !== undefined).join(' '),
  )

test('raw results are the jobs: each file, followed by its chunks, as they are stored', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch, refs } = await (await service.records()).layOut(owner, [{ stage: 'partial' }])
  const { body } = await api.get(`/transcribe/results/batch/${batch.batchId}?raw=true`)
  t.like(body, { batch_id: batch.batchId, page: 1, limit: 50, total_pages: 1, total_jobs: 3, count: 3 })
  const { fileId } = refs[0]!
  const parent = `${fileId}.${batch.batchId}`
  const common = { batch_id: batch.batchId, file_id: fileId, filename: 'file-0.wav' }
  t.deepEqual(body.jobs, [
    {
      ...common,
      job_id: parent,
      parent_id: null,
      kind: 'file',
      status: 'partial',
      attempts: 1,
      timings: { queued_at: at(batch.acceptedAtMs), finished_at: at(stageTimes.finishedMs) },
    },
    {
      ...common,
      job_id: `${parent}.0`,
      parent_id: parent,
      kind: 'chunk',
      chunk_index: 0,
      status: 'completed',
      attempts: 1,
      timings: { started_at: at(stageTimes.startedMs), finished_at: at(stageTimes.startedMs + 250), took_ms: 250 },
    },
    {
      ...common,
      job_id: `${parent}.1`,
      parent_id: parent,
      kind: 'chunk',
      chunk_index: 1,
      status: 'failed',
      attempts: 2,
      timings: { finished_at: at(stageTimes.finishedMs) },
      error: {
        chunk_index: 1,
        code: 'worker_failed',
        message: 'It did not work.',
        attempts: 2,
        at: at(stageTimes.finishedMs),
      },
    },
  ])
})

const stages: RunStage[] = [
  'completed',
  'partial',
  'failed',
  'uncut',
  'fan-out-failed',
  'running',
  'waiting',
  'planning',
]
const everything = [...stages, 'issued' as const, 'queued' as const].map((stage) => ({ stage }))

test('raw results tell of every stage', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, everything)
  const answer = await api.get(`/transcribe/results/batch/${batch.batchId}?raw=true`)
  t.deepEqual(short(answer), [
    'file completed',
    'chunk 0 completed',
    'chunk 1 completed',
    'file partial',
    'chunk 0 completed',
    'chunk 1 failed',
    'file failed',
    'chunk 0 completed',
    'chunk 1 failed',
    'file failed',
    'file failed',
    'chunk 0 completed',
    'chunk 1 failed',
    'file processing',
    'chunk 0 completed',
    'chunk 1 processing',
    'file retrying',
    'file processing',
    'file queued',
    'file queued',
  ])
  const [retrying, planning, issued] = answer.body.jobs.slice(16)
  t.like(retrying, { attempts: 1, error: { code: 'worker_failed' } })
  t.like(planning, { attempts: 1, timings: { started_at: at(stageTimes.startedMs) } })
  t.deepEqual([issued.attempts, issued.timings], [0, { queued_at: at(batch.acceptedAtMs) }])
})

for (const [filter, jobs] of [
  [
    'completed',
    [
      'file completed',
      'chunk 0 completed',
      'chunk 1 completed',
      'file partial',
      'chunk 0 completed',
      'chunk 0 completed',
      'chunk 0 completed',
      'chunk 0 completed',
    ],
  ],
  ['failed', ['chunk 1 failed', 'file failed', 'chunk 1 failed', 'file failed', 'file failed', 'chunk 1 failed']],
  ['processing', ['file processing', 'chunk 1 processing', 'file processing']],
  ['retrying', ['file retrying']],
] as const)
  test(`raw results with the filter ${filter} are the jobs that are it, paged as such`, async (t) => {
    const { api, owner } = await service.user(t)
    const { batch } = await (await service.records()).layOut(owner, everything)
    const path = `/transcribe/results/batch/${batch.batchId}?raw=true&status=${filter}`
    const whole = await api.get(path)
    t.deepEqual(short(whole), [...jobs])
    t.like(whole.body, { total_jobs: jobs.length, count: jobs.length })
    const paged: string[] = []
    for (let page = 1; page <= Math.ceil(jobs.length / 2); page += 1)
      paged.push(...short(await api.get(`${path}&limit=2&page=${page}`)))
    t.deepEqual(paged, [...jobs])
  })

test('pages of jobs cut through files without gap or repetition', async (t) => {
  const { api, owner } = await service.user(t)
  const files = [7, 1, 0, 12, 3].map((chunks) => ({ stage: 'completed' as const, chunks }))
  const { batch } = await (await service.records()).layOut(owner, files)
  const path = `/transcribe/results/batch/${batch.batchId}?raw=true`
  const whole = (await api.get(path)).body
  t.is(whole.total_jobs, 28)
  const paged: object[] = []
  for (let page = 1; page <= 6; page += 1) {
    const { body } = await api.get(`${path}&limit=5&page=${page}`)
    t.like(body, { total_jobs: 28, total_pages: 6, count: page === 6 ? 3 : 5 })
    paged.push(...body.jobs)
  }
  t.deepEqual(paged, whole.jobs)
  t.is((await api.get(`${path}&limit=5&page=7`)).body.count, 0)
})
