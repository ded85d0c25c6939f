import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { uploadForm } from '../support/api.ts'
import { aFolder } from '../support/folder.ts'
import { clientOf, gatewayEnvironment } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { submit, submitted } from '../support/pipeline.ts'
import { runVaak, startVaak } from '../support/processes.ts'
import { aClient } from '../support/realtime-server.ts'
import { aRemoteServer } from '../support/remote.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** Item 35 of what must not happen: secrets, and what people say, in a log. Everything is logged here that can be. */

const patienceMs = 120_000
/** Nobody answers there; `REMOTE_*` let us ask. */
const nobody = 'http://127.0.0.1:9/cradle-song?signature=s1gned'
const loud = {
  LOG_LEVEL: 'debug',
  RECOGNISER: 'scripted',
  CHUNK_RETRY_INTERVALS: '0.1,0.1,0.1',
  FILE_RETRY_INTERVALS: '0.1,0.1,0.1',
  REMOTE_ALLOW_PRIVATE: '127.0.0.1',
  REMOTE_PORTS: '9',
  WEBHOOK_MAX_RETRIES: '0',
}

test.serial('what people send is in no log of gateways and workers, and cannot make a line of it', async (t) => {
  t.timeout(2 * patienceMs)
  const { nats, service, environment, gateway } = await aLoudGateway(t)
  const worker = startVaak(t, ['worker'], environment)
  await worker.ready()
  const { api } = service
  const recording = aScriptedRecording(scriptedSeconds(2))
  const spoilt = [
    { audio: 7, commands: [{ stage: 'transcribe', act: 'terminal' }] },
    { audio: 8, commands: [{ stage: 'transcribe', act: 'retryable', times: 1 }] },
  ] as const
  const parts = [recording, aScriptedRecording(spoilt)].map((content) => ({ name: 'grandmother.wav', content }))
  const batch = await submit(api, parts, {
    hotwords: ['Voldemort'],
    callback_url: nobody,
    callback_headers: { Authorization: 'Bearer h3ader-of-a-call' },
    metadata: { diagnosis: 'm3tadata' },
  })
  await batch.finished(patienceMs)
  const remote = await api.post('/transcribe/batch', {
    json: { sources: [{ url: nobody, headers: { 'X-Api-Key': 'h3ader-of-a-source' } }] },
  })
  await submitted(api, remote.body).finished(patienceMs)
  t.is((await refusals(service)).length, 5)
  await worker.stop()
  await gateway.stop()

  await saysNothingOf(t, gateway.stderr + worker.stderr, {
    secrets: [
      ...(await keysOf(nats, service)),
      ...textsOf(recording),
      'grandmother',
      'Voldemort',
      'cradle-song',
      's1gned',
      'h3ader',
      'm3tadata',
      ...refusedWords,
    ],
    mustSay: [
      'gateway listens',
      'request answered',
      'worker works',
      'chunk failed',
      'step failed',
      'a call was not taken',
    ],
  })
})

test.serial('what people say to the realtime server, and who they are, is in no log', async (t) => {
  t.timeout(2 * patienceMs)
  const { nats, service, environment } = await aLoudGateway(t)
  const llm = await aRemoteServer(t, [
    (request, response) => void text(request).then((said) => response.writeHead(500).end(said)),
    (_, response) => {
      const chunk = { choices: [{ delta: { content: 'Sesame opens.' }, finish_reason: 'stop' }] }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    },
  ])
  const realtime = startVaak(t, ['realtime'], {
    ...environment,
    REALTIME_PORT: '0',
    LLM_BASE_URL: `http://127.0.0.1:${llm.port}/v1`,
    LLM_MODEL: 'a-model',
    LLM_API_KEY: 'sk-of-the-operator',
    // its models may still be on their way when it is told to stop
    SHUTDOWN_SECONDS: '60',
  })
  const url = (await realtime.ready()).replace('http', 'ws')
  const { stdout: apiKey } = await runVaak(t, ['keys', 'create', '--user', 'asha'], environment)
  const { body: secret } = await service.api.post('/v1/realtime/client_secrets', { json: {} })

  const client = aClient(t, url, { key: apiKey.trim() })
  await client.next('session.created', 0, patienceMs)
  client.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Ali Baba asks.' }] },
  })
  client.send({ type: 'response.create', response: { output_modalities: ['text'] } })
  t.is((await client.next('response.done', 0, patienceMs)).response.status, 'completed')
  client.send({ type: 'nonsense of Mallory' })
  await client.next('error')
  const second = aClient(t, url, { key: null, protocols: ['realtime', `openai-insecure-api-key.${secret.value}`] })
  await second.next('session.created', 0, patienceMs)
  await aClient(t, url, { key: 'spoilt-token' }).closed
  for (const { socket, closed } of [client, second]) {
    socket.close()
    await closed
  }
  await realtime.stop()

  await saysNothingOf(t, realtime.stderr, {
    secrets: [
      ...(await keysOf(nats, service)),
      apiKey.trim(),
      secret.value,
      'spoilt-token',
      'sk-of-the-operator',
      'Ali Baba',
      'Sesame',
      'Mallory',
    ],
    mustSay: ['realtime listens', 'session opened', 'conversation model is asked again', 'role stopped'],
  })
})

