import test from 'ava'

import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline, submitted } from '../support/pipeline.ts'
import { aFetcher, aRemoteServer, brokenAfter, redirectTo, whole } from '../support/remote.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

/** Headers that users have sent with our requests: to whom they go, and where they are never seen. */

const wav = aScriptedRecording(scriptedSeconds(1))
const secret = 'Bearer of-a-key-that-nobody-sees'
const headers = { Authorization: secret, Cookie: 'session=of-somebody', 'X-Api-Key': 'k' }

test('the headers of a source are sent through redirects of its own server, and again when a transfer breaks', async (t) => {
  const server = await aRemoteServer(t, [redirectTo('/a'), brokenAfter(1_000, wav), redirectTo('/b'), whole(wav)])
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  await remote.fetch(server.url, path, { headers })
  t.is(server.requests.length, 4)
  for (const { headers: sent } of server.requests) {
    t.like(sent, { authorization: secret, cookie: 'session=of-somebody', 'x-api-key': 'k' })
    t.is(sent['accept-encoding'], 'identity')
  }
})

test('who is led to by the server of a URL gets none of its headers, nor does that server when it is led back to', async (t) => {
  const other = await aRemoteServer(t, (_, response) => redirectTo(`${first.url}?back`)(_, response))
  const first = await aRemoteServer(t, [redirectTo(other.url), whole(wav)])
  const { remote, path } = await aFetcher(t, { ports: [first.port, other.port] })
  await remote.fetch(first.url, path, { headers })
  const sent = [...other.requests, ...first.requests.slice(1)]
  t.is(sent.length, 2)
  for (const { headers: seen } of sent)
    t.deepEqual([seen.authorization, seen.cookie, seen['x-api-key']], [undefined, undefined, undefined])
  t.is(first.requests[0]?.headers.authorization, secret)
})

test('headers reach the servers that they are for, and no answer of ours', async (t) => {
  // says back what it was sent, as careless servers do
  const server = await aRemoteServer(t, (request, response) => {
    const said = String(request.headers.authorization)
    if (request.method === 'POST') return void response.writeHead(500, { 'x-said': said }).end(said)
    if (said === secret) return whole(wav)(request, response)
    return void response.writeHead(401, { 'www-authenticate': said }).end(said)
  })
  const { api, addWorker } = await aPipeline(t, await aNatsServer(t), {
    REMOTE_ALLOW_PRIVATE: '127.0.0.1',
    REMOTE_PORTS: String(server.port),
    WEBHOOK_MAX_RETRIES: '0',
  })
  await addWorker()
  const wrong = 'Bearer of-another-key-that-nobody-sees'
  const json = {
    sources: [
      { url: `${server.url}?1`, headers: { Authorization: secret }, metadata: { call: 1 } },
      { url: `${server.url}?2`, headers: { authorization: wrong } },
    ],
    callback_url: `http://127.0.0.1:${server.port}/hook`,
    callback_headers: { Authorization: secret },
  }
  const keyed = { json, headers: { 'Idempotency-Key': 'once' } }
  const accepted = await api.post('/transcribe/batch', keyed)
  t.is(accepted.status, 200, JSON.stringify(accepted.body))
  const batch = submitted(api, accepted.body)
  const { files } = await batch.finished()
  t.deepEqual(
    files.map(({ status }: { status: string }) => status),
    ['completed', 'failed'],
  )
  t.regex(files[1].errors[0].message, /denies access \(status 401\)/)
  const hook = `/transcribe/webhooks/batch/${batch.batchId}`
  await eventually('the call was given up', async () => (await api.get(hook)).body.status === 'given_up')
  const call = server.requests.find(({ path }) => path === '/hook')
  t.like(call?.headers, { authorization: secret, 'content-type': 'application/json' })
  t.regex(String(call?.headers['webhook-signature']), /^v1,/)

  const retried = await api.post(`/transcribe/batch/${batch.batchId}/retry`)
  const asked = server.requests.length
  await submitted(api, retried.body).finished()
  t.true(server.requests.slice(asked).some(({ headers: sent }) => sent.authorization === wrong))
  const seen = [accepted, await api.post('/transcribe/batch', keyed), retried]
  for (const path of [
    `/transcribe/status/batch/${batch.batchId}`,
    `/transcribe/results/batch/${batch.batchId}?chunks=true`,
    `/transcribe/results/batch/${batch.batchId}?raw=true`,
    `/transcribe/download/batch/${batch.batchId}`,
    `/transcribe/events/batch/${batch.batchId}`,
    ...batch.fileIds.flatMap((id) => [`/transcribe/results/file/${id}`, `/transcribe/status/file/${id}`]),
    '/transcribe/batches',
    '/transcribe/files',
    hook,
  ]) {
    const answer = await api.get(path)
    t.is(answer.status, 200, path)
    seen.push(answer)
  }
  for (const { body, headers: sent } of seen)
    t.notRegex(JSON.stringify([body, ...sent]), /that-nobody-sees|uthorization/)
})
