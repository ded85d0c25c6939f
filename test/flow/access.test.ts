import { join } from 'node:path'

import test from 'ava'
import { SignJWT } from 'jose'

import { openDevelopmentIssuer } from '../../infra/identity/development-issuer.ts'
import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { aBatchId, aFileId, anUploadId } from '../support/builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aWav } from '../support/media.ts'
import { announcing, pieceAt } from '../support/resumable.ts'
import { sharedService } from '../support/service.ts'
import { aSigningKey } from '../support/tokens.ts'

const service = sharedService(test)
const dayMs = 86_400_000

const endpoints: Record<string, (api: Api) => Promise<ApiAnswer>> = {
  'POST /files/upload': (api) =>
    api.post('/files/upload', { body: uploadForm({ name: 'a.wav', content: aWav({ seconds: 0.1 }) }) }),
  'GET /files/upload/{batch_upload_id}': (api) => api.get(`/files/upload/${anUploadId()}`),
  'POST /files/resumable': (api) => api.post('/files/resumable', { headers: announcing(1) }),
  'GET /files/resumable': (api) => api.get('/files/resumable'),
  'GET /files/resumable/{resumable_upload_id}': (api) => api.get(`/files/resumable/${anUploadId()}`),
  'PATCH /files/resumable/{resumable_upload_id}': (api) =>
    api.patch(`/files/resumable/${anUploadId()}`, { headers: pieceAt(0), body: 'a' }),
  'DELETE /files/resumable/{resumable_upload_id}': (api) => api.delete(`/files/resumable/${anUploadId()}`),
  'GET /files': (api) => api.get('/files'),
  'DELETE /files': (api) => api.delete('/files', { json: { file_ids: [aFileId()] } }),
  'POST /transcribe/batch': (api) => api.post('/transcribe/batch', { json: { file_ids: [aFileId()] } }),
  'GET /transcribe/status/batch/{batch_id}': (api) => api.get(`/transcribe/status/batch/${aBatchId()}`),
  'GET /transcribe/results/batch/{batch_id}': (api) => api.get(`/transcribe/results/batch/${aBatchId()}`),
  'GET /transcribe/results/file/{file_id}': (api) => api.get(`/transcribe/results/file/${aFileId()}`),
  'GET /transcribe/results/file/{file_id}/unredacted': (api) =>
    api.get(`/transcribe/results/file/${aFileId()}/unredacted`),
  'PATCH /transcribe/results/file/{file_id}': (api) =>
    api.patch(`/transcribe/results/file/${aFileId()}`, { json: { version: 0, changes: [{ undo: true }] } }),
  'GET /transcribe/inquiries': (api) => api.get('/transcribe/inquiries'),
  'POST /transcribe/results/file/{file_id}/inquiries': (api) =>
    api.post(`/transcribe/results/file/${aFileId()}/inquiries`, { json: { type: 'summary' } }),
  'GET /transcribe/results/file/{file_id}/inquiries': (api) =>
    api.get(`/transcribe/results/file/${aFileId()}/inquiries`),
  'DELETE /transcribe/results/file/{file_id}/inquiries/{inquiry_id}': (api) =>
    api.delete(`/transcribe/results/file/${aFileId()}/inquiries/summary`),
  'POST /transcribe/results/file/{file_id}/share_links': (api) =>
    api.post(`/transcribe/results/file/${aFileId()}/share_links`, { json: {} }),
  'GET /transcribe/results/file/{file_id}/share_links': (api) =>
    api.get(`/transcribe/results/file/${aFileId()}/share_links`),
  'DELETE /transcribe/results/file/{file_id}/share_links/{link_id}': (api) =>
    api.delete(`/transcribe/results/file/${aFileId()}/share_links/${'0'.repeat(16)}`),
  'GET /transcribe/download/batch/{batch_id}': (api) => api.get(`/transcribe/download/batch/${aBatchId()}`),
  'GET /files/{file_id}/audio': (api) => api.get(`/files/${aFileId()}/audio`),
  'GET /files/{file_id}/turns': (api) => api.get(`/files/${aFileId()}/turns`),
  'GET /transcribe/batches': (api) => api.get('/transcribe/batches'),
  'GET /transcribe/files': (api) => api.get('/transcribe/files'),
  'GET /transcribe/capacity': (api) => api.get('/transcribe/capacity'),
  'GET /usage': (api) => api.get('/usage'),
  'PATCH /transcribe/batch/{batch_id}': (api) => api.patch(`/transcribe/batch/${aBatchId()}`, { json: { name: 'a' } }),
  'DELETE /transcribe/batch/{batch_id}': (api) => api.delete(`/transcribe/batch/${aBatchId()}`),
  'POST /transcribe/batch/{batch_id}/cancel': (api) => api.post(`/transcribe/batch/${aBatchId()}/cancel`, { json: {} }),
  'POST /transcribe/batch/{batch_id}/cancel_files': (api) =>
    api.post(`/transcribe/batch/${aBatchId()}/cancel_files`, { json: { file_ids: [aFileId()] } }),
  'POST /transcribe/batch/{batch_id}/retry': (api) => api.post(`/transcribe/batch/${aBatchId()}/retry`, { json: {} }),
  'POST /transcribe/batch/{batch_id}/retry_files': (api) =>
    api.post(`/transcribe/batch/${aBatchId()}/retry_files`, { json: { file_ids: [aFileId()] } }),
  'GET /transcribe/status/file/{file_id}': (api) => api.get(`/transcribe/status/file/${aFileId()}`),
  'GET /transcribe/events/batch/{batch_id}': (api) => api.get(`/transcribe/events/batch/${aBatchId()}`),
  'POST /transcribe/evaluate': (api) => api.post('/transcribe/evaluate', { json: { reference: 'a', text: 'a' } }),
  'GET /search': (api) => api.get('/search?q=a'),
  'POST /transcribe/results/file/{file_id}/again': (api) =>
    api.post(`/transcribe/results/file/${aFileId()}/again`, { json: { vocabulary: aFileId(), words: ['a'] } }),
  'POST /vocabularies': (api) => api.post('/vocabularies', { json: { name: 'a', entries: [] } }),
  'GET /vocabularies': (api) => api.get('/vocabularies'),
  'GET /vocabularies/{vocabulary_id}': (api) => api.get(`/vocabularies/${aFileId()}`),
  'PATCH /vocabularies/{vocabulary_id}': (api) => api.patch(`/vocabularies/${aFileId()}`, { json: { version: 1 } }),
  'DELETE /vocabularies/{vocabulary_id}': (api) => api.delete(`/vocabularies/${aFileId()}`),
  'GET /transcribe/webhooks/secret': (api) => api.get('/transcribe/webhooks/secret'),
  'GET /transcribe/webhooks/batch/{batch_id}': (api) => api.get(`/transcribe/webhooks/batch/${aBatchId()}`),
  'POST /transcribe/webhooks/batch/{batch_id}/send': (api) =>
    api.post(`/transcribe/webhooks/batch/${aBatchId()}/send`, { json: {} }),
  'POST /v1/audio/translations': (api) =>
    api.post('/v1/audio/translations', { body: uploadForm({ name: 'a.wav', content: aWav({ seconds: 0.1 }) }) }),
  'POST /v1/audio/transcriptions': (api) =>
    api.post('/v1/audio/transcriptions', { body: uploadForm({ name: 'a.wav', content: aWav({ seconds: 0.1 }) }) }),
  'POST /transcribe/align': (api) =>
    api.post('/transcribe/align', { body: uploadForm({ name: 'a.wav', content: aWav({ seconds: 0.1 }) }) }),
  'POST /v1/audio/speech': (api) => api.post('/v1/audio/speech', { json: { input: 'a', voice: 'asha' } }),
  'GET /v1/models': (api) => api.get('/v1/models'),
  'GET /v1/models/{model_id}': (api) => api.get('/v1/models/balanced'),
  'GET /v1/voices': (api) => api.get('/v1/voices'),
  'GET /pronunciations': (api) => api.get('/pronunciations'),
  'PUT /pronunciations': (api) => api.put('/pronunciations', { json: { pronunciations: [] } }),
  'GET /v1/keys': (api) => api.get('/v1/keys'),
  'POST /v1/keys': (api) => api.post('/v1/keys', { json: {} }),
  'POST /v1/keys/{key_id}/rotate': (api) => api.post(`/v1/keys/${'0'.repeat(16)}/rotate`),
  'DELETE /v1/keys/{key_id}': (api) => api.delete(`/v1/keys/${'0'.repeat(16)}`),
  'POST /v1/realtime/client_secrets': (api) => api.post('/v1/realtime/client_secrets', { json: {} }),
  'POST /v1/realtime/sessions': (api) => api.post('/v1/realtime/sessions', { json: {} }),
  'POST /v1/realtime/transcription_sessions': (api) => api.post('/v1/realtime/transcription_sessions', { json: {} }),
  'POST /v1/realtime/calls': (api) => api.post('/v1/realtime/calls', { body: 'v=0' }),
  'POST /v1/realtime': (api) => api.post('/v1/realtime?model=vaak', { body: 'v=0' }),
  'POST /v1/realtime/calls/{call_id}/hangup': (api) => api.post('/v1/realtime/calls/rtc_none/hangup'),
}

