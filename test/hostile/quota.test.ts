import test from 'ava'

import { batchService } from '../support/batch-service.ts'

const service = batchService(test, { QUOTA_FILES: '2' })

test('what is refused takes nothing of the quota', async (t) => {
  const { api, fileIds } = await service.uploader(t, 'completed', 'completed')
  for (let times = 0; times < 5; times += 1) {
    const { status } = await api.post('/transcribe/batch', { json: { file_ids: [...fileIds, 'x'] } })
    t.is(status, 400)
  }
  t.is((await api.post('/transcribe/batch', { json: { file_ids: fileIds } })).status, 200)
})
