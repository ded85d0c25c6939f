import test from 'ava'

import { batchService } from '../support/batch-service.ts'

const service = batchService(test)
const path = '/transcribe/evaluate'

test('a transcript is measured against what was said', async (t) => {
  const { api, owner } = await service.user(t)
  const { refs } = await (
    await service.records()
  ).layOut(owner, [{ stage: 'completed', text: 'मेरा project' }, { stage: 'running' }])
  const [done, running] = refs.map(({ fileId }) => fileId)
  const { status, body } = await api.post(path, { json: { reference: 'मेरा प्रोजेक्ट', file_id: done } })
  t.is(status, 200)
  t.like(body, { words: 2, word_error_rate: 0.5, either_script: { word_error_rate: 0 } })
  t.is((await api.post(path, { json: { reference: 'x', file_id: running } })).status, 409)
  const other = await service.user(t)
  t.is((await other.api.post(path, { json: { reference: 'x', file_id: done } })).status, 404)
})

test('a text is measured too, and what is too long is refused with the limit', async (t) => {
  const { api } = await service.user(t)
  const same = await api.post(path, { json: { reference: 'One, two.', hypothesis: 'one two' } })
  t.like(same.body, { word_error_rate: 0, character_error_rate: 0 })
  const long = await api.post(path, { json: { reference: 'x'.repeat(50_001), hypothesis: '' } })
  t.is(long.status, 400)
  t.regex(long.body.detail, /more than 50000 characters/)
  t.is((await api.post(path, { json: { reference: 'x' } })).status, 400)
})
