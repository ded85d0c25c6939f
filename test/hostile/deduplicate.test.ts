import test from 'ava'

import { uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { recordingsIn } from '../support/on-disk.ts'
import { aNoisyWav } from '../support/resumable.ts'
import { sharedService } from '../support/service.ts'

/** Whether somebody else has a recording is not to be found out by sending it. */

const service = sharedService(test)
const content = aNoisyWav(60, 1)

async function stored(api: Api) {
  const { body } = await api.post('/files/upload', { body: uploadForm({ name: 'secret.wav', content }) })
  return eventually('it is stored', async () => {
    const status = await api.get(`/files/upload/${body.batch_upload_id}`)
    return status.body.status === 'completed' && { accepted: body.files[0], file: status.body.files[0] }
  })
}

test("another user's bytes are stored again, and every answer is as if they had never been seen", async (t) => {
  const [asha, mallory, ravi] = [await service.user(t), await service.user(t), await service.user(t)]
  const before = await stored(ravi.api)
  const theirs = await stored(asha.api)
  const guessed = await stored(mallory.api)
  for (const { accepted, file } of [before, theirs, guessed]) {
    t.false('deduplicated' in accepted)
    t.false('deduplicated' in file)
  }
  t.deepEqual(Object.keys(guessed.accepted), Object.keys(before.accepted))
  const recordings = await recordingsIn(service.dataDir)
  for (const { owner } of [asha, mallory, ravi])
    t.is(recordings.filter((path) => path.includes(`/${owner}/`)).length, 1)
  t.true(guessed.file.gcs_key.includes(mallory.owner))

  t.is((await asha.api.delete('/files', { json: { file_ids: [theirs.file.file_id] } })).body.storage_objects_deleted, 1)
  t.is((await mallory.api.get(`/files/${guessed.file.file_id}/audio`)).status, 200)
  t.is((await mallory.api.get(`/files/${theirs.file.file_id}/audio`)).status, 404)
})

test("the storage key of another user's file is of no use to who has the same bytes", async (t) => {
  const [asha, mallory] = [await service.user(t), await service.user(t)]
  const theirs = await stored(asha.api)
  await stored(mallory.api)
  const { status } = await mallory.api.post('/transcribe/batch', {
    json: { sources: [{ gcs_key: theirs.file.gcs_key }] },
  })
  t.is(status, 404)
})
