import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Api, ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { rawConnection } from '../support/raw-http.ts'
import { aNoisyWav, announcing, beginByHand, headOf, pieceAt, sendAndHang } from '../support/resumable.ts'
import { ownerOf, sharedService } from '../support/service.ts'

/** Resumable uploads by people who mean no good, or whose programs are wrong. */

const maxOpen = 3
const maxFileBytes = 1_000_000
const service = sharedService(test, {
  UPLOAD_MAX_FILE_BYTES: String(maxFileBytes),
  UPLOAD_RESUMABLE_MAX: String(maxOpen),
  UPLOAD_MIN_BYTES_PER_SECOND: '0',
})
const content = aNoisyWav(1, 1)

async function begun(t: ExecutionContext) {
  const user = await service.user(t)
  return { ...user, address: await beginByHand(user.api, content.length) }
}

function begin(api: Api, headers: Record<string, string>): Promise<ApiAnswer> {
  return api.post('/files/resumable', { headers: { 'Tus-Resumable': '1.0.0', ...headers } })
}

test("another user's upload is not there, whatever is asked of it, and stays as it is", async (t) => {
  const { api, token, address } = await begun(t)
  const stranger = await service.user(t)
  await api.patch(address, { headers: pieceAt(0), body: content.subarray(0, 100) })
  t.is((await stranger.api.get(address)).status, 404)
  t.is((await headOf(service.url + address, stranger.token)).status, 404)
  t.is((await stranger.api.patch(address, { headers: pieceAt(100), body: content.subarray(100) })).status, 404)
  t.is((await stranger.api.patch(address, { headers: {}, body: '' })).status, 404)
  t.is((await stranger.api.delete(address)).status, 404)
  t.is((await stranger.api.get('/files/resumable')).body.count, 0)
  t.is((await headOf(service.url + address, token)).headers.get('Upload-Offset'), '100')
  t.is((await api.as(undefined).patch(address, { headers: pieceAt(100), body: '' })).status, 401)
})

for (const [what, headers, status, reason] of [
  ['no length', {}, 400, /Upload-Length must be a whole number/],
  ['a length that is none', { 'Upload-Length': '1e3' }, 400, /Upload-Length/],
  ['a length below nothing', { 'Upload-Length': '-1' }, 400, /Upload-Length/],
  ['nothing at all', { 'Upload-Length': '0' }, 400, /empty/],
  ['more than a file may have', { 'Upload-Length': String(maxFileBytes + 1) }, 413, /limit of 1000000 bytes/],
  ['no number that a computer has', { 'Upload-Length': '9'.repeat(40) }, 400, /Upload-Length/],
  ['to say the length later', { 'Upload-Defer-Length': '1' }, 400, /Upload-Defer-Length is not taken/],
  ['a part of a concatenation', { 'Upload-Length': '1', 'Upload-Concat': 'partial' }, 400, /Upload-Concat/],
  ['another version', { 'Upload-Length': '1', 'Tus-Resumable': '0.2.2' }, 412, /version 1\.0\.0/],
  ['metadata that is none', { 'Upload-Length': '1', 'Upload-Metadata': 'filename not base64!' }, 400, /base64/],
  ['a key twice', { 'Upload-Length': '1', 'Upload-Metadata': 'a YQ==,a Yg==' }, 400, /twice/],
  ['long metadata', { 'Upload-Length': '1', 'Upload-Metadata': `a ${'A'.repeat(5000)}` }, 400, /4096/],
  [
    'many keys',
    { 'Upload-Length': '1', 'Upload-Metadata': Array.from({ length: 40 }, (_, at) => `k${at}`).join() },
    400,
    /32 keys/,
  ],
] as const)
  // prettier-ignore
  test(`who begins an upload with ${what} is refused with the reason, and nothing is kept`, async (t) => {
    const { api, owner } = await service.user(t)
    const answer = await begin(api, headers)
    t.is(answer.status, status)
    t.regex(answer.body.detail, reason)
    t.is(answer.headers.get('Tus-Resumable'), '1.0.0')
    if (status === 412) t.is(answer.headers.get('Tus-Version'), '1.0.0')
    await t.throwsAsync(access(join(service.dataDir, 'objects', 'stored', 'resumable', 'begun', owner)))
  })

