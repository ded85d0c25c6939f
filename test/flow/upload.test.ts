import { readFile } from 'node:fs/promises'
import { request } from 'node:http'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { uploadForm } from '../support/api.ts'
import type { ApiAnswer, UploadPart } from '../support/api.ts'
import { aGateway } from '../support/gateway.ts'
import { aWav } from '../support/media.ts'
import { aMultipart, multipartBoundary, multipartType } from '../support/multipart.ts'
import { head, rawConnection } from '../support/raw-http.ts'
import { sharedService } from '../support/service.ts'
import { spoolContent } from '../support/spool-content.ts'

const service = sharedService(test)
const wav = aWav({ seconds: 0.1 })
const aText: UploadPart = { name: 'notes.wav', content: Buffer.from('minutes of the meeting'), type: 'audio/wav' }
const mebibyte = 1024 * 1024

test('an upload is answered with 202 and one pending record a file', async (t) => {
  const { api } = await service.user(t)
  const form = uploadForm(
    { name: 'one.wav', content: aWav({ seconds: 1 }) },
    { name: 'two.wav', content: aWav({ seconds: 2 }) },
  )
  const { status, body, headers } = await api.post('/files/upload', { body: form })
  t.is(status, 202)
  const [one, two] = body.files
  t.deepEqual(body, {
    batch_upload_id: body.batch_upload_id,
    status: 'accepted',
    total_files: 2,
    spool_seconds: body.spool_seconds,
    files: [
      {
        file_id: one.file_id,
        filename: 'one.wav',
        size_bytes: 32_044,
        estimated_duration_seconds: 1,
        upload_status: 'pending',
      },
      {
        file_id: two.file_id,
        filename: 'two.wav',
        size_bytes: 64_044,
        estimated_duration_seconds: 2,
        upload_status: 'pending',
      },
    ],
  })
  t.true(body.spool_seconds >= 0 && body.spool_seconds < 60)
  t.is(headers.get('location'), `/files/upload/${body.batch_upload_id}`)
})

test('ids are UUIDs of version 7, and no two are the same', async (t) => {
  const { api } = await service.user(t)
  const { body } = await api.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: wav }, { name: 'one.wav', content: wav }),
  })
  const ids: string[] = [body.batch_upload_id, ...body.files.map((file: { file_id: string }) => file.file_id)]
  for (const id of ids) t.regex(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.is(new Set(ids).size, 3)
})

test('a file that is not audio is refused by name while its neighbours are accepted', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: wav }, aText, { name: 'two.wav', content: wav }),
  })
  t.is(status, 202)
  t.is(body.total_files, 2)
  t.deepEqual(
    body.files.map((file: { filename: string }) => file.filename),
    ['one.wav', 'two.wav'],
  )
  t.is(body.rejected_files.length, 1)
  t.like(body.rejected_files[0], { filename: 'notes.wav', size_bytes: 22 })
  t.regex(body.rejected_files[0].reason, /text/)
  t.is((await api.get('/files')).body.total_files, 2)
})

test('an upload of which no file is audio is 400 with the reason for each file', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.post('/files/upload', {
    body: uploadForm(aText, { name: 'nothing.wav', content: new Uint8Array() }),
  })
  t.is(status, 400)
  t.regex(body.detail.message, /nothing was kept/)
  t.deepEqual(
    body.detail.rejected_files.map((file: { filename: string }) => file.filename),
    ['notes.wav', 'nothing.wav'],
  )
  t.is((await api.get('/files')).body.total_files, 0)
})

test('an empty file is refused and the reason says that it is empty', async (t) => {
  const { api } = await service.user(t)
  const { body } = await api.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: wav }, { name: 'nothing.wav', content: new Uint8Array() }),
  })
  t.like(body.rejected_files[0], { filename: 'nothing.wav', size_bytes: 0 })
  t.regex(body.rejected_files[0].reason, /empty/i)
})

test('the content type comes from the content, not from the name or the client’s word', async (t) => {
  const { api } = await service.user(t)
  const flac = await readFile(new URL('../../../test/fixtures/media/speech.flac', import.meta.url))
  await api.post('/files/upload', {
    body: uploadForm(
      { name: 'a.mp3', content: flac, type: 'audio/mpeg' },
      { name: 'b.txt', content: wav, type: 'text/html' },
    ),
  })
  const { body } = await api.get('/files')
  t.deepEqual(
    body.files.map((file: { filename: string; content_type: string }) => [file.filename, file.content_type]),
    [
      ['b.txt', 'audio/wav'],
      ['a.mp3', 'audio/flac'],
    ],
  )
})

