import test from 'ava'

import { runKey, transcriptKey } from '../../actors/ids.ts'
import { batchService } from '../support/batch-service.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { objectsIn } from '../support/on-disk.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const service = batchService(test)

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

test('a batch is deleted with its results and records, and its files stay', async (t) => {
  const { api, owner } = await service.user(t)
  const records = await service.records()
  const { batch, refs } = await records.layOut(owner, [
    { stage: 'completed', chunks: 2 },
    { stage: 'failed', chunks: 1 },
  ])
  const { batchId } = batch
  await records.webhooks.create(batchId, { round: 1, standing: 'delivered', attempts: [] })
  const { status, body } = await api.delete(`/transcribe/batch/${batchId}`)
  t.is(status, 200)
  t.like(body, { deleted_batch_id: batchId, deleted_file_ids: [], jobs_cleaned: 5 })
  t.true(body.storage_objects_deleted > 0)

  for (const path of ['status', 'results', 'download'])
    t.is((await api.get(`/transcribe/${path}/batch/${batchId}`)).status, 404, path)
  t.is((await api.get('/transcribe/batches')).body.count, 0)
  for (const ref of refs) {
    t.is((await api.get(`/transcribe/results/file/${ref.fileId}`)).status, 404)
    t.is(await records.runs.read(runKey(ref)), undefined)
    t.is(await records.blobs.stat(transcriptKey(ref)), undefined)
    t.truthy(await records.files.read(ref.fileId), 'what was uploaded stays')
  }
  t.is((await records.members.readUnder(batchId)).size, 0)
  t.is(await records.webhooks.read(batchId), undefined)
  t.is(await records.batches.read(batchId), undefined)
})

test('with files=true its files go as well, with their results in other batches', async (t) => {
  const { api, owner } = await service.user(t)
  const records = await service.records()
  const { batch, refs } = await records.layOut(owner, [{ stage: 'completed' }])
  const [{ fileId }] = refs as [(typeof refs)[number]]
  const { body } = await api.delete(`/transcribe/batch/${batch.batchId}?files=true`)
  t.deepEqual(body.deleted_file_ids, [fileId])
  t.is(await records.files.read(fileId), undefined)
})

test('a batch that was deleted is not found the second time, nor by another user the first', async (t) => {
  const [one, other] = [await service.user(t), await service.user(t)]
  const { batch } = await (await service.records()).layOut(one.owner, [{ stage: 'completed' }])
  const path = `/transcribe/batch/${batch.batchId}`
  t.is((await other.api.delete(path)).status, 404)
  t.is((await one.api.delete(path)).status, 200)
  t.is((await one.api.delete(path)).status, 404)
})

test('a key under which a batch was submitted does not bring it back', async (t) => {
  const { api, fileIds } = await service.uploader(t, 'completed')
  const submission = { json: { file_ids: fileIds }, headers: { 'Idempotency-Key': 'once' } }
  const { body } = await api.post('/transcribe/batch', submission)
  t.is((await api.delete(`/transcribe/batch/${body.batch_id}`)).status, 200)
  t.is((await api.post('/transcribe/batch', submission)).status, 404)
  t.is((await api.get('/transcribe/batches')).body.count, 0)
})

test('a file of a deleted batch can be submitted again', async (t) => {
  const { api, fileIds } = await service.uploader(t, 'completed')
  const { body } = await api.post('/transcribe/batch', { json: { file_ids: fileIds } })
  await api.delete(`/transcribe/batch/${body.batch_id}`)
  t.is((await api.post('/transcribe/batch', { json: { file_ids: fileIds } })).status, 200)
})

test('an open batch gives its place in the queue and the quota back', async (t) => {
  const { api, owner, fileIds } = await service.uploader(t, 'completed')
  const { body } = await api.post('/transcribe/batch', { json: { file_ids: fileIds } })
  await api.delete(`/transcribe/batch/${body.batch_id}`)
  const { open, waiting } = await service.records()
  t.deepEqual([...(await open.readUnder(owner)).keys()], [])
  t.deepEqual(
    (await waiting.keys()).filter((key) => key.includes(body.batch_id)),
    [],
  )
})

test.serial('a batch that is deleted while it is under way leaves nothing, whatever its workers do', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const content = aScriptedRecording(scriptedSeconds(6))
  const parts = Array.from({ length: 4 }, (_, index) => ({ name: `${index}.wav`, content }))
  const batch = await pipeline.submit(parts)
  await eventually('it has begun', async () => (await batch.status()).status !== 'queued')
  t.is((await pipeline.api.delete(`/transcribe/batch/${batch.batchId}`)).status, 200)
  const another = await pipeline.submit([{ name: 'another.wav', content }])
  await another.finished()
  await eventually('nothing of it is left', async () => {
    const objects = await objectsIn(pipeline.dataDir)
    return objects.every((path) => !path.includes(batch.batchId))
  })
  t.is((await pipeline.api.get(`/transcribe/status/batch/${batch.batchId}`)).status, 404)
  for (const fileId of batch.fileIds) t.is((await pipeline.api.get(`/transcribe/results/file/${fileId}`)).status, 404)
})