for (const [given, name] of [
  ['../../../etc/passwd', 'passwd'],
  [String.raw`C:\calls\one.wav`, 'one.wav'],
  ['one.wav\r\nX-Evil: 1', 'one.wavX-Evil: 1'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['..', 'unnamed'],
  ['', 'unnamed'],
] as const)
  test(`the name ${JSON.stringify(given)} is shown as ${JSON.stringify(name)} and is on no path`, async (t) => {
    const { api } = await service.user(t)
    const address = await beginByHand(api, content.length, given)
    const { headers } = await api.patch(address, { headers: pieceAt(0), body: content })
    const { body } = await api.get('/files')
    t.is(body.files[0].filename, name)
    t.is(body.files[0].file_id, headers.get('Vaak-File-Id'))
  })

for (const id of [
  '..',
  '%2e%2e',
  '..%2f..%2fidentity',
  'A'.repeat(300),
  '0'.repeat(36),
  '%00',
  '01900000-0000-7000-8000-00000000000A',
])
  test(`under the id ${id.slice(0, 40)} there is nothing`, async (t) => {
    const { token } = await service.user(t)
    const connection = await rawConnection(t, service.url)
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      await connection.send(
        `${method} /files/resumable/${id} HTTP/1.1\r\nHost: vaak\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\n\r\n`,
      )
      t.regex(String((await connection.answer()).status), /^40[045]$/)
    }
  })

test('bytes that belong elsewhere are refused with the offset, and nothing is kept of them', async (t) => {
  const { api, token, address } = await begun(t)
  await api.patch(address, { headers: pieceAt(0), body: content.subarray(0, 100) })
  for (const offset of [0, 99, 101, content.length]) {
    const { status, body } = await api.patch(address, { headers: pieceAt(offset), body: content.subarray(0, 10) })
    t.is(status, 409)
    t.is(body.detail, '100 bytes have come so far; go on there (Upload-Offset: 100).')
  }
  t.is((await api.patch(address, { headers: { 'Upload-Offset': '100' }, body: 'x' })).status, 415)
  t.is((await api.patch(address, { headers: { ...pieceAt(0), 'Upload-Offset': 'x' }, body: 'x' })).status, 400)
  t.is((await headOf(service.url + address, token)).headers.get('Upload-Offset'), '100')
})

test('more than was announced is refused, whether it is said before or not', async (t) => {
  const { api, token, address } = await begun(t)
  const more = Buffer.concat([content, Buffer.alloc(1)])
  t.is((await api.patch(address, { headers: pieceAt(0), body: more })).status, 413)
  t.is((await headOf(service.url + address, token)).headers.get('Upload-Offset'), '0')
  const connection = await rawConnection(t, service.url)
  const lines = Object.entries({ Authorization: `Bearer ${token}`, ...pieceAt(0) }).map(([name, value]) => `${name}: ${value}\r\n`) // prettier-ignore
  await connection.send(
    `PATCH ${address} HTTP/1.1\r\nHost: vaak\r\nTransfer-Encoding: chunked\r\n${lines.join('')}\r\n`,
    `${more.length.toString(16)}\r\n`,
    more,
    '\r\n0\r\n\r\n',
  )
  t.is((await connection.answer()).status, 413)
  t.is((await api.get('/files')).body.total_files, 0)
})

test('what is not audio is refused with its last byte, with the reason, and nothing is kept', async (t) => {
  const { api } = await service.user(t)
  const text = Buffer.from('no sound '.repeat(100))
  const address = await beginByHand(api, text.length, 'words.wav')
  const { status, body } = await api.patch(address, { headers: pieceAt(0), body: text })
  t.is(status, 400)
  t.like(body.detail.rejected_files[0], { filename: 'words.wav', size_bytes: text.length })
  t.is((await api.get(address)).status, 404)
  t.is((await api.get('/files')).body.total_files, 0)
})