test('the duration comes from the header, whatever the size of the file', async (t) => {
  const { api } = await service.user(t)
  const content = aWav({ seconds: 0.5, hz: 48_000, channels: 2 })
  const { body } = await api.post('/files/upload', { body: uploadForm({ name: 'stereo.wav', content }) })
  t.is(body.files[0].estimated_duration_seconds, 0.5)
  t.is(body.files[0].size_bytes, content.length)
})

/** Every refusal keeps nothing: no record, no byte in the spool. */
async function sendRaw(
  t: ExecutionContext,
  input: { type?: string; body: Uint8Array },
): Promise<ApiAnswer & { listed: number }> {
  const { api } = await service.user(t)
  const answer = await api.post('/files/upload', {
    body: input.body,
    headers: input.type === undefined ? {} : { 'Content-Type': input.type },
  })
  return { ...answer, listed: (await api.get('/files')).body.total_files }
}

const refusal = test.macro(async (t, sent: { type?: string; body: Uint8Array }, detail: RegExp) => {
  const { status, body, listed } = await sendRaw(t, sent)
  t.is(status, 400)
  t.regex(body.detail, detail)
  t.is(listed, 0)
})

const named = (name: string) => ({ disposition: `form-data; name="${name}"; filename="one.wav"`, content: wav })
const ofType = (body: Uint8Array, type = multipartType) => ({ type, body })

test('an upload without files is refused', refusal, ofType(aMultipart()), /has no files.*`files`/)
test('an empty body is refused', refusal, ofType(new Uint8Array()), /cannot be read/)
test('a part with another name is refused by that name', refusal, ofType(aMultipart(named('file'))), /"file".*`files`/)
test(
  'a good file beside a part with another name is not kept',
  refusal,
  ofType(aMultipart(named('files'), named('extra'))),
  /"extra"/,
)
test(
  'a part without a file name is refused',
  refusal,
  ofType(aMultipart({ disposition: 'form-data; name="files"', content: wav })),
  /no filename/,
)
test('a body that is JSON is refused', refusal, ofType(Buffer.from('{}'), 'application/json'), /multipart\/form-data/)
test(
  'a body that is an HTML form of text is refused',
  refusal,
  ofType(Buffer.from('files=one'), 'application/x-www-form-urlencoded'),
  /multipart\/form-data/,
)
test('a body without a content type is refused', refusal, { body: wav }, /multipart\/form-data/)
test('multipart without a boundary is refused', refusal, ofType(aMultipart(), 'multipart/form-data'), /boundary/)
test(
  'multipart with another boundary than announced is refused',
  refusal,
  ofType(aMultipart(named('files')), 'multipart/form-data; boundary=other'),
  /cannot be read/,
)
test(
  'a body that ends before its last boundary is refused',
  refusal,
  ofType(aMultipart(named('files')).subarray(0, -20)),
  /cannot be read/,
)

test('an unknown query parameter is ignored', async (t) => {
  const { api } = await service.user(t)
  const { status } = await api.post('/files/upload?language=hi', {
    body: uploadForm({ name: 'one.wav', content: wav }),
  })
  t.is(status, 202)
})

test('as many files as the limit are accepted, and one more is refused with the limit', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_MAX_FILES: '3' } })
  const api = await gateway.apiOf('many')
  const parts = ['1.wav', '2.wav', '3.wav', '4.wav'].map((name) => ({ name, content: wav }))
  t.is((await api.post('/files/upload', { body: uploadForm(...parts.slice(0, 3)) })).body.total_files, 3)
  const { status, body } = await api.post('/files/upload', { body: uploadForm(...parts) })
  t.is(status, 400)
  t.regex(body.detail, /more than 3 files.*several requests/)
  t.is((await api.get('/files')).body.total_files, 3)
})

test('a file over the limit is refused by name, and its neighbours are accepted', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_MAX_FILE_BYTES: String(2 * mebibyte) } })
  const api = await gateway.apiOf('large')
  const { status, body } = await api.post('/files/upload', {
    body: uploadForm(
      { name: 'good.wav', content: wav },
      { name: 'large.wav', content: aWav({ seconds: (3 * mebibyte) / 32_000 }) },
      { name: 'last.wav', content: wav },
    ),
  })
  t.is(status, 202)
  t.deepEqual(namesOf(body), ['good.wav', 'last.wav'])
  t.is(body.rejected_files.length, 1)
  t.is(body.rejected_files[0].filename, 'large.wav')
  t.regex(body.rejected_files[0].reason, /larger than the limit of 2 MiB \(2097152 bytes\) a file/)
  t.is((await api.get('/files')).body.total_files, 2)
})

