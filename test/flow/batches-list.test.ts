import test from 'ava'
import { v7 as uuidV7 } from 'uuid'

import { isBatchId } from '../../actors/ids.ts'
import type { BatchId } from '../../actors/ids.ts'
import type { ApiAnswer } from '../support/api.ts'
import { batchService } from '../support/batch-service.ts'
import type { RunStage } from '../support/file-stages.ts'
import type { TestUser } from '../support/service.ts'

const service = batchService(test)

const idsIn = ({ body }: ApiAnswer): string[] => body.batches.map((batch: { batch_id: string }) => batch.batch_id)

async function layOut({ owner }: TestUser, stage: RunStage, batchId?: BatchId): Promise<string> {
  const records = await service.records()
  return (await records.layOut(owner, [{ stage }], batchId && { batchId })).batch.batchId
}

function madeAt(time: string): BatchId {
  const id = uuidV7({ msecs: Date.parse(time) })
  if (!isBatchId(id)) throw new Error('not an id')
  return id
}

test('a batch is listed from the moment it is accepted, with how far it is', async (t) => {
  const { api, fileIds } = await service.uploader(t, 'completed')
  t.deepEqual((await api.get('/transcribe/batches')).body, { limit: 50, count: 0, batches: [] })
  const { body } = await api.post('/transcribe/batch', { json: { file_ids: fileIds } })
  const list = await api.get('/transcribe/batches')
  t.is(list.body.count, 1)
  t.like(list.body.batches[0], { batch_id: body.batch_id, status: 'queued', total_files: 1, files_completed: 0 })
  t.is(list.body.batches[0].finished_at, undefined)
})

test('a batch is called what its user says, wherever it is shown, until they say something else', async (t) => {
  const { api, fileIds } = await service.uploader(t, 'completed')
  const { body } = await api.post('/transcribe/batch', { json: { file_ids: fileIds, name: ' Calls of Monday ' } })
  t.is(body.name, 'Calls of Monday')
  const path = `/transcribe/batch/${body.batch_id}`
  const shown = async (): Promise<readonly unknown[]> => [
    (await api.get('/transcribe/batches')).body.batches[0].name,
    (await api.get(`/transcribe/status/batch/${body.batch_id}`)).body.name,
    (await api.get(`/transcribe/results/batch/${body.batch_id}`)).body.name,
  ]
  t.deepEqual(await shown(), Array(3).fill('Calls of Monday'))
  const renamed = await api.patch(path, { json: { name: 'सोमवार' } })
  t.deepEqual(renamed.body, { batch_id: body.batch_id, name: 'सोमवार' })
  t.deepEqual(await shown(), Array(3).fill('सोमवार'))
  t.deepEqual((await api.patch(path, { json: { name: '' } })).body, { batch_id: body.batch_id })
  t.deepEqual(await shown(), Array(3).fill(undefined))
})

test('pages follow each other by their cursors, newest first', async (t) => {
  const user = await service.user(t)
  const batchIds: string[] = []
  for (let count = 0; count < 5; count += 1) batchIds.push(await layOut(user, 'completed'))
  const first = await user.api.get('/transcribe/batches?limit=2')
  const second = await user.api.get(`/transcribe/batches?limit=2&cursor=${first.body.next_cursor}`)
  await layOut(user, 'completed')
  const third = await user.api.get(`/transcribe/batches?limit=2&cursor=${second.body.next_cursor}`)
  t.deepEqual([first, second, third].flatMap(idsIn), batchIds.toReversed())
  t.is(third.body.next_cursor, undefined)
})

test('a status lists the batches that have it', async (t) => {
  const user = await service.user(t)
  const stages: RunStage[] = ['queued', 'running', 'completed', 'partial', 'failed']
  const batchIds: string[] = []
  for (const stage of stages) batchIds.push(await layOut(user, stage))
  for (const [at, status] of ['queued', 'processing', 'completed', 'partial', 'failed'].entries())
    t.deepEqual(idsIn(await user.api.get(`/transcribe/batches?status=${status}`)), [batchIds[at]], status)
})

test('a time lists the batches that were submitted then', async (t) => {
  const user = await service.user(t)
  const noon = await layOut(user, 'completed', madeAt('2026-03-01T12:00:00Z'))
  const evening = await layOut(user, 'completed', madeAt('2026-03-01T18:00:00Z'))
  const later = await layOut(user, 'completed', madeAt('2026-03-02T00:00:00Z'))
  const found = async (query: string): Promise<string[]> => idsIn(await user.api.get(`/transcribe/batches?${query}`))
  t.deepEqual(await found('from=2026-03-01T18:00:00Z'), [later, evening])
  t.deepEqual(await found('to=2026-03-02'), [evening, noon])
  t.deepEqual(await found('from=2026-03-01&to=2026-03-01T18:00:00Z'), [noon])
  t.deepEqual(await found(`from=${encodeURIComponent('2026-03-01T20:00:00+02:00')}`), [later, evening])
})

test('nobody sees the batches of another, also not by their cursor', async (t) => {
  const [one, other] = [await service.user(t), await service.user(t)]
  await layOut(one, 'completed')
  await layOut(one, 'completed')
  const { body } = await one.api.get('/transcribe/batches?limit=1')
  t.is((await other.api.get('/transcribe/batches')).body.count, 0)
  t.is((await other.api.get(`/transcribe/batches?cursor=${body.next_cursor}`)).body.count, 0)
})

test('a batch that is listed and was never accepted is not shown', async (t) => {
  const user = await service.user(t)
  const batchId = madeAt('2026-03-01T12:00:00Z')
  await (await service.records()).batchListing.append(user.owner, [{ batchId, status: 'open' }])
  t.is((await user.api.get('/transcribe/batches')).body.count, 0)
})

const refusal = test.macro(async (t, query: string, detail: RegExp) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get(`/transcribe/batches?${query}`)
  t.is(status, 400)
  t.regex(body.detail, detail)
})

test('a cursor that is none is refused', refusal, 'cursor=x', /query\.cursor: is not a cursor/)
test('a status that is none is refused', refusal, 'status=done', /query\.status/)
test(
  'a time that is none is refused with an example',
  refusal,
  'from=yesterday',
  /query\.from: expected a date, such as/,
)
test('a limit beyond the largest is refused', refusal, 'limit=201', /from 1 to 200/)
