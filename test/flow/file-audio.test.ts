import test from 'ava'

import { uploadForm } from '../support/api.ts'
import { aFile } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aWav } from '../support/media.ts'
import { sharedService } from '../support/service.ts'
import type { TestUser } from '../support/service.ts'

const service = sharedService(test)

/** The address of a recording that is stored. */
async function stored({ api }: TestUser, name: string, content: Uint8Array): Promise<string> {
  const { body } = await api.post('/files/upload', { body: uploadForm({ name, content }) })
  await eventually(
    'the file is stored',
    async () => (await api.get(`/files/upload/${body.batch_upload_id}`)).body.status === 'completed',
  )
  return `/files/${body.files[0].file_id}/audio`
}

test('its owner gets a recording back byte for byte, whole and in parts', async (t) => {
  const user = await service.user(t)
  const content = aWav({ seconds: 2 })
  const path = await stored(user, 'कॉल.wav', content)
  t.is((await user.api.get(path)).status, 200)

  const get = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(service.url + path, { headers: { Authorization: `Bearer ${user.token}`, ...headers } })
  const whole = await get()
  t.deepEqual(Buffer.from(await whole.arrayBuffer()), Buffer.from(content))
  t.is(whole.headers.get('content-type'), 'audio/wav')
  t.is(whole.headers.get('content-length'), String(content.length))
  t.is(whole.headers.get('accept-ranges'), 'bytes')
  t.regex(whole.headers.get('content-disposition') ?? '', /^attachment; filename="___\.wav"/)

  const part = await get({ Range: 'bytes=10-19' })
  t.is(part.status, 206)
  t.is(part.headers.get('content-range'), `bytes 10-19/${content.length}`)
  t.deepEqual(Buffer.from(await part.arrayBuffer()), Buffer.from(content).subarray(10, 20))

  const behind = await get({ Range: `bytes=${content.length}-` })
  t.is(behind.status, 416)
  t.is(behind.headers.get('content-range'), `bytes */${content.length}`)
  t.regex(((await behind.json()) as { detail: string }).detail, /behind the end/)

  const etag = whole.headers.get('etag') ?? ''
  t.is((await get({ Range: 'bytes=0-1', 'If-Range': etag })).status, 206)
  t.is((await get({ Range: 'bytes=0-1', 'If-Range': '"another"' })).status, 200)
})

test('nobody else hears a recording, nor learns that there is one', async (t) => {
  const path = await stored(await service.user(t), 'private.wav', aWav({ seconds: 1 }))
  const { api } = await service.user(t)
  t.like(await api.get(path), { status: 404, body: { detail: 'file not found' } })
  t.is((await api.as(undefined).get(path)).status, 401)
})

test('a recording that was deleted is not heard any more', async (t) => {
  const user = await service.user(t)
  const path = await stored(user, 'gone.wav', aWav({ seconds: 1 }))
  await user.api.delete('/files', { json: { file_ids: [path.split('/')[2]] } })
  t.is((await user.api.get(path)).status, 404)
})

test('a recording that is not stored yet says so', async (t) => {
  const { api, owner } = await service.user(t)
  const records = await service.stored()
  const pending = aFile('pending', { owner })
  const failed = aFile('failed', { owner })
  await records.add([pending, failed])
  t.regex((await api.get(`/files/${pending.fileId}/audio`)).body.detail, /on its way to storage/)
  const { status, body } = await api.get(`/files/${failed.fileId}/audio`)
  t.is(status, 409)
  t.regex(body.detail, /could not be stored: storage stayed away/)
})