test('of many that are begun at once only as many stay as one user may have, and all others hear the limit', async (t) => {
  const { api } = await service.user(t)
  const answers = await Promise.all(Array.from({ length: 12 }, () => begin(api, announcing(content.length))))
  const refused = answers.filter(({ status }) => status === 429)
  for (const { body } of refused) t.regex(body.detail, /3 unfinished uploads, which is the limit/)
  t.is(refused.length, 12 - maxOpen)
  t.is((await api.get('/files/resumable')).body.count, maxOpen)
  const { body } = await api.get('/files/resumable')
  await api.delete(`/files/resumable/${body.uploads[0].resumable_upload_id}`)
  t.is((await begin(api, announcing(content.length))).status, 201)
})

test('what is announced counts against what a user may store, before any of it comes', async (t) => {
  const { nats } = service
  const gateway = await aGateway(t, nats, { environment: { QUOTA_STORED_BYTES: String(content.length * 2) } })
  t.is((await begin(gateway.api, announcing(content.length))).status, 201)
  t.is((await begin(gateway.api, announcing(content.length))).status, 201)
  const { status, body } = await begin(gateway.api, announcing(1))
  t.is(status, 429)
  t.regex(body.detail, /your quota is/)
})

const half = {
  get url() {
    return service.url
  },
  offset: 0,
  content: content.subarray(0, content.length / 2),
}

test('while a request sends, another that sends too is locked out, and one that asks where to go on ends it', async (t) => {
  const { api, token, address } = await begun(t)
  const hanging = await sendAndHang(t, { ...half, token, address })
  t.is((await api.patch(address, { headers: pieceAt(0), body: content.subarray(0, 10) })).status, 423)
  const { headers } = await headOf(service.url + address, token)
  const offset = Number(headers.get('Upload-Offset'))
  t.is(offset, half.content.length)
  t.is((await hanging.answer()).status, 423)
  const last = await api.patch(address, { headers: pieceAt(offset), body: content.subarray(offset) })
  t.is(last.status, 204)
  t.truthy(last.headers.get('Vaak-File-Id'))
  t.is((await api.get('/files')).body.total_files, 1)
})

test('an upload that is given up while it is sent is gone', async (t) => {
  const { api, token, address } = await begun(t)
  const hanging = await sendAndHang(t, { ...half, token, address })
  t.is((await api.delete(address)).status, 204)
  t.is((await hanging.answer()).status, 423)
  t.is((await api.get(address)).status, 404)
})

test('what is finished takes no more and is not given up, and says what it became', async (t) => {
  const { api, address } = await begun(t)
  const { headers } = await api.patch(address, { headers: pieceAt(0), body: content })
  const fileId = headers.get('Vaak-File-Id')
  t.is((await api.patch(address, { headers: pieceAt(content.length), body: content })).status, 409)
  const { status, body } = await api.delete(address)
  t.is(status, 409)
  t.is(body.detail, `It is finished: delete the file ${fileId} instead.`)
})

test('what expired is gone for everybody, and from storage', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_RESUMABLE_SECONDS: '1' } })
  const user = 'late'
  const [api, token] = [await gateway.apiOf(user), await gateway.tokenOf(user)]
  // with its first bytes: a second request might come too late
  const headers = { ...announcing(content.length), 'Content-Type': 'application/offset+octet-stream' }
  const first = await api.post('/files/resumable', { headers, body: content.subarray(0, 10) })
  t.is(first.status, 201)
  const address = first.headers.get('Location') ?? ''
  await eventually('it is not there any more', async () => (await api.get(address)).status === 404)
  t.is((await headOf(gateway.url + address, token)).status, 404)
  t.is((await api.patch(address, { headers: pieceAt(10), body: content.subarray(10) })).status, 404)
  const folder = join(gateway.dataDir, 'objects', 'stored', 'resumable')
  const left = async (what: string) => (await readdir(join(folder, what, ownerOf(user))).catch(() => [])).length
  await eventually('nothing is left of it', async () => (await left('begun')) + (await left('pieces')) === 0)
  t.pass()
})

test('what a server can do is told to whoever asks', async (t) => {
  const { status, headers } = await fetch(`${service.url}/files/resumable`, { method: 'OPTIONS' })
  t.is(status, 204)
  t.is(headers.get('Tus-Version'), '1.0.0')
  t.is(headers.get('Tus-Extension'), 'creation,creation-with-upload,expiration,termination')
  t.is(headers.get('Tus-Max-Size'), String(maxFileBytes))
})
