import test from 'ava'

import { oddTexts } from '../fuzz/odd-values.ts'
import { batchService } from '../support/batch-service.ts'

const service = batchService(test)

test('whatever is in a submission, subjects are made of ids and hashes only', async (t) => {
  const { api, fileIds, keyOf } = await service.uploader(t, 'completed')
  const tap = await service.shared.nats.connect('tap')
  const subjects = new Set<string>()
  tap.subscribe('>', { callback: (_, message) => void subjects.add(message.subject) })
  await tap.flush()
  const texts = [...oddTexts, '*', '>', '$KV.vaak_batches.>', 'vaak.>']
  for (const text of texts) {
    const key = keyOf(fileIds[0]!)
    for (const json of [
      { sources: [{ gcs_key: key, filename: text }], hotwords: [text.trim().slice(0, 60) || 'word'] },
      { sources: [{ url: `https://example.com/${encodeURIComponent(text.toWellFormed())}`, filename: text }] },
      { sources: [{ gcs_key: text }] },
      { file_ids: [text] },
      { batch_upload_id: text },
    ])
      await api.post('/transcribe/batch', { json })
    await api.get(`/transcribe/status/batch/${encodeURIComponent(text.toWellFormed())}`)
  }
  await tap.flush()
  const allowed =
    /^(?:\$KV\.vaak_\w+|\$JS\.API|\$JS\.ACK|\$JS\.EVENT|\$JS\.FC|_INBOX|vaak[\w-]*|asr[\w.]+|file_\w+|job_\w+)\.?[\w.$>*-]*$/
  const foreign = [...subjects].filter((subject) => !allowed.test(subject))
  t.deepEqual(foreign, [])
  const said = [...subjects].filter((subject) => /passwd|alert|INBOX\.x|STREAM\.DELETE|x{20}|नम/.test(subject))
  t.deepEqual(said, [], 'nothing that was sent is in a subject')
  const keys = [...subjects].filter((subject) => subject.startsWith('$KV.'))
  const isKey = /^\$KV\.vaak_\w+\.(?:[\w-]{22,43}|[0-9a-f-]{36})(?:\.(?:[0-9a-f-]{36}|\w+))*$/
  t.deepEqual(keys.filter((subject) => !isKey.test(subject)), []) // prettier-ignore
  t.true(keys.length > 20, 'the tap saw the traffic')
})
