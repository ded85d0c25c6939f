import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { BatchState } from '../../../actors/batch/state.ts'
import { principalWith } from '../../../infra/identity/principal.ts'
import { newIds } from '../../../infra/ids/new-ids.ts'
import { openRecords } from '../../../infra/nats/records/records.ts'
import { buckets } from '../../../infra/nats/topology/topology.ts'
import { systemClock } from '../../../infra/timing/clock.ts'
import { exampleIn, ranExample } from '../../support/docs-examples.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { aGateway } from '../../support/gateway.ts'
import { aWav } from '../../support/media.ts'
import { runVaak } from '../../support/processes.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'
import { audioOf } from '../../support/realtime-session.ts'
import { ownerOf, sharedService } from '../../support/service.ts'
import type { TestUser } from '../../support/service.ts'
import { sessionRecordingsIn } from '../../support/session-recordings.ts'
import { uploadForm } from '../../support/api.ts'

/** Sessions that become files of their owner, at a real gateway and in its storage. */

/** Of every gateway: any of them may finish what any session left. */
const environment = { SWEEP_MS: '50', QUOTA_STORED_FILES: '2' }
const service = sharedService(test, environment)

/** A server of sessions beside the gateway; users are known by their names. */
async function aServer(t: ExecutionContext) {
  const recordings = await sessionRecordingsIn(t, service.dataDir)
  const realtime = await aRealtimeServer(t, {
    recordings,
    // of everybody, and still there
    vocabularies: { read: async (id) => ({ sha256: id, entries: [] }) },
    identify: async (name) => ({ principal: principalWith(ownerOf(name), name) }),
  })
  return realtime
}

const kept = { vaak: { keep: true }, audio: { input: { transcription: {} } } }

/** Says something, is answered, and leaves; resolves with the file that it becomes. */
async function aConversation(t: ExecutionContext, user: TestUser, session: object = kept): Promise<string> {
  const realtime = await aServer(t)
  const client = realtime.connect({ key: user.name })
  await client.next('session.created')
  client.send({ type: 'session.update', session: { type: 'realtime', ...session } })
  const updated = await client.next('session.updated')
  for (const isLoud of [false, true, false])
    client.send({ type: 'input_audio_buffer.append', audio: audioOf(800, isLoud) })
  await client.next('response.done')
  client.socket.close(1000)
  return updated.session.vaak.file_id
}

async function turnsOf(user: TestUser, fileId: string) {
  return eventually('it is a file that waits to be transcribed', async () => {
    const { status, body } = await user.api.get(`/files/${fileId}/turns`)
    return status === 200 && body.status === 'queued' && body
  })
}

async function settingsOf(t: ExecutionContext, user: TestUser, fileId: string) {
  const { batch_id } = await turnsOf(user, fileId)
  const connection = await service.nats.connect('reading')
  t.teardown(() => connection.close())
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  const batch = await (await openRecords<BatchState>(client, buckets.batches)).read(batch_id)
  return batch!.value.settings
}

/** The names of everything that storage has of a file. */
async function storedOf(fileId: string): Promise<string[]> {
  const all = await readdir(join(service.dataDir, 'objects'), { recursive: true })
  return all.filter((path) => path.includes(fileId))
}

