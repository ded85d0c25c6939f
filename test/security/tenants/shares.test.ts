import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Api } from '../../support/api.ts'
import { uploadForm } from '../../support/api.ts'
import { aGateway } from '../../support/gateway.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { aWav } from '../../support/media.ts'
import { aMultipart, multipartType } from '../../support/multipart.ts'
import { head, rawConnection } from '../../support/raw-http.ts'
import { sharedService } from '../../support/service.ts'

const service = sharedService(test)
const wav = aWav({ seconds: 0.1 })

interface TwoTenants {
  readonly gateway: TestGateway
  readonly hostile: Api
  readonly good: Api
}

async function twoTenants(t: ExecutionContext, environment: Record<string, string>): Promise<TwoTenants> {
  const gateway = await aGateway(t, service.nats, { environment })
  return { gateway, hostile: await gateway.apiOf('hostile'), good: await gateway.apiOf('good') }
}

const upload = (api: Api) => api.post('/files/upload', { body: uploadForm({ name: 'one.wav', content: wav }) })

test('one user’s uploads take that user’s places, and others upload meanwhile', async (t) => {
  const { gateway, hostile, good } = await twoTenants(t, { UPLOAD_MAX_CONCURRENT: '4', UPLOAD_MAX_PER_USER: '2' })
  const token = await gateway.tokenOf('hostile')
  for (let times = 0; times < 2; times += 1) {
    const begun = await rawConnection(t, gateway.url)
    const bearer = `Authorization: Bearer ${token}`
    const lines = [
      'Host: vaak',
      bearer,
      `Content-Type: ${multipartType}`,
      'Content-Length: 1000',
      'Expect: 100-continue',
    ]
    await begun.send(head('POST /files/upload HTTP/1.1', ...lines))
    t.is((await begun.answer()).status, 100)
    await begun.send(aMultipart({ content: wav }).subarray(0, 100))
  }
  const refused = await upload(hostile)
  t.is(refused.status, 429)
  t.regex(refused.body.detail, /You have 2 uploads open, and the limit is 2/)
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
  t.is((await upload(good)).status, 202)
})

test('one user’s spoken answers take that user’s places, and others are spoken to', async (t) => {
  const { gateway, hostile, good } = await twoTenants(t, {
    TTS_ENGINE: 'light',
    SPEECH_MAX_CONCURRENT: '2',
    SPEECH_MAX_PER_USER: '1',
  })
  const leaving = new AbortController()
  t.teardown(() => leaving.abort())
  const unread = await fetch(`${gateway.url}/v1/audio/speech`, {
    method: 'POST',
    signal: leaving.signal,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await gateway.tokenOf('hostile')}` },
    body: JSON.stringify({
      voice: 'maya',
      input: 'One after the other. '.repeat(150),
      response_format: 'pcm',
      speed: 0.25,
    }),
  })
  t.is(unread.status, 200)
  const ask = (api: Api) =>
    api.post('/v1/audio/speech', { json: { voice: 'maya', input: 'Yes.', response_format: 'wav' } })
  t.is((await ask(hostile)).status, 429)
  t.is((await ask(good)).status, 200)
})

test('one user’s comparisons wait in that user’s places, and others are compared', async (t) => {
  const { hostile, good } = await twoTenants(t, {})
  const alphabet = 'कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह'
  const long = (step: number) => Array.from({ length: 20_000 }, (_, at) => alphabet[(at * step) % 32]).join('')
  const worst = { reference: long(5), hypothesis: long(11) }
  const crowd = Promise.all(Array.from({ length: 8 }, () => hostile.post('/transcribe/evaluate', { json: worst })))
  const one = await good.post('/transcribe/evaluate', { json: { reference: 'नमस्ते', hypothesis: 'नमस्ते' } })
  t.is(one.status, 200)
  const statuses = (await crowd).map(({ status }) => status)
  t.is(statuses.filter((status) => status === 200).length, 2)
  t.is(statuses.filter((status) => status === 429).length, 6)
})

test('one user has a share of the queue, and others submit when it is used up', async (t) => {
  const { hostile, good } = await twoTenants(t, { QUEUE_MAX_FILES: '6', QUEUE_MAX_FILES_PER_USER: '3' })
  const submit = (api: Api, files: number) => {
    const sources = Array.from({ length: files }, (_, at) => ({ url: `https://example.org/${at}.wav` }))
    return api.post('/transcribe/batch', { json: { sources } })
  }
  t.is((await submit(hostile, 2)).status, 200)
  const refused = await submit(hostile, 2)
  t.is(refused.status, 429)
  t.regex(refused.body.detail, /4 of your files would wait.*share of the queue is 3 files/)
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
  t.is((await submit(good, 3)).status, 200)
})
