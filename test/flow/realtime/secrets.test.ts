import test from 'ava'
import type { ExecutionContext } from 'ava'

import { sharedService } from '../../support/service.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'
import type { TestRealtime } from '../../support/realtime-server.ts'

const gateway = sharedService(test)

async function post(
  t: ExecutionContext,
  { httpUrl }: TestRealtime,
  input: { kind?: string; body?: unknown; key?: string | null },
) {
  const answer = await fetch(`${httpUrl}/v1/realtime/${input.kind ?? 'client_secrets'}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(input.key !== null && { authorization: `Bearer ${input.key ?? 'good'}` }),
    },
    body: JSON.stringify(input.body ?? {}),
  })
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  // oxlint-disable-next-line typescript/no-explicit-any -- read as documented
  return { status: answer.status, body: (await answer.json()) as any }
}

test('a server asks for a secret, and its browser opens a session that begins as the server said', async (t) => {
  const realtime = await aRealtimeServer(t)
  const session = { type: 'realtime', instructions: 'Be a pirate.', audio: { output: { voice: 'marin' } } }
  const { status, body } = await post(t, realtime, {
    body: { session, expires_after: { anchor: 'created_at', seconds: 60 } },
  })
  t.is(status, 200)
  t.regex(body.value, /^ek_/)
  t.true(Math.abs(body.expires_at - Date.now() / 1000 - 60) < 10)
  t.is(body.session.instructions, 'Be a pirate.')
  t.is(body.session.expires_at, 0)
  const client = realtime.connect({ key: null, protocols: ['realtime', `openai-insecure-api-key.${body.value}`] })
  const created = await client.next('session.created')
  t.is(created.session.instructions, 'Be a pirate.')
  t.is(created.session.audio.output.voice, 'marin')
})

test('a locked secret keeps its instructions, whatever the browser sends', async (t) => {
  const realtime = await aRealtimeServer(t)
  const { body } = await post(t, realtime, {
    body: { session: { type: 'realtime', instructions: 'Be a pirate.' }, locked: true },
  })
  const client = realtime.connect({ key: body.value })
  await client.next('session.created')
  client.send({ type: 'session.update', event_id: 'mine', session: { type: 'realtime', instructions: 'Be evil.' } })
  t.is((await client.next('error')).error.event_id, 'mine')
})

test('older clients ask for sessions and transcription sessions', async (t) => {
  const realtime = await aRealtimeServer(t)
  const sessions = await post(t, realtime, {
    kind: 'sessions',
    body: { model: 'gpt-4o-realtime-preview', voice: 'verse' },
  })
  t.is(sessions.status, 200)
  t.regex(sessions.body.client_secret.value, /^ek_/)
  t.is(sessions.body.voice, 'verse')
  const transcription = await post(t, realtime, {
    kind: 'transcription_sessions',
    body: { input_audio_format: 'g711_ulaw' },
  })
  t.is(transcription.body.object, 'realtime.transcription_session')
  const client = realtime.connect({ key: transcription.body.client_secret.value, path: '/v1/realtime' })
  t.is((await client.next('session.created')).session.type, 'transcription')
})

const wrong: readonly [title: string, body: unknown, status: number][] = [
  ['an unknown field', { nonsense: 1 }, 400],
  ['a lifetime beyond the limit', { expires_after: { seconds: 8_000 } }, 400],
  [
    'a session that no session could be',
    { session: { type: 'realtime', audio: { output: { voice: 'nobody' } } } },
    400,
  ],
  ['a session that is too large for a header', { session: { type: 'realtime', instructions: 'x'.repeat(9_000) } }, 413],
]
for (const [title, body, status] of wrong)
  test(`${title} is refused with ${status} and a sentence`, async (t) => {
    const answer = await post(t, await aRealtimeServer(t), { body })
    t.is(answer.status, status)
    t.is(typeof answer.body.detail, 'string')
    t.is(answer.body.error.message, answer.body.detail)
  })

test('nobody, a bad key, and a secret itself get no secret', async (t) => {
  const realtime = await aRealtimeServer(t)
  const { body } = await post(t, realtime, {})
  for (const key of [null, 'bad', body.value]) t.is((await post(t, realtime, { key })).status, 401)
})

test('the gateway makes the same secrets, and takes them for nothing else', async (t) => {
  const { api } = await gateway.user(t)
  const { status, body } = await api.post('/v1/realtime/client_secrets', { json: { session: { type: 'realtime' } } })
  t.is(status, 200)
  t.regex(body.value, /^ek_/)
  t.is((await api.as(body.value).get('/files')).status, 401)
  t.is((await api.as(body.value).post('/v1/realtime/client_secrets', { json: {} })).status, 401)
  t.is((await api.post('/v1/realtime/sessions', { json: { voice: 'nobody' } })).status, 400)
  t.is((await api.as(undefined).post('/v1/realtime/transcription_sessions', { json: {} })).status, 401)
})

test('health and the page need no key, and nothing else is there', async (t) => {
  const { httpUrl } = await aRealtimeServer(t)
  t.deepEqual(await (await fetch(`${httpUrl}/healthz`)).json(), { status: 'ok' })
  t.is((await fetch(`${httpUrl}/nothing`)).status, 404)
  t.is((await fetch(`${httpUrl}/page/..%2fmain.ts`)).status, 404)
  t.is((await fetch(`${httpUrl}/metrics`)).status, 404)
})
