import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { principalWith } from '../../../infra/identity/principal.ts'
import { createDecoder } from '../../../infra/speech/audio/decode.ts'
import { systemClock } from '../../../infra/timing/clock.ts'
import type { Api } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { someKeptSessions } from '../../support/kept-sessions.ts'
import { startTestNats } from '../../support/nats.ts'
import type { TestNats } from '../../support/nats.ts'
import { aPhone, exotelScript, plivoScript, twilioScript } from '../../support/phone.ts'
import { aPipeline } from '../../support/pipeline.ts'
import type { Pipeline } from '../../support/pipeline.ts'
import { aDetector, aListener, aModel, says } from '../../support/realtime-fakes.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'
import type { TestClient, TestRealtime } from '../../support/realtime-server.ts'
import { audioOf } from '../../support/realtime-session.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { sessionRecordingsIn } from '../../support/session-recordings.ts'
import { ownerOf } from '../../support/service.ts'
import { aReceiver } from '../../support/webhook-receiver.ts'

/** Sessions that are kept and go another way than one socket to its end: by telephone, and from server to server. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const patienceMs = 60_000
const kept = { type: 'realtime', vaak: { keep: true }, audio: { input: { transcription: {} } } }

/** Tests share a broker, and each has a user of its own. */
async function aUser({ gateway }: Pipeline, name: string) {
  const token = await gateway.tokenOf(name)
  return { token, api: await gateway.apiOf(name), principal: principalWith(ownerOf(name), name) }
}

/** The recogniser of these tests understands nothing of such a file, and that is the end of its batch. */
async function settled(api: Api, fileId: string) {
  return eventually('its batch is over', async () => {
    const { body } = await api.get(`/files/${fileId}/turns`)
    return body.status === 'failed' && body
  })
}

/** For how many seconds something is to be heard on each channel. */
async function soundOf(t: ExecutionContext, url: string, token: string): Promise<number[]> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const path = join(await aFolder(t), 'call.flac')
  await writeFile(path, Buffer.from(await answer.arrayBuffer()))
  const decoder = createDecoder()
  t.teardown(() => decoder.close())
  const seconds: number[] = []
  for await (const channels of await decoder.decode(path, { channels: 'separate' }))
    for (const [channel, samples] of channels.entries())
      seconds[channel] = (seconds[channel] ?? 0) + samples.filter((sample) => Math.abs(sample) > 0.01).length / 16_000
  return seconds
}

async function speak(client: TestClient): Promise<void> {
  const after = client.events.length
  for (const isLoud of [false, true, false])
    client.send({ type: 'input_audio_buffer.append', audio: audioOf(800, isLoud) })
  await client.next('response.done', after)
}

const rolesOf = (turns: readonly { role: string }[]): string[] => turns.map(({ role }) => role).toSorted()

for (const [name, script] of [
  ['twilio', twilioScript],
  ['plivo', plivoScript],
  ['exotel', exotelScript],
] as const)
  test.serial(`${name}: a call that is kept is a file with its two sides, and its owner is called back`, async (t) => {
    const { calls, environment, url } = await aReceiver(t, 204)
    const pipeline = await aPipeline(t, nats, { ...environment, SWEEP_MS: '50' })
    await pipeline.addWorker()
    const { api, token, principal } = await aUser(pipeline, name)
    const [listener, answers, detector] = [aListener(), aModel(), aDetector()]
    listener.next.push('what is the time')
    answers.next.push(says('It is late in the evening.'))
    const session = { ...kept, vaak: { keep: true, callback_url: url } }
    const realtime = await aRealtimeServer(t, {
      recordings: await sessionRecordingsIn(t, pipeline.dataDir),
      speech: { listener, answers, detector },
      identify: async () => ({ principal, grant: { kind: 'realtime', session, locked: false } }),
    })
    const phone = await aPhone(t, realtime.url, { script })
    phone.begin({ token: 'ek_of_asha' })
    await eventually('the call is taken', () => realtime.places.taken === 1)
    const [recording] = await speechFixtures('english')
    phone.say(recording!.samples)
    phone.silence(800)
    await phone.hears('the answer', 500)
    const answeredAtMs = systemClock.elapsedMs()
    await eventually('some of it was played', () => systemClock.elapsedMs() > answeredAtMs + 1_000)
    phone.send(script.stop)
    await phone.closed
    const { file_id: fileId } = await eventually(
      'it is a file',
      async () => (await api.get('/files?upload_status=completed')).body.files[0],
    )
    const { turns, batch_id } = await settled(api, fileId)
    t.deepEqual(rolesOf(turns), ['assistant', 'user'])
    t.is(turns.find(({ role }: { role: string }) => role === 'user').live_text, 'what is the time')
    const [heard, answered] = await soundOf(t, `${api.url}/files/${fileId}/audio`, token)
    t.true(heard! > 0.5 && answered! > 0.2, `${heard} s and ${answered} s`)
    await eventually('they are called back', () => calls.length === 1)
    t.like(JSON.parse(calls[0]!.body), { type: 'batch.finished', data: { batch_id } })
  })

test.serial('a session that its server hands on is one recording with the turns of both', async (t) => {
  const pipeline = await aPipeline(t, nats, { SWEEP_MS: '50' })
  await pipeline.addWorker()
  const { api, principal } = await aUser(pipeline, 'asha')
  const keptSessions = someKeptSessions()
  const servers = []
  for (let more = 0; more < 2; more += 1)
    servers.push(
      await aRealtimeServer(t, {
        recordings: await sessionRecordingsIn(t, pipeline.dataDir),
        kept: keptSessions,
        identify: async () => ({ principal }),
      }),
    )
  const [first, second] = servers as [TestRealtime, TestRealtime]
  const client = first.connect()
  const { session } = await client.next('session.created')
  client.send({ type: 'session.update', session: kept })
  const { file_id: fileId } = (await client.next('session.updated')).session.vaak
  await speak(client)
  await first.server.drain(patienceMs)
  t.is((await client.closed).code, 1012)
  const again = second.connect({ path: `/v1/realtime?model=vaak-realtime&resume=${session.id}` })
  t.is((await again.next('session.created')).session.vaak.file_id, fileId)
  await speak(again)
  again.socket.close(1000)
  const { turns } = await settled(api, fileId)
  t.deepEqual(rolesOf(turns), ['assistant', 'assistant', 'user', 'user'])
  t.is((await api.get('/files')).body.total_files, 1)
})
