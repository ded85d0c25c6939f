import test from 'ava'

import { aFileId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'

const service = batchService(test, { BATCH_MAX_FILES: '3' })
const url = 'https://example.org/a.mp3'
const sources = [{ url }]
const manyNames = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`n${at}`, at]))
const manyHeaders = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`X-${at}`, 'x']))
const tooLong = { url: `${url}?${'x'.repeat(4000)}`, metadata: { a: 'x'.repeat(200) } }

for (const [what, json, reason] of [
  ['a file id that is a number', { file_ids: [7] }, /file_ids\.0: .*expected string/],
  ['nothing but fields that do not exist', { files: [] }, /There is nothing to transcribe/],
  ['a source of nothing', { sources: [{}] }, /sources\.0: expected one of gcs_key and url/],
  ['a source of two things', { sources: [{ url, gcs_key: 'k' }] }, /sources\.0: expected one of gcs_key and url/],
  ['a URL of another scheme', { sources: [{ url: 'ftp://example.org/a' }] }, /sources\.0\.url: Only URLs that begin/],
  ['a URL that is none', { sources: [{ url }, { url: 'a.mp3' }] }, /sources\.1\.url: This is not a URL/],
  ['a URL that is too long', { sources: [{ url: `${url}?${'x'.repeat(4096)}` }] }, /limit of 4096 bytes/],
  ['a language that nobody hears', { sources, language: 'xx' }, /language: .*"hi".*"en".*"ur"/],
  ['a profile that there is not', { sources, profile: 'best' }, /profile: .*"fast".*"balanced".*"accurate"/],
  ['a script that there is not', { sources, script: 'roman' }, /script: .*"native".*"latin".*"mixed"/],
  ['channels that there are not', { sources, channels: 'left' }, /channels: .*"mix".*"separate"/],
  ['no speakers', { sources, speakers: 0 }, /speakers: .*>=1/],
  ['more speakers than are told apart', { sources, speakers: 33 }, /speakers: .*<=32/],
  ['too many hotwords', { sources, hotwords: Array(101).fill('a') }, /at most 100 hotwords/],
  ['a hotword that is too long', { sources, hotwords: ['a'.repeat(65)] }, /at most 64 characters/],
  ['an empty hotword', { sources, hotwords: [' '] }, /must not be empty/],
  ['metadata that is a list', { sources, metadata: ['a'] }, /metadata: expected an object/],
  [
    'too much metadata',
    { sources, metadata: { a: 'x'.repeat(2048) } },
    /metadata: has 2056 bytes .* the limit is 2048/,
  ],
  ['metadata of many names', { sources, metadata: manyNames }, /metadata: has more than 50 names/],
  ['many names in lists', { sources, metadata: { a: [[manyNames]] } }, /metadata: has more than 50 names/],
  ['deep metadata', { sources, metadata: { a: [{ b: [{}] }] } }, /metadata: is nested deeper than 4 levels/],
  ['metadata of a source that is a word', { sources: [{ url, metadata: 'a' }] }, /sources\.0\.metadata: expected an/],
  ['a source that is too long', { sources: [tooLong] }, /sources\.0: url, headers and metadata together .* 4200 bytes/],
  ['headers that are a list', { sources: [{ url, headers: ['a'] }] }, /sources\.0\.headers: expected an object/],
  ['headers of a stored file', { sources: [{ gcs_key: 'k', headers: { a: 'b' } }] }, /headers are sent for a url/],
  ['headers for no call', { sources, callback_headers: { a: 'b' } }, /callback_headers: there is no callback_url/],
  ['too many headers', { sources: [{ url, headers: manyHeaders }] }, /headers: has 17 headers, and the limit is 16/],
  ['headers that are too long', { sources: [{ url, headers: { a: 'x'.repeat(2048) } }] }, /and the limit is 2048/],
  ['a header twice', { sources: [{ url, headers: { Cookie: 'a', cookie: 'b' } }] }, /has the same header twice/],
  ['a list instead of an object', [], /expected object/],
  ['more files than the limit', { file_ids: Array.from({ length: 4 }, aFileId) }, /has 4 files, and the limit is 3/],
] as const)
  test(`a submission with ${what} is 400 and says so`, async (t) => {
    const { api } = await service.user(t)
    const { status, body } = await api.post('/transcribe/batch', { json })
    t.is(status, 400)
    t.regex(body.detail, reason)
  })

for (const id of ['x', '../x', aFileId().toUpperCase(), '\ud800', 'x'.repeat(5_000)])
  test(`a file or upload under the id ${JSON.stringify(id.slice(-8))} is not found, and nothing is submitted`, async (t) => {
    const { api, fileIds } = await service.uploader(t, 'completed')
    const files = await api.post('/transcribe/batch', { json: { file_ids: [...fileIds, id] } })
    t.is(files.status, 404)
    t.deepEqual(files.body.detail.file_ids, [id.slice(0, 36)])
    const upload = await api.post('/transcribe/batch', { json: { batch_upload_id: id } })
    t.is(upload.status, 404)
    t.is(upload.body.detail, 'upload not found')
  })

