import test from 'ava'

import { uploadForm } from '../../support/api.ts'
import type { Api } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { aGateway } from '../../support/gateway.ts'
import { aWav } from '../../support/media.ts'
import { sharedService } from '../../support/service.ts'

const service = sharedService(test)
const wav = aWav({ seconds: 1 })

const upload = (api: Api) => api.post('/files/upload', { body: uploadForm({ name: 'one.wav', content: wav }) })

async function uploaded(api: Api): Promise<string> {
  const { status, body } = await upload(api)
  if (status !== 202) throw new Error(JSON.stringify(body))
  await eventually('it is stored', async () => {
    const { body: now } = await api.get(`/files/upload/${body.batch_upload_id}`)
    return now.status === 'completed'
  })
  return body.files[0].file_id
}

test('who has stored as many files as a user may is told so, until one is deleted; others store theirs', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { QUOTA_STORED_FILES: '2' } })
  const [full, other] = [await gateway.apiOf('full of files'), await gateway.apiOf('another of files')]
  const first = await uploaded(full)
  await uploaded(full)
  const refused = await upload(full)
  t.is(refused.status, 429)
  t.regex(refused.body.detail, /would have stored 3 files; your quota is 2 files/)
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
  t.is((await upload(other)).status, 202)
  t.is((await full.delete('/files', { json: { file_ids: [first] } })).status, 200)
  t.truthy(await eventually('there is room again', async () => (await upload(full)).status === 202))
})

test('stored bytes have a limit of their own, on all gateways together', async (t) => {
  const environment = { QUOTA_STORED_BYTES: String(2 * wav.length + 100) }
  const [one, two] = [
    await aGateway(t, service.nats, { environment }),
    await aGateway(t, service.nats, { environment }),
  ]
  await uploaded(await one.apiOf('full of bytes'))
  await uploaded(await two.apiOf('full of bytes'))
  const refused = await upload(await one.apiOf('full of bytes'))
  t.is(refused.status, 429)
  t.regex(refused.body.detail, /would have stored \d+ bytes; your quota is \d+ bytes/)
  t.is((await upload(await two.apiOf('another of bytes'))).status, 202)
})

test('a day’s sound has a limit on all gateways together, and a refusal says until when', async (t) => {
  const environment = { QUOTA_DAY_AUDIO_SECONDS: '130', QUOTA_AUDIO_SECONDS: '1000' }
  const [one, two] = [
    await aGateway(t, service.nats, { environment }),
    await aGateway(t, service.nats, { environment }),
  ]
  // nobody has seen what is behind a URL: a minute each
  const submit = async (gateway: typeof one, user: string, name: string) =>
    (await gateway.apiOf(user)).post('/transcribe/batch', {
      json: { sources: [{ url: `https://example.org/${name}` }] },
    })
  t.is((await submit(one, 'busy', 'a')).status, 200)
  t.is((await submit(two, 'busy', 'b')).status, 200)
  const refused = await submit(one, 'busy', 'c')
  t.is(refused.status, 429)
  t.regex(refused.body.detail, /180 seconds of sound transcribed today .* your quota is 130 seconds a day/)
  t.true(Number(refused.headers.get('retry-after')) <= 24 * 60 * 60)
  t.is((await submit(two, 'another', 'd')).status, 200)
})

test('a batch that no day has room for is refused without a time to come back at, with the settings that we ship', async (t) => {
  const { api } = await service.user(t)
  const sources = Array.from({ length: 1_001 }, (_, at) => ({ url: `https://example.org/${at}`, start: 0, end: 3_600 }))
  const { status, headers, body } = await api.post('/transcribe/batch', { json: { sources } })
  t.is(status, 429)
  t.regex(body.detail, /^This alone has 3603600 seconds of sound, and your quota is 3600000 seconds a day/)
  t.is(headers.get('retry-after'), null)
  t.like((await api.get('/usage')).body, { today: { audio_seconds: 0 }, days: [] })
})
