import test from 'ava'

import { uploadForm } from '../support/api.ts'
import type { ApiAnswer } from '../support/api.ts'
import { aFileId, anUploadId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { aWav } from '../support/media.ts'
import { aNatsServer } from '../support/nats.ts'
import { spoolContent } from '../support/spool-content.ts'

test('while the broker is away every endpoint is 503 with Retry-After, and works again when it is back', async (t) => {
  const nats = await aNatsServer(t)
  const gateway = await aGateway(t, nats)
  const { api } = gateway
  const upload = (): Promise<ApiAnswer> =>
    api.post('/files/upload', { body: uploadForm({ name: 'a.wav', content: aWav({ seconds: 0.1 }) }) })
  await nats.kill9()

  const [ready, ...answers] = await Promise.all([
    api.get('/readyz'),
    upload(),
    api.get('/files'),
    api.get(`/files/upload/${anUploadId()}`),
    api.delete('/files', { json: { file_ids: [aFileId()] } }),
  ])
  for (const { status, headers, body } of answers) {
    t.is(status, 503)
    t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    t.regex(body.detail, /broker does not answer.*try again/)
  }
  t.is(ready.status, 503)
  t.is(ready.body.status, 'not ready')
  t.is(ready.body.dependencies.storage, 'ok')
  t.not(ready.body.dependencies.broker, 'ok')
  t.is((await api.get('/healthz')).status, 200)

  await nats.restart()
  await eventually('the gateway is ready', async () => (await api.get('/readyz')).status === 200)
  t.is((await upload()).status, 202)
  await eventually(
    'the refused upload is forgotten',
    async () => (await spoolContent(gateway.spoolFolder)).length === 0,
  )
  t.is((await api.get('/files')).body.total_files, 1)
})
