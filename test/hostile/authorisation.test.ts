import test from 'ava'
import type { ExecutionContext } from 'ava'

import { readDocument } from '../fuzz/document.ts'
import type { ApiOperation } from '../fuzz/document.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { batchService } from '../support/batch-service.ts'
import { aBatchId, aFileId, anUploadId } from '../support/builders.ts'
import { beginByHand } from '../support/resumable.ts'

/** Made from the document of the API, so that no route can be forgotten. */

const service = batchService(test)

async function operations(t: ExecutionContext): Promise<readonly ApiOperation[]> {
  const { api } = await service.user(t)
  return (await readDocument(api.url)).operations.filter(({ needsToken }) => needsToken)
}

function call(api: Api, { method, path }: Pick<ApiOperation, 'method' | 'path'>, json?: object): Promise<ApiAnswer> {
  const options = json && { json }
  if (method === 'POST') return api.post(path, options)
  if (method === 'PUT') return api.put(path, options)
  if (method === 'PATCH') return api.patch(path, options)
  return method === 'DELETE' ? api.delete(path, options) : api.get(path, options)
}

/** But for the ids themselves. */
function plain({ status, body }: ApiAnswer): string {
  return `${status} ${JSON.stringify(body)}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
}

const anEdit = { version: 0, changes: [{ type: 'note', at: 0, text: 'mine' }] }
/** Or is known to the realtime server alone, which is asked in `calls.test.ts`. */
const belongsToNobody = /\/(?:console|voices|models|realtime\/calls)\b/
/** Its owner, too, needs more than the id: audio in storage, words to listen for, something that was taken out and kept, a session that was kept, something that failed or is under way, a call that was asked for, an open stream, or a chat model. */
const wantsMore =
  /\/(?:resumable|again|audio|cancel|cancel_files|events|inquiries|retry|retry_files|turns|unredacted|webhooks)\b/

const bodies: Readonly<Record<string, object>> = {
  'PATCH /transcribe/batch/{batch_id}': { name: 'mine' },
  'PATCH /transcribe/results/file/{file_id}': anEdit,
  'POST /transcribe/batch/{batch_id}/cancel_files': { file_ids: [aFileId()] },
  'POST /transcribe/batch/{batch_id}/retry_files': { file_ids: [aFileId()] },
  'POST /transcribe/results/file/{file_id}/inquiries': { type: 'summary' },
  'POST /transcribe/results/file/{file_id}/share_links': {},
  'POST /transcribe/results/file/{file_id}/again': { vocabulary: aFileId(), words: ['Vaak'] },
  'PATCH /vocabularies/{vocabulary_id}': { version: 1, name: 'mine' },
}
/** Makes something under the id, and says so. */
const makes = /\/share_links$/

const words = { name: 'Words of the house', entries: [{ text: 'Vaak' }] }

async function aVocabularyOf(api: Api): Promise<string> {
  return (await api.post('/vocabularies', { json: words })).body.vocabulary_id
}

async function aShareLinkOf(api: Api, fileId: string): Promise<string> {
  return (await api.post(`/transcribe/results/file/${fileId}/share_links`, { json: {} })).body.link_id
}

test("every address with an id in it answers another user's like one that never was", async (t) => {
  const theirs = await service.uploader(t, 'completed', 'completed')
  const { batch, refs } = await (await service.records()).layOut(theirs.owner, [{ stage: 'completed' }])
  const ids: Record<string, readonly [foreign: string, missing: string]> = {
    batch_upload_id: [theirs.uploadId, anUploadId()],
    resumable_upload_id: [(await beginByHand(theirs.api, 100)).split('/').at(-1)!, anUploadId()],
    batch_id: [batch.batchId, aBatchId()],
    file_id: [refs[0]!.fileId, aFileId()],
    key_id: [(await theirs.api.post('/v1/keys', { json: {} })).body.id, '0'.repeat(16)],
    vocabulary_id: [await aVocabularyOf(theirs.api), aFileId()],
    inquiry_id: ['summary', 'chapters'],
    link_id: [await aShareLinkOf(theirs.api, refs[0]!.fileId), '0'.repeat(16)],
  }
  const { api } = await service.user(t)
  const withIds = (await operations(t)).filter(({ path }) => path.includes('{') && !belongsToNobody.test(path))
  t.true(withIds.length >= 5)
  // what deletes comes last, and less before more: the others need what it takes
  const order = ({ method, path }: ApiOperation): number => (method === 'DELETE' ? 10 - path.split('{').length : 0)
  withIds.sort((one, other) => order(one) - order(other))
  for (const { method, path } of withIds) {
    const addressOf = (which: 0 | 1): string =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]?.[which] ?? t.fail(`what is ${name}?`))
    const [foreign, missing] = [addressOf(0), addressOf(1)]
    const json = bodies[`${method} ${path}`]
    const at = (address: string): Promise<ApiAnswer> => call(api, { method, path: address }, json)
    t.is(plain(await at(foreign)), plain(await at(missing)), path)
    t.is((await at(foreign)).status, 404, path)
    if (wantsMore.test(path)) continue
    const { status } = await call(theirs.api, { method, path: foreign }, json)
    t.is(status, method === 'POST' && makes.test(path) ? 201 : 200, path)
  }
})

test('what was deleted is to its owner like what never was', async (t) => {
  const { api, fileIds, uploadId } = await service.uploader(t, 'completed')
  const { status } = await api.delete('/files', { json: { file_ids: fileIds } })
  t.is(status, 200)
  const [deleted, missing] = [fileIds[0]!, aFileId()]
  const alike = async (ask: (fileId: string) => Promise<ApiAnswer>): Promise<void> => {
    t.is(plain(await ask(deleted)), plain(await ask(missing)))
  }
  await alike((fileId) => api.get(`/transcribe/results/file/${fileId}`))
  await alike((fileId) => api.post('/transcribe/batch', { json: { file_ids: [fileId] } }))
  await alike((fileId) => api.delete('/files', { json: { file_ids: [fileId] } }))
  t.is(plain(await api.get(`/files/upload/${uploadId}`)), plain(await api.get(`/files/upload/${anUploadId()}`)))
})

test("one of another user's files among one's own is refused with all the others", async (t) => {
  const theirs = await service.uploader(t, 'completed')
  const { api, fileIds, keyOf } = await service.uploader(t, 'completed', 'completed')
  const foreign = theirs.fileIds[0]!
  for (const json of [
    { file_ids: [...fileIds, foreign] },
    { file_ids: fileIds, sources: [{ gcs_key: theirs.keyOf(foreign) }] },
    { sources: [{ gcs_key: keyOf(fileIds[0]!) }, { gcs_key: theirs.keyOf(foreign) }] },
    { file_ids: fileIds, batch_upload_id: theirs.uploadId },
  ])
    t.regex(String((await api.post('/transcribe/batch', { json })).status), /^40[34]$/)
  for (const fileId of fileIds) t.is((await api.get(`/transcribe/results/file/${fileId}`)).status, 404)
  t.is((await api.delete('/files', { json: { file_ids: [fileIds[0], foreign] } })).status, 404)
  t.is((await api.post('/transcribe/batch', { json: { file_ids: fileIds } })).status, 200, 'nothing was deleted')
})

/** What a caller may wish to decide and may not. */
const settings = ['status', 'user_id', 'userId', 'owner', 'total', 'total_files', 'quota', 'gcs_keys', 'admin', 'id']

/** One proper body for each address that takes JSON. */
const properBodies: Readonly<Record<string, (fileIds: readonly string[]) => object>> = {
  '/files': (fileIds) => ({ file_ids: fileIds }),
  '/transcribe/batch': (fileIds) => ({ file_ids: fileIds }),
  '/transcribe/batch/{batch_id}': () => ({ name: 'mine' }),
  '/transcribe/batch/{batch_id}/cancel_files': () => ({ file_ids: [aFileId()] }),
  '/transcribe/batch/{batch_id}/retry_files': () => ({ file_ids: [aFileId()] }),
  '/transcribe/evaluate': () => ({ reference: 'one two', hypothesis: 'one too' }),
  '/transcribe/results/file/{file_id}': () => anEdit,
  '/transcribe/results/file/{file_id}/inquiries': () => ({ type: 'summary' }),
  '/transcribe/results/file/{file_id}/again': () => ({ vocabulary: aFileId(), words: ['Vaak'] }),
  '/transcribe/results/file/{file_id}/share_links': () => ({}),
  '/pronunciations': () => ({ pronunciations: [{ word: 'Vaak', spoken: 'वाक्' }] }),
  '/v1/audio/speech': () => ({ input: 'one two', voice: 'alloy' }),
  '/v1/keys': () => ({}),
  '/v1/realtime/client_secrets': () => ({}),
  '/v1/realtime/sessions': () => ({}),
  '/v1/realtime/transcription_sessions': () => ({}),
  '/vocabularies': () => words,
  '/vocabularies/{vocabulary_id}': () => ({ version: 1, name: 'mine' }),
}

/** Older clients send back the session that they were given; its id decides nothing. */
const sentBack = /^\/v1\/realtime\/(?:transcription_)?sessions id$/

/** Sound has no place for a warning; realtime clients are told as their own servers tell them. */
const silent = '/v1/audio/speech'
const refuses = /^\/v1\/realtime\//

test('no body takes a field that is not in the document, and says which it ignored', async (t) => {
  const withBody = (await operations(t)).filter(({ body }) => body?.contentType === 'application/json')
  t.deepEqual(withBody.map(({ path }) => path).toSorted(), Object.keys(properBodies).toSorted())
  for (const operation of withBody.filter(({ path }) => path !== silent))
    for (const options of settings) {
      const { api, fileIds, owner } = await service.uploader(t, 'completed')
      const { refs } = await (await service.records()).layOut(owner, [{ stage: 'completed' }])
      const { fileId, batchId } = refs[0]!
      const path = operation.path
        .replace('{file_id}', fileId)
        .replace('{batch_id}', batchId)
        .replace('{vocabulary_id}', await aVocabularyOf(api))
      const json = { ...properBodies[operation.path]?.(fileIds), [options]: 'x' }
      const { status, body } = await call(api, { ...operation, path }, json)
      if (wantsMore.test(path)) {
        t.is(status, path.endsWith('/again') ? 404 : 409, `${operation.path} ${options}`)
        continue
      }
      if (sentBack.test(`${operation.path} ${options}`)) {
        t.not(body.id, 'x')
        continue
      }
      if (refuses.test(operation.path)) {
        t.is(status, 400, `${operation.path} ${options}`)
        t.true(JSON.stringify(body).includes(options), `${operation.path} ${options}: ${JSON.stringify(body)}`)
        continue
      }
      t.true(status < 300, `${operation.path} ${options}: ${status} ${JSON.stringify(body)}`)
      const { warnings, ...rest } = body
      t.deepEqual(warnings, [`${options}: there is no such field; it was ignored`], operation.path)
      t.false(JSON.stringify(rest).includes('"x"'), operation.path)
    }
})

test('a source takes no field that is not in the document', async (t) => {
  const { api } = await service.user(t)
  for (const options of settings) {
    const json = { sources: [{ url: 'https://example.com/a.wav', [options]: 'x' }] }
    const { status, body } = await api.post('/transcribe/batch', { json })
    t.is(status, 200, options)
    t.deepEqual(body.warnings, [`sources.0.${options}: there is no such field; it was ignored`])
  }
})

/** Tells what all users have waiting, which others change meanwhile. */
const ofEverybody = '/transcribe/capacity'

test('no address takes a parameter that is not in the document', async (t) => {
  const { api } = await service.user(t)
  for (const { method, path, parameters } of await operations(t)) {
    const known = new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => name))
    const at = path.replace(/\{\w+\}/, aFileId())
    const json = method === 'GET' ? undefined : {}
    const without = await call(api, { method, path: at }, json)
    for (const options of settings.filter((name) => !known.has(name))) {
      const given = await call(api, { method, path: `${at}?${options}=x` }, json)
      if (method === 'GET' && path !== ofEverybody) t.is(plain(given), plain(without), at)
      else t.is(given.status, without.status, at)
    }
  }
})
