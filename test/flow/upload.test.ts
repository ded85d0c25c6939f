import test from 'ava'

import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { uploadForm } from '../support/api.ts'
import { aWav } from '../support/media.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

test('an upload is answered with 202 and one pending record a file', async (t) => {
  const { api } = await aGateway(t, nats)
  const form = uploadForm(
    { name: 'one.wav', content: aWav({ seconds: 1 }) },
    { name: 'two.wav', content: aWav({ seconds: 2 }) },
  )
  const { status, body, headers } = await api.post('/files/upload', { body: form })
  t.is(status, 202)
  t.is(body.status, 'accepted')
  t.is(body.total_files, 2)
  t.true(body.spool_seconds >= 0)
  t.is(headers.get('location'), `/files/upload/${body.batch_upload_id}`)
  t.like(body.files[0], { filename: 'one.wav', size_bytes: aWav({ seconds: 1 }).length, upload_status: 'pending' })
  t.is(body.files[0].estimated_duration_seconds, 1)
  t.is(body.files[1].estimated_duration_seconds, 2)
  t.is(body.files[0].gcs_key, undefined)
  t.is(body.rejected_files, undefined)
})

test('uploaded files become completed and then have a storage key', async (t) => {
  const { api } = await aGateway(t, nats)
  const { body } = await api.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: aWav({ seconds: 1 }) }),
  })
  const done = await eventually('the upload completes', async () => {
    const answer = await api.get(`/files/upload/${body.batch_upload_id}`)
    return answer.body.status === 'completed' && answer.body
  })
  t.like(done, { total_files: 1, completed: 1, failed: 0, uploading: 0, pending: 0 })
  t.regex(
    done.files[0].gcs_key,
    new RegExp(`^uploads/[A-Za-z0-9_-]{22}/${body.batch_upload_id}/${body.files[0].file_id}$`),
  )
})