test.serial('nothing that a gateway and a worker write can be read by other users of the machine', async (t) => {
  t.timeout(2 * patienceMs)
  const { service, environment, dataDir } = await aLoudGateway(t)
  await startVaak(t, ['worker'], environment).ready()
  const recording = { name: 'a.wav', content: aScriptedRecording(scriptedSeconds(2)) }
  await (await submit(service.api, [recording], {})).finished(patienceMs)
  const open: string[] = []
  for (const name of ['.', ...(await readdir(dataDir, { recursive: true }))]) {
    const { mode } = await lstat(join(dataDir, name)).catch(() => ({ mode: 0 })) // some are gone by now
    if ((mode & 0o077) !== 0) open.push(`${name} ${(mode & 0o777).toString(8)}`)
  }
  const folders = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  t.true(folders.length >= 3)
  t.deepEqual(open, [])
})

async function aLoudGateway(t: ExecutionContext) {
  const nats = await aNatsServer(t)
  const dataDir = join(await aFolder(t), 'data')
  const environment = gatewayEnvironment(nats, { dataDir, environment: loud })
  const gateway = startVaak(t, ['gateway'], environment)
  return { nats, dataDir, environment, gateway, service: await clientOf(t, { url: await gateway.ready(), dataDir }) }
}

const refusedWords = ['spoilt-token', 'diary', 'hunter2', 's3cr3t', 'forged line', '\u001B']

/** What is refused, and by whom it was sent. */
async function refusals({ api }: Pick<TestGateway, 'api'>): Promise<number[]> {
  const withKey = { url: 'https://user:hunter2@example.com/signed?key=s3cr3t' }
  const notes = { name: 'diary\u001B[31m.txt', content: Buffer.from('dear diary') }
  const answers = [
    await api.post('/transcribe/batch', { json: { sources: [withKey] } }),
    await api.post('/transcribe/batch', { json: { sources: [{ url: nobody, headers: { Host: 's3cr3t' } }] } }),
    await api.as('spoilt-token-of-mallory').get('/files'),
    await api.post('/files/upload', { body: uploadForm(notes) }),
    await api.get('/files?limit=%0D%0Aforged%20line'),
  ]
  return answers.map(({ status }) => status).filter((status) => status >= 400)
}

async function keysOf(nats: TestNats, { tokenOf }: Pick<TestGateway, 'tokenOf'>): Promise<string[]> {
  // of a token, what all of them begin with and what tells them apart
  const [head, body] = (await tokenOf('asha')).split('.')
  return [nats.pass, head!, body!.slice(0, 40)]
}

/** One JSON object a line; of what it says, all of `mustSay` and none of `secrets`. */
async function saysNothingOf(
  t: ExecutionContext,
  log: string,
  input: { secrets: readonly string[]; mustSay: readonly string[] },
): Promise<void> {
  const lines = log.split('\n').filter((line) => line !== '')
  // whoever is first to need a model is told how far it is, in plain words that nobody sent
  const logged = lines.filter((line) => !/^fetching model [a-z0-9-]+(?: …|: \d+ %|: done)$/u.test(line))
  for (const line of logged) t.notThrows(() => JSON.parse(line), line)
  for (const words of input.mustSay) t.true(log.includes(words), `it was not logged: ${words}`)
  for (const secret of input.secrets) {
    const found = lines.filter((line) => line.includes(secret) || line.includes(JSON.stringify(secret).slice(1, -1)))
    t.deepEqual(found, [], `${secret.slice(0, 20)} was logged`)
  }
}