test('a conversation is a file of its owner, with its turns, and nothing of it is another user’s', async (t) => {
  const user = await service.user(t)
  const fileId = await aConversation(t, user)
  const body = await turnsOf(user, fileId)
  // who pushes sound faster than it is spoken, and leaves before the answer was played, has its turns in any order
  const said = Object.fromEntries(body.turns.map((turn: { role: string }) => [turn.role, turn]))
  t.deepEqual(Object.keys(said).sort(), ['assistant', 'user'])
  t.is(said.user.live_text, 'hello there')
  const page = await (await fetch(`${service.url}/docs`)).text()
  const shown = await ranExample(exampleIn(page, { operation: 'getSessionTurns', language: 'node' }), {
    language: 'node',
    folder: await aFolder(t),
    env: { VAAK_URL: service.url, VAAK_TOKEN: user.token, FILE_ID: fileId },
  })
  t.deepEqual(JSON.parse(shown), body, 'the example of the document shows them')
  const vaak = (...words: string[]) =>
    runVaak(t, ['results', ...words, '--turns'], { VAAK_URL: service.url, VAAK_TOKEN: user.token })
  const read = await vaak('--file', fileId)
  t.is(read.code, 0, read.stderr)
  t.regex(read.stdout, new RegExp(`^==> ${fileId}, queued <==\\n[^]*0:0\\d user\\n  live   hello there\\n`))
  t.is((await vaak('--file', fileId, '--style', 'clean')).code, 2)
  const { body: listed } = await user.api.get('/files')
  t.like(listed.files[0], { file_id: fileId, content_type: 'audio/flac', upload_status: 'completed' })
  const { body: batches } = await user.api.get('/transcribe/batches')
  t.deepEqual(
    batches.batches.map(({ batch_id }: { batch_id: string }) => batch_id),
    [body.batch_id],
  )
  const stranger = await service.user(t)
  t.is((await stranger.api.get(`/files/${fileId}/turns`)).status, 404)
  t.is((await stranger.api.get(`/files/${fileId}/audio`)).status, 404)
  t.is((await user.api.get(`/files/${newIds(systemClock).nextFileId()}/turns`)).status, 404)
  await eventually('nothing of the pieces is left', async () =>
    (await storedOf(fileId)).every((path) => !path.startsWith('session-recordings')),
  )
})

test('it is transcribed by the words and the language that the session was told', async (t) => {
  const user = await service.user(t)
  const house = { name: 'house', entries: [{ text: 'Vaak' }] }
  const { vocabulary_id: vocabulary } = (await user.api.post('/vocabularies', { json: house })).body
  const transcription = { language: 'hi-IN', keywords: ['Vaak', ' ', 'x'.repeat(65)] }
  const fileId = await aConversation(t, user, { vaak: { keep: true, vocabulary }, audio: { input: { transcription } } })
  t.like(await settingsOf(t, user, fileId), {
    language: 'hi',
    hotwords: ['Vaak'],
    channels: 'separate',
    vocabulary: { id: vocabulary, version: 1 },
  })
})

test('a vocabulary that is gone by then is done without', async (t) => {
  const user = await service.user(t)
  const gone = newIds(systemClock).nextVocabularyId()
  const fileId = await aConversation(t, user, { vaak: { keep: true, vocabulary: gone } })
  t.false('vocabulary' in (await settingsOf(t, user, fileId)))
})

test('what is deleted takes its turns along', async (t) => {
  const user = await service.user(t)
  const fileId = await aConversation(t, user)
  await turnsOf(user, fileId)
  t.is((await user.api.delete('/files', { json: { file_ids: [fileId] } })).status, 200)
  t.is((await user.api.get(`/files/${fileId}/turns`)).status, 404)
  await eventually('nothing of it is left', async () => (await storedOf(fileId)).length === 0)
})

test('of several gateways one makes the file', async (t) => {
  const user = await service.user(t)
  const { dataDir, nats } = service
  for (let more = 0; more < 2; more += 1) await aGateway(t, nats, { dataDir, environment })
  const fileId = await aConversation(t, user)
  await turnsOf(user, fileId)
  t.is((await user.api.get('/files')).body.total_files, 1)
  t.is((await user.api.get('/transcribe/batches')).body.batches.length, 1)
})

test('a recording waits for room in its owner’s quota', async (t) => {
  const user = await service.user(t)
  const content = aWav({ seconds: 0.5 })
  const form = uploadForm(...['one.wav', 'two.wav'].map((name) => ({ name, content })))
  const uploaded = await user.api.post('/files/upload', { body: form })
  t.is(uploaded.status, 202)
  const fileId = await aConversation(t, user)
  await eventually('it is known', async () => (await storedOf(fileId)).some((path) => path.includes('/ended/')))
  t.is((await user.api.get(`/files/${fileId}/turns`)).body.status, 'recording')
  const hindered = await eventually(
    'its owner sees why',
    async () => (await user.api.get(`/files/${fileId}/turns`)).body.hindered_by,
  )
  t.is(hindered.reason, 'quota')
  t.regex(hindered.message, /your quota is 2 files/)
  t.is((await user.api.get('/files')).body.total_files, 2)
  const { file_id: old } = uploaded.body.files[0]
  await eventually('it is stored', async () => (await user.api.get('/files?upload_status=completed')).body.count === 2)
  await user.api.delete('/files', { json: { file_ids: [old] } })
  await turnsOf(user, fileId)
  t.pass()
})
