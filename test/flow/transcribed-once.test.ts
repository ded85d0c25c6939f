import test from 'ava'

import { aNatsServer } from '../support/nats.ts'
import { objectsIn } from '../support/on-disk.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** The same bytes by the same user are transcribed once in the same way. */

const content = aScriptedRecording(scriptedSeconds(3))
const texts = textsOf(content).join(' ')

test('the second file has the words of the first, says from where, and keeps them when the first is deleted', async (t) => {
  const pipeline = await aPipeline(t, await aNatsServer(t))
  await pipeline.addWorker()
  const { api } = pipeline
  const resultOf = async (fileId = '', query = '') => (await api.get(`/transcribe/results/file/${fileId}${query}`)).body
  const first = await pipeline.submit([{ name: 'one.wav', content }], { language: 'en', deduplicate: true })
  await first.finished()
  t.false('taken_over_from' in (await resultOf(first.fileIds[0])))

  const second = await pipeline.submit([{ name: 'two.wav', content }], { language: 'en', deduplicate: true })
  await second.finished()
  const from = { file_id: first.fileIds[0], batch_id: first.batchId }
  const taken = await resultOf(second.fileIds[0], '?receipt=true')
  t.like(taken, { status: 'completed', taken_over_from: from })
  t.is(taken.result.text, texts)
  // when it was transcribed is when the first was
  const { receipt: before } = await resultOf(first.fileIds[0], '?receipt=true')
  t.deepEqual(taken.receipt?.content.chunks, before?.content.chunks)

  for (const options of [
    { language: 'en', deduplicate: false },
    { language: 'hi', deduplicate: true },
  ]) {
    const anew = await pipeline.submit([{ name: 'three.wav', content }], options)
    await anew.finished()
    t.false('taken_over_from' in (await resultOf(anew.fileIds[0])))
  }

  await api.delete('/files', { json: { file_ids: [first.fileIds[0]] } })
  t.is((await resultOf(second.fileIds[0])).result.text, texts)
  const left = await objectsIn(pipeline.dataDir)
  t.false(left.some((path) => path.includes(`/transcripts/`) && path.includes(first.fileIds[0] ?? '')))
})

test('where nothing of the first is left, the second is transcribed', async (t) => {
  const pipeline = await aPipeline(t, await aNatsServer(t))
  await pipeline.addWorker()
  const first = await pipeline.submit([{ name: 'one.wav', content }], { deduplicate: true })
  await first.finished()
  await pipeline.api.delete(`/transcribe/batch/${first.batchId}`)
  const second = await pipeline.submit([{ name: 'two.wav', content }], { deduplicate: true })
  await second.finished()
  const { body } = await pipeline.api.get(`/transcribe/results/file/${second.fileIds[0]}`)
  t.false('taken_over_from' in body)
  t.is(body.result.text, texts)
})
