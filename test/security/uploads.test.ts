import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'

import { markName } from '../../infra/blobs/identity.ts'
import type { ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { aWav } from '../support/media.ts'
import { aMultipart, aPart, multipartBoundary, multipartType } from '../support/multipart.ts'
import { head, rawConnection } from '../support/raw-http.ts'
import type { RawConnection } from '../support/raw-http.ts'
import { sharedService } from '../support/service.ts'
import { spoolContent } from '../support/spool-content.ts'

const service = sharedService(test)
const wav = aWav({ seconds: 0.05 })
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const kibibyte = 1024

async function send(t: ExecutionContext, body: Uint8Array): Promise<ApiAnswer> {
  const { api } = await service.user(t)
  return api.post('/files/upload', { body, headers: { 'Content-Type': multipartType } })
}

/** Quoted as browsers do it. */
const fileNamed = (name: string) => ({
  disposition: `form-data; name="files"; filename="${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  content: wav,
})

const shown = test.macro(async (t, given: string, expected: string) => {
  const { status, body } = await send(t, aMultipart(fileNamed(given)))
  t.is(status, 202)
  t.is(body.files[0].filename, expected)
})

test('a name that climbs keeps its last part', shown, '../../etc/passwd.wav', 'passwd.wav')
test('a name that climbs in the manner of Windows keeps its last part', shown, '..\\..\\boot.wav', 'boot.wav')
test('an absolute name keeps its last part', shown, '/etc/shadow', 'shadow')
test('a name that is a folder up is none', shown, '..', 'unnamed')
test('a name of a folder is none', shown, 'folder/', 'unnamed')
test('a name of spaces is none', shown, '   ', 'unnamed')
test('quotes are kept', shown, 'the "best" of.wav', 'the "best" of.wav')
test('markup is kept as text', shown, '<img src=x onerror=alert(1)>.wav', '<img src=x onerror=alert(1)>.wav')
test('a name in Devanagari with an emoji is kept', shown, 'नमस्ते 🎤.wav', 'नमस्ते 🎤.wav')
test('an override of the reading direction is taken out', shown, 'speech\u202Evaw.exe', 'speechvaw.exe')
test('an isolate of the reading direction is taken out', shown, '\u2066speech\u2069.wav', 'speech.wav')
test('a name that Windows reserves is only a name', shown, 'CON', 'CON')

test('a name of 4 KiB is cut to 255 bytes and keeps its extension', async (t) => {
  const { body } = await send(t, aMultipart(fileNamed(`${'ब'.repeat(4 * kibibyte)}.wav`)))
  t.regex(body.files[0].filename, /^ब+\.wav$/)
  t.true(Buffer.byteLength(body.files[0].filename) <= 255)
})

for (const [what, name] of [
  ['a NUL', 'speech\0.wav'],
  ['an escape sequence', '\u001B[31mspeech.wav'],
  ['a line break', 'speech\r\nX-Injected: yes.wav'],
] as const)
  test(`a part whose header has ${what} in it is refused`, async (t) => {
    const disposition = `form-data; name="files"; filename="${name}"`
    const { status } = await send(t, aMultipart({ disposition, content: wav }))
    t.is(status, 400)
  })

test('a percent-encoded line break is shown as it was written', async (t) => {
  const { body } = await send(t, aMultipart(fileNamed('a%0D%0Ab.wav')))
  t.is(body.files[0].filename, 'a%0D%0Ab.wav')
})

test('an extended name is decoded and then treated like any other', async (t) => {
  const disposition = `form-data; name="files"; filename*=UTF-8''..%2F..%2Fetc%2Fpass%00%1Bwd%0D%0A%E2%80%AE.wav`
  const { body } = await send(t, aMultipart({ disposition, content: wav }))
  t.is(body.files[0].filename, 'passwd.wav')
})

test('bytes that are no UTF-8 in a name are answered with a name that is', async (t) => {
  const [before, after] = ['form-data; name="files"; filename="', '.wav"']
  const part = aPart({ disposition: `${before}XX${after}`, content: wav })
  part.set([0xff, 0xfe], part.indexOf('XX'))
  const { status, body } = await send(t, Buffer.concat([part, Buffer.from(`--${multipartBoundary}--\r\n`)]))
  t.is(status, 202)
  t.true(body.files[0].filename.isWellFormed())
})

test('paths on disk are made of ids only, whatever the name', async (t) => {
  const gateway = await aGateway(t, service.nats)
  const api = await gateway.apiOf('climber')
  const { body } = await api.post('/files/upload', {
    body: aMultipart(fileNamed('../../../escaped.wav')),
    headers: { 'Content-Type': multipartType },
  })
  await eventually('the file is stored', async () => {
    const { body: now } = await api.get(`/files/upload/${body.batch_upload_id}`)
    return now.status === 'completed'
  })
  const names = await readdir(join(gateway.dataDir, 'objects', 'stored'), { recursive: true })
  const parts = new Set(names.flatMap((name) => name.split('/')))
  const fixed = new Set(['uploads', markName])
  for (const part of parts) {
    const id = part.replace(/\.json$/, '')
    t.true(fixed.has(part) || uuid.test(id) || /^[\w-]{22}$/.test(id), part)
  }
})

test('10,000 parts are refused with the limit, and leave nothing in the spool', async (t) => {
  const gateway = await aGateway(t, service.nats)
  const api = await gateway.apiOf('many')
  const { status, body } = await api.post('/files/upload', {
    body: aMultipart(...Array.from({ length: 10_000 }, () => fileNamed('a.wav'))),
    headers: { 'Content-Type': multipartType },
  })
  t.is(status, 400)
  t.regex(body.detail, /more than 200 files/)
  t.deepEqual(await spoolContent(gateway.spoolFolder), [])
})

test('10,000 parts that are no files are refused', async (t) => {
  const part = { disposition: 'form-data; name="note"', content: 'x' }
  const { status } = await send(t, aMultipart(...Array.from({ length: 10_000 }, () => part)))
  t.is(status, 400)
})

test('10,000 parts that say nothing of what they are, are refused', async (t) => {
  const part = { disposition: 'attachment', content: 'x' }
  const { status } = await send(t, aMultipart(...Array.from({ length: 10_000 }, () => part)))
  t.is(status, 400)
})

test('a part with 1 MB of headers is refused', async (t) => {
  const { status, body } = await send(t, aMultipart({ headers: [`X-Long: ${'x'.repeat(1_000_000)}`], content: wav }))
  t.is(status, 400)
  t.regex(body.detail, /cannot be read/)
})

test('a part with 10,000 headers is refused', async (t) => {
  const headers = Array.from({ length: 10_000 }, (_, index) => `X-${index}: x`)
  const { status } = await send(t, aMultipart({ headers, content: wav }))
  t.is(status, 400)
})

test('multipart within multipart is not opened', async (t) => {
  const inner = aMultipart({ content: wav }).toString('latin1').replaceAll(multipartBoundary, 'inner')
  const { status, body } = await send(
    t,
    aMultipart({ headers: ['Content-Type: multipart/mixed; boundary=inner'], content: Buffer.from(inner, 'latin1') }),
  )
  t.is(status, 400)
  t.is(body.detail.rejected_files[0].filename, 'speech.wav')
})

test('a part that says it is compressed is taken as it is', async (t) => {
  const { status, body } = await send(
    t,
    aMultipart({ headers: ['Content-Transfer-Encoding: base64', 'Content-Encoding: gzip'], content: wav }),
  )
  t.is(status, 202)
  t.is(body.files[0].size_bytes, wav.length)
})

test('no damage to a body makes it a fault of ours', async (t) => {
  const { api } = await service.user(t)
  const whole = aMultipart(fileNamed('a.wav'), fileNamed('b.wav'))
  const damage = fc.record({
    at: fc.nat(whole.length - 1),
    remove: fc.nat(40),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc
        .constantFrom('\r\n', '--', `\r\n--${multipartBoundary}`, '"', ';', '\0', ': ', 'filename*=')
        .map((text) => Buffer.from(text)),
    ),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, remove, insert }) => {
      const body = Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + remove)])
      const { status } = await api.post('/files/upload', { body, headers: { 'Content-Type': multipartType } })
      return status === 202 || status === 400
    }),
    { numRuns: 60 },
  )
})

async function beginUpload(
  t: ExecutionContext,
  at: { url: string; token: string },
  lengthBytes = 10_000_000,
): Promise<RawConnection> {
  const connection = await rawConnection(t, at.url)
  await connection.send(
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${at.token}`,
      `Content-Type: ${multipartType}`,
      `Content-Length: ${lengthBytes}`,
    ),
    aPart({ content: wav }).subarray(0, -20),
  )
  return connection
}