/** By the service's own key, when the clock showed yesterday. */
async function expiredToken(): Promise<string> {
  const clock = aManualClock(Date.now() - dayMs)
  const issuer = await openDevelopmentIssuer({ folder: join(service.dataDir, 'identity'), nodeEnv: 'test', clock })
  return issuer.sign({ user: 'late', lifetimeSeconds: 60 })
}

/** Says everything that a good token says, by a key that is not the service's. */
async function forgedToken(): Promise<string> {
  const { privateKey } = await aSigningKey('forged')
  return new SignJWT({ sub: 'mallory' })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer('vaak:development')
    .setAudience('vaak')
    .setExpirationTime('1h')
    .sign(privateKey)
}

/** No token opens these: what does is in `test/hostile/share-links.test.ts`. */
const openedByLinks: readonly string[] = ['GET /shared/audio', 'GET /shared/result']

for (const [endpoint, call] of Object.entries(endpoints)) {
  test(`${endpoint} without a token is 401 and says which header to send`, async (t) => {
    const { api } = await service.user(t)
    const { status, headers, body } = await call(api.as(undefined))
    t.is(status, 401)
    t.is(headers.get('www-authenticate'), 'Bearer')
    t.regex(body.detail, /Authorization: Bearer/)
  })

  test(`${endpoint} with an expired token is 401 and says that it expired`, async (t) => {
    const { api } = await service.user(t)
    const { status, headers, body } = await call(api.as(await expiredToken()))
    t.is(status, 401)
    t.is(headers.get('www-authenticate'), 'Bearer error="invalid_token"')
    t.regex(body.detail, /expired/)
  })

  test(`${endpoint} with a forged token is 401`, async (t) => {
    const { api } = await service.user(t)
    const { status, headers } = await call(api.as(await forgedToken()))
    t.is(status, 401)
    t.is(headers.get('www-authenticate'), 'Bearer error="invalid_token"')
  })
}

test('every endpoint that needs a token is in this list', async (t) => {
  const { api } = await service.user(t)
  const { body } = await api.get('/openapi.json')
  const paths: Record<string, Record<string, { security: unknown[] }>> = body.paths
  const closed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  t.deepEqual(closed.sort(), [...Object.keys(endpoints), ...openedByLinks].sort())
})