for (const [name, value] of [
  ...['Host', 'content-length', 'Connection', 'Transfer-Encoding', 'Range', 'Accept-Encoding', 'Content-Type'].map(
    (own) => [own, 's3cr3t'],
  ),
  ...['Proxy-Authorization', 'X-Forwarded-For', 'webhook-signature', 'Metadata-Flavor'].map((own) => [own, 's3cr3t']),
  ['X-A', 's3cr3t\r\nHost: inside'],
  ['X-A', 's3cr3t\u0000'],
  ['X-A', 's3cr3t\u2028'],
  ['X-A: s3cr3t\r\nX-B', 'x'],
  ['s3cr3t'.repeat(20), 'x'],
  ['X-A', { s3cr3t: 1 }],
] as [string, unknown][])
  test(`a header that is not a user’s to send is refused, and its value is not said again: ${JSON.stringify([name, value]).slice(0, 60)}`, async (t) => {
    const { api } = await service.user(t)
    for (const json of [
      { sources: [{ url, headers: { [name]: value } }] },
      { sources, callback_url: url, callback_headers: { [name]: value } },
    ]) {
      const { status, body } = await api.post('/transcribe/batch', { json })
      t.is(status, 400)
      t.regex(body.detail, /headers: (?:\S+ is not yours to say|the (?:value|name) of )/)
      t.notRegex(body.detail, /s3cr3t/)
    }
  })

for (const json of [
  '{"sources":[{"url":"https://example.org/a.mp3"}],"metadata":{"__proto__":{"isAdmin":true}}}',
  '{"sources":[{"url":"https://example.org/a.mp3","metadata":{"a":[{"__proto__":1}]}}]}',
  '{"sources":[{"url":"https://example.org/a.mp3"}],"metadata":{"a":1e999}}',
])
  test(`metadata that would not come back as it was sent is refused: ${json.slice(-30)}`, async (t) => {
    const { api } = await service.user(t)
    const headers = { 'Content-Type': 'application/json' }
    const { status, body } = await api.post('/transcribe/batch', { body: json, headers })
    t.is(status, 400)
    t.regex(body.detail, /metadata: has a (?:field "__proto__"|number that is too large)/)
  })

test('fields that do not exist are ignored and named, wherever they are', async (t) => {
  const { api } = await service.user(t)
  const json = { sources: [{ url }, { url, name: 'x' }], files: [], ['y'.repeat(100)]: 1 }
  const { status, body } = await api.post('/transcribe/batch', { json })
  t.is(status, 200)
  t.deepEqual(body.warnings, [
    'sources.1.name: there is no such field; it was ignored',
    'files: there is no such field; it was ignored',
    `${'y'.repeat(64)}…: there is no such field; it was ignored`,
  ])
  t.false('warnings' in (await api.post('/transcribe/batch', { json: { sources } })).body)
})

test('of very many fields that do not exist some are named', async (t) => {
  const { api } = await service.user(t)
  const names = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`name-${at}`, 1]))
  const { body } = await api.post('/transcribe/batch', { json: { sources, ...names } })
  t.is(body.warnings.length, 21)
  t.is(body.warnings[20], 'more fields that there are not were ignored')
})

test('null is as if a field was left out, and where a field is needed it is refused', async (t) => {
  const { api } = await service.user(t)
  const nothing = {
    batch_upload_id: null,
    file_ids: null,
    language: null,
    speakers: null,
    hotwords: null,
    retain: null,
  }
  const json = { ...nothing, callback_url: null, sources: [{ url, gcs_key: null, filename: null }] }
  const { status, body } = await api.post('/transcribe/batch', { json })
  t.is(status, 200)
  t.is(body.total_jobs, 1)
  t.deepEqual(body.options, { script: 'mixed', channels: 'mix' })
  t.is((await api.post('/transcribe/batch', { json: { file_ids: [null] } })).status, 400)
  t.is((await api.delete('/files', { json: { file_ids: null } })).status, 400)
})

test('an upload with more completed files than the limit is 400', async (t) => {
  const { api, uploadId } = await service.uploader(t, 'completed', 'completed', 'completed', 'completed')
  const { status, body } = await api.post('/transcribe/batch', { json: { batch_upload_id: uploadId } })
  t.is(status, 400)
  t.regex(body.detail, /the limit is 3/)
})

test('the limit counts files, not how often they are named', async (t) => {
  const { api, uploadId, fileIds } = await service.uploader(t, 'completed', 'completed', 'completed', 'failed')
  const json = { batch_upload_id: uploadId, file_ids: [...fileIds, ...fileIds].slice(0, 3) }
  const { status, body } = await api.post('/transcribe/batch', { json })
  t.is(status, 200)
  t.is(body.total_jobs, 3)
})

test.serial('what is refused leaves nothing behind', async (t) => {
  const { api, fileIds } = await service.uploader(t, 'completed')
  const { open, batches } = await service.records()
  const before = [await open.keys(), await batches.keys()]
  await api.post('/transcribe/batch', { json: { file_ids: [...fileIds, aFileId()] } })
  await api.post('/transcribe/batch', { json: { file_ids: fileIds, language: 'xx' } })
  t.deepEqual([await open.keys(), await batches.keys()], before)
})

test('a body of another type is 415, and one that is not JSON 400', async (t) => {
  const { api } = await service.user(t)
  t.is((await api.post('/transcribe/batch', { body: 'x', headers: { 'Content-Type': 'text/plain' } })).status, 415)
  t.is(
    (await api.post('/transcribe/batch', { body: '{', headers: { 'Content-Type': 'application/json' } })).status,
    400,
  )
})