test('an upload that is broken off half-way leaves nothing in the spool', async (t) => {
  const gateway = await aGateway(t, service.nats)
  const connection = await beginUpload(t, { url: gateway.url, token: await gateway.tokenOf('quitter') })
  const [folder] = await eventually('it is being received', async () => {
    const found = await spoolContent(gateway.spoolFolder)
    return found.length === 1 ? found : undefined
  })
  t.regex(folder ?? '', /^incoming-/)
  connection.socket.destroy()
  await eventually('the spool is empty', async () => (await spoolContent(gateway.spoolFolder)).length === 0)
  t.is((await (await gateway.apiOf('quitter')).get('/files')).body.total_files, 0)
})

test('a client that stops sending is told 408, leaves nothing, and others are served meanwhile', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_PATIENCE_SECONDS: '1' } })
  const slow = await beginUpload(t, { url: gateway.url, token: await gateway.tokenOf('sleeper') })
  const api = await gateway.apiOf('brisk')
  t.is((await api.get('/files')).status, 200)
  const { status, body } = await slow.answer()
  t.is(status, 408)
  t.regex(JSON.parse(body).detail, /bytes in 1 seconds; at least 1024 are needed/)
  t.deepEqual(await spoolContent(gateway.spoolFolder), [])
})

test('a client that is refused may still send all it has, and then reads the answer', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { UPLOAD_MAX_FILE_BYTES: '65536' } })
  const lengthBytes = 20_000_000
  const connection = await beginUpload(t, { url: gateway.url, token: await gateway.tokenOf('stubborn') }, lengthBytes)
  const sentBytes = aPart({ content: wav }).length - 20
  const end = Buffer.from(`\r\n--${multipartBoundary}--\r\n`)
  await connection.send(Buffer.alloc(lengthBytes - sentBytes - end.length), end)
  t.is((await connection.answer()).status, 413)
  await connection.send(head('GET /healthz HTTP/1.1', 'Host: vaak'))
  t.is((await connection.answer()).status, 200, 'the connection is still of use')
})
