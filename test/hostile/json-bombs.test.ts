import test from 'ava'

import { sharedService } from '../support/service.ts'

const service = sharedService(test)
const megabyte = 1024 * 1024

const longText = 'a text of fifteen million characters'

/** As large as a submission may be. */
const bombs: Readonly<Record<string, string>> = {
  'eight million open brackets': '['.repeat(8 * megabyte),
  'seven million levels in the list of files': `{"file_ids":${'['.repeat(7 * megabyte)}${']'.repeat(7 * megabyte)}}`,
  'a million fields': `{${Array.from({ length: megabyte }, (_, n) => `"${n}":1`).join()}}`,
  'a million ids that are none': `{"file_ids":[${'"x",'.repeat(3 * megabyte)}"x"]}`,
  'a million empty sources': `{"sources":[${'{},'.repeat(3 * megabyte)}{}]}`,
  'a number of fifteen million digits': `{"batch_upload_id":${'9'.repeat(15 * megabyte)}}`,
  [longText]: `{"batch_upload_id":"${'\\u0000'.repeat(2 * megabyte)}"}`,
}

for (const [what, body] of Object.entries(bombs))
  test.serial(`a submission of ${what} is refused in a short answer, and others are served`, async (t) => {
    const { api } = await service.user(t)
    const answer = await api.post('/transcribe/batch', { body, headers: { 'Content-Type': 'application/json' } })
    // what is no id is as good as one that nobody has
    t.is(answer.status, what === longText ? 404 : 400)
    t.true(JSON.stringify(answer.body).length < 2_000)
    t.is((await api.get('/files')).status, 200)
  })

test.serial('a submission above its limit is 413', async (t) => {
  const { api } = await service.user(t)
  const body = `{"batch_upload_id":"${'x'.repeat(17 * megabyte)}"}`
  const answer = await api.post('/transcribe/batch', { body, headers: { 'Content-Type': 'application/json' } })
  t.is(answer.status, 413)
})
