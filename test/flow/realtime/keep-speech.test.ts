import test from 'ava'

import { readConfig } from '../../../infra/config/config.ts'
import { qualityOf } from '../../../infra/speech/evaluate/quality.ts'
import { startRealtime } from '../../../realtime/main.ts'
import type { Api } from '../../support/api.ts'
import { sentence, silence } from '../../support/client-audio.ts'
import { englishFixture } from '../../support/english.ts'
import { eventually } from '../../support/eventually.ts'
import { gatewayEnvironment } from '../../support/gateway.ts'
import { aNatsServer, cacheFolderForTests } from '../../support/nats.ts'
import { aPipeline } from '../../support/pipeline.ts'
import { aClient } from '../../support/realtime-server.ts'
import { silentLog } from '../../support/silent-log.ts'

/** What is said and answered in a session with its real models, as the file that it becomes has it. */

const withinMs = 240_000
const errorsIn = (heard: string, said: string): number => qualityOf({ said, heard }).word_error_rate

async function aVocabulary(api: Api): Promise<string> {
  const made = await api.post('/vocabularies', { json: { name: 'house', entries: [{ text: 'Vaak' }] } })
  return made.body.vocabulary_id
}

test('a conversation becomes a file whose transcript says what was said live, turn by turn', async (t) => {
  t.timeout(2 * withinMs, 'the first run fetches the models')
  const nats = await aNatsServer(t)
  const pipeline = await aPipeline(t, nats, { RECOGNISER: 'models', STALE_MS: '60000', ACK_WAIT_MS: '30000' })
  await pipeline.addWorker()
  const environment = { REALTIME_PORT: '0', TTS_ENGINE: 'light' }
  const config = readConfig(gatewayEnvironment(nats, { dataDir: pipeline.dataDir, environment }))
  const realtime = await startRealtime(config, { log: silentLog, cacheDir: cacheFolderForTests() })
  t.teardown(() => realtime.close())
  const client = aClient(t, realtime.url.replace('http', 'ws'), { key: await pipeline.gateway.tokenOf('asha') })
  await client.next('session.created')
  const { fileId } = await eventually('it is recorded', async () => {
    const after = client.events.length
    client.send({
      type: 'session.update',
      session: { type: 'realtime', vaak: { keep: true }, audio: { input: { transcription: {} } } },
    })
    await eventually('it is answered', () => client.events.length > after)
    const { session } = client.events.at(-1) as { session?: { vaak?: { file_id: string } } }
    return session?.vaak && { fileId: session.vaak.file_id }
  })
  const stranger = await pipeline.gateway.apiOf('ravi')
  const theirs = await aVocabulary(stranger)
  const ours = await aVocabulary(pipeline.api)
  for (const [vocabulary, answer] of [
    [theirs, 'error'],
    [ours, 'session.updated'],
  ] as const) {
    const after = client.events.length
    client.send({ type: 'session.update', session: { type: 'realtime', vaak: { vocabulary } } })
    await client.next(answer, after)
  }
  t.is(
    (
      await client.next(
        'error',
        client.events.findLastIndex(({ type }) => type === 'error'),
      )
    ).error.code,
    'vocabulary_not_found',
  )
  for (const audio of (await sentence(100)).pieces) client.send(audio)
  for (let at = 0; at < 15; at += 1) client.send(silence(100))
  const { response } = await client.next('response.done', 0, withinMs)
  const [{ transcript: answered }] = response.output[0].content
  client.socket.close(1000)

  const turns = await eventually(
    'it is transcribed',
    async () => {
      const { body } = await pipeline.api.get(`/files/${fileId}/turns`)
      return body.status === 'completed' && body.turns
    },
    withinMs,
  )
  t.deepEqual(
    turns.map(({ role }: { role: string }) => role),
    ['user', 'assistant'],
  )
  const [asked, answer] = turns
  const { text: said } = await englishFixture()
  t.true(errorsIn(asked.live_text, said) < 0.3, asked.live_text)
  t.true(errorsIn(asked.text, said) < 0.3, asked.text)
  // what was not played when the client left was not heard
  t.true(answer.live_text.length > 20 && answered.startsWith(answer.live_text), answer.live_text)
  t.true(errorsIn(answer.text, answer.live_text) < 0.5, answer.text)
  const { body: listed } = await pipeline.api.get('/files')
  t.regex(listed.files[0].filename, /^Conversation \d{4}-\d\d-\d\d \d\d\.\d\d UTC\.flac$/)
  t.is(listed.files[0].file_id, fileId)
})
