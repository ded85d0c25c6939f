import test from 'ava'

import { aFileId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'

const service = batchService(test, { BATCH_MAX_FILES: '3' })
const url = 'https://example.org/a.mp3'
const sources = [{ url }]

for (const [what, json, reason] of [
  ['a field that does not exist', { sources, files: [] }, /Unrecognized key: "files"/],
  [
    'a field of a source that does not exist',
    { sources: [{ url, name: 'x' }] },
    /sources\.0: Unrecognized key: "name"/,
  ],
  ['an upload id that is none', { batch_upload_id: 'x' }, /batch_upload_id: is not an id/],
  ['a file id that is none', { file_ids: ['../x'] }, /file_ids\.0: is not an id/],
  ['a file id in capitals', { file_ids: [aFileId().toUpperCase()] }, /file_ids\.0: is not an id/],
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
  ['a list instead of an object', [], /expected object/],
  ['more files than the limit', { file_ids: Array.from({ length: 4 }, aFileId) }, /has 4 files, and the limit is 3/],
] as const)
  test(`a submission with ${what} is 400 and says so`, async (t) => {
    const { api } = await service.user(t)
    const { status, body } = await api.post('/transcribe/batch', { json })
    t.is(status, 400)
    t.regex(body.detail, reason)
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
