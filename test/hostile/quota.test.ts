import test from 'ava'

import { uploadForm } from '../support/api.ts'
import { batchService } from '../support/batch-service.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const patienceMs = 60_000
const service = batchService(test, { QUOTA_FILES: '2' })

test('what is refused takes nothing of the quota', async (t) => {
  const { api, fileIds } = await service.uploader(t, 'completed', 'completed')
  for (let times = 0; times < 5; times += 1) {
    const { status } = await api.post('/transcribe/batch', { json: { file_ids: [...fileIds, 'x'] } })
    t.is(status, 404)
  }
  t.is((await api.post('/transcribe/batch', { json: { file_ids: fileIds } })).status, 200)
})

test('what is deleted while it is being heard is given back to the quota', async (t) => {
  // a server of its own: here the broker waits for less long for those who have something in hand
  const { api, addWorker, submit } = await aPipeline(t, await aNatsServer(t), { QUOTA_FILES: '1' })
  await addWorker()
  const endless = aScriptedRecording([{ audio: 1, commands: [{ stage: 'transcribe', act: 'hang' }] }])
  const batch = await submit([{ name: 'endless.wav', content: endless }])
  await eventually('it is being heard', async () => (await batch.status()).status === 'processing', patienceMs)
  const next = { name: 'next.wav', content: aScriptedRecording(scriptedSeconds(1)) }
  const { body } = await api.post('/files/upload', { body: uploadForm(next) })
  const again = () => api.post('/transcribe/batch', { json: { batch_upload_id: body.batch_upload_id } })
  const refused = await eventually('it is refused for the quota', async () => {
    const answer = await again()
    return answer.status === 429 && answer
  })
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
  t.is((await api.delete('/files', { json: { file_ids: batch.fileIds } })).status, 200)
  t.truthy(await eventually('there is room again', async () => (await again()).status === 200, patienceMs))
})