test('when every file is over the limit it is 413 with the limit, and nothing is left in the spool', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_MAX_FILE_BYTES: '1000' } })
  const api = await gateway.apiOf('only large')
  const { status, body } = await api.post('/files/upload', { body: uploadForm({ name: 'large.wav', content: wav }) })
  t.is(status, 413)
  t.regex(body.detail.message, /1000 bytes a file/)
  t.is(body.detail.rejected_files[0].filename, 'large.wav')
  t.deepEqual(await spoolContent(gateway.spoolFolder), [])
  t.is((await api.get('/files')).body.total_files, 0)
})

function namesOf(body: { files: { filename: string }[] }): string[] {
  return body.files.map(({ filename }) => filename)
}

test('a file of exactly the limit is accepted', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_MAX_FILE_BYTES: String(wav.length) } })
  const api = await gateway.apiOf('exact')
  const { status } = await api.post('/files/upload', { body: uploadForm({ name: 'exact.wav', content: wav }) })
  t.is(status, 202)
})

const smallRequests = {
  environment: { UPLOAD_MAX_FILE_BYTES: String(mebibyte), UPLOAD_MAX_REQUEST_BYTES: String(mebibyte) },
}

test('a body that announces more than the limit is refused before it is sent', async (t) => {
  const gateway = await aGateway(t, service.nats, smallRequests)
  const connection = await rawConnection(t, gateway.url)
  await connection.send(
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${await gateway.tokenOf('announcer')}`,
      `Content-Type: ${multipartType}`,
      `Content-Length: ${3 * 1024 ** 3}`,
      'Expect: 100-continue',
    ),
  )
  const { status, body } = await connection.answer()
  t.is(status, 413)
  t.regex(JSON.parse(body).detail, /1 MiB \(1048576 bytes\) a request/)
  t.deepEqual(await spoolContent(gateway.spoolFolder), [])
})

test('a chunked body over the limit is 413 while it is being sent', async (t) => {
  const gateway = await aGateway(t, service.nats, smallRequests)
  const token = await gateway.tokenOf('streamer')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': multipartType,
      'Transfer-Encoding': 'chunked',
    }
    const sending = request(`${gateway.url}/files/upload`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sending.on('error', reject)
    const more = aMultipart(...Array.from({ length: 20 }, () => ({ content: aWav({ seconds: 2 }) })))
    sending.write(more) // and never the end of it
    t.teardown(() => sending.destroy())
  })
  t.is(status, 413)
  t.deepEqual(await spoolContent(gateway.spoolFolder), [])
})

test('a client that asks before it sends is told to go on', async (t) => {
  const { token } = await service.user(t)
  const connection = await rawConnection(t, service.url)
  const body = aMultipart({ content: wav })
  await connection.send(
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${token}`,
      `Content-Type: multipart/form-data; boundary="${multipartBoundary}"`,
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ),
  )
  t.is((await connection.answer()).status, 100)
  await connection.send(body)
  t.is((await connection.answer()).status, 202)
})

test('more uploads at once than the limit are asked to come back', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_MAX_CONCURRENT: '1' } })
  const api = await gateway.apiOf('crowd')
  const first = await rawConnection(t, gateway.url)
  const body = aMultipart({ content: wav })
  await first.send(
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${await gateway.tokenOf('crowd')}`,
      `Content-Type: ${multipartType}`,
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ),
  )
  await first.answer() // it is being received
  const second = await api.post('/files/upload', { body: uploadForm({ name: 'two.wav', content: wav }) })
  t.is(second.status, 503)
  t.regex(second.body.detail, /1 uploads, which is its limit/)
  t.truthy(second.headers.get('retry-after'))
  await first.send(body)
  t.is((await first.answer()).status, 202)
  const third = await api.post('/files/upload', { body: uploadForm({ name: 'three.wav', content: wav }) })
  t.is(third.status, 202)
})

test('the largest upload that can be configured is recorded, whatever its names and its refusals', async (t) => {
  const maxFiles = 500
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_MAX_FILES: String(maxFiles) } })
  const api = await gateway.apiOf('longest')
  const disposition = `form-data; name="files"; filename="${'\\"'.repeat(251)}.wav"`
  const refused = Array.from({ length: maxFiles - 1 }, () => ({ disposition, content: 'minutes of the meeting' }))
  const { status, body } = await api.post('/files/upload', {
    body: aMultipart({ content: wav }, ...refused),
    headers: { 'Content-Type': multipartType, 'Idempotency-Key': 'key' },
  })
  t.is(status, 202)
  t.is(body.rejected_files.length, maxFiles - 1)
})
