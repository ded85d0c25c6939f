import test from 'ava'

import { runKey, transcriptKey } from '../../actors/ids.ts'
import { aBatchId, aFile, aFileId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'
import { aResult } from '../support/file-stages.ts'

const service = batchService(test)
const notFound = { error: 'file not found', detail: 'file not found' }

test('the result of a file is as it is in its batch', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch, refs } = await (await service.records()).layOut(owner, [{ stage: 'partial', text: 'नमस्ते' }])
  const query = '?chunks=true&speech_information=true'
  const file = await api.get(`/transcribe/results/file/${refs[0]?.fileId}${query}`)
  t.is(file.status, 200)
  t.like(file.body, { status: 'partial', filename: 'file-0.wav', result: { text: 'नमस्ते' } })
  const { body } = await api.get(`/transcribe/results/batch/${batch.batchId}${query}`)
  t.deepEqual(file.body, body.files[0])
})

test('of a file that was transcribed twice the newest is shown', async (t) => {
  const { api, owner } = await service.user(t)
  const records = await service.records()
  const { refs } = await records.layOut(owner, [{ stage: 'completed', text: 'the older' }])
  const old = (await records.runs.read(runKey(refs[0]!)))!.value
  for (const [text, laterMs] of [
    ['the newest', 2000],
    ['in between', 1000],
  ] as const) {
    const ref = { ...refs[0]!, batchId: aBatchId() }
    await records.runs.create(runKey(ref), { ...old, ...ref, acceptedAtMs: old.acceptedAtMs + laterMs })
    const transcript = { result: aResult(text), chunks: [] }
    await records.blobs.put(transcriptKey(ref), { bytes: Buffer.from(JSON.stringify(transcript)) })
  }
  const { body } = await api.get(`/transcribe/results/file/${refs[0]!.fileId}`)
  t.is(body.result.text, 'the newest')
})

test('a file that waits in an open batch is queued, wherever in the batch it is', async (t) => {
  const { api, owner } = await service.user(t)
  const files = Array.from({ length: 230 }, (_, at) => ({
    stage: 'queued' as const,
    filename: String(at),
    ...(at % 2 && { url: 'https://example.org' }),
  }))
  const { refs } = await (await service.records()).layOut(owner, files)
  for (const at of [0, 1, 99, 100, 229]) {
    const { status, body } = await api.get(`/transcribe/results/file/${refs[at]!.fileId}`)
    t.is(status, 200)
    t.deepEqual(body, { file_id: refs[at]!.fileId, filename: String(at), status: 'queued' })
  }
})

test('a file that was deleted is not found, whoever knows of it so far', async (t) => {
  const { api, owner } = await service.user(t)
  const stages = ['purged', 'deleted', 'doomed', 'forgotten', 'queued'] as const
  const { refs } = await (
    await service.records()
  ).layOut(
    owner,
    stages.map((stage) => ({ stage })),
  )
  for (const { fileId } of refs.slice(0, 4)) {
    const { status, body } = await api.get(`/transcribe/results/file/${fileId}`)
    t.is(status, 404)
    t.deepEqual(body, notFound)
  }
})

test('a file that was never submitted, or does not exist, is not found', async (t) => {
  const { api, owner } = await service.user(t)
  const uploaded = aFile('completed', { owner })
  await (await service.records()).files.create(uploaded.fileId, uploaded)
  for (const fileId of [uploaded.fileId, aFileId()]) {
    const { status, body } = await api.get(`/transcribe/results/file/${fileId}`)
    t.is(status, 404)
    t.deepEqual(body, notFound)
  }
})
