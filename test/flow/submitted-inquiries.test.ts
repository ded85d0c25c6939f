import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Api } from '../support/api.ts'
import { aChatServer, saysInChat } from '../support/chat-server.ts'
import type { ChatAnswer } from '../support/chat-server.ts'
import { eventually } from '../support/eventually.ts'
import { isOnDisk } from '../support/on-disk.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline, submitted } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aFolder } from '../support/folder.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { aReceiver } from '../support/webhook-receiver.ts'

/** Summaries, translations and answers that a submission asks for, from there to what a chat endpoint wrote. */

const content = aScriptedRecording(scriptedSeconds(2))
/** Fails once in each run: for good where nothing is tried again, and not where it is. */
const failing = aScriptedRecording([{ audio: 9, commands: [{ stage: 'plan', act: 'retryable', times: 1 }] }])

/** Each kind of inquiry has instructions of its own, and so an answer of its own. */
const byInstructions: ChatAnswer = (response, request) => {
  const [{ content: instructions }] = request.body.messages
  const said = instructions.includes('{"summary"')
    ? '{"summary": "Two numbers are told."}'
    : instructions.includes('{"translations"')
      ? '{"translations": [{"line": 1, "text": "In English."}]}'
      : '{"answered": true, "answer": "The second.", "lines": [1]}'
  saysInChat(said)(response, request)
}

async function aHouse(t: ExecutionContext, environment: Readonly<Record<string, string>> = {}) {
  const chat = await aChatServer(t, byInstructions)
  const settings = { LLM_BASE_URL: chat.baseUrl, LLM_MODEL: 'test-model', LLM_RETRIES: '0', ...environment }
  return { ...(await aPipeline(t, await aNatsServer(t), settings)), ...chat }
}

interface ShownInquiry {
  readonly inquiry_id: string
  readonly type: string
  readonly status: string
}

const pathOf = (fileId: string): string => `/transcribe/results/file/${fileId}/inquiries`

async function written(api: Api, fileId: string, count: number): Promise<readonly ShownInquiry[]> {
  return eventually(`${count} are written`, async () => {
    const { inquiries } = (await api.get(pathOf(fileId))).body as { inquiries: ShownInquiry[] }
    return inquiries.length === count && inquiries.every(({ status }) => status !== 'waiting') ? inquiries : undefined
  })
}

test('what a submission wants is written when a file is done, and of one that failed when it is tried again', async (t) => {
  const { api, submit, startWorker, addWorker, asked, nats, dataDir } = await aHouse(t)
  const strict = await startWorker({ FILE_MAX_RETRIES: '0' })
  const question = 'Which one is confidential?'
  const wanted = [{ type: 'summary' }, { type: 'question', question }, { type: 'summary' }]
  const files = [
    { name: 'call.wav', content },
    { name: 'broken.wav', content: failing },
  ]
  const batch = await submit(files, { after: wanted, task: 'translate' })
  const { files: ended } = await batch.finished()
  t.deepEqual(ended.map(({ status }: { status: string }) => status).toSorted(), ['completed', 'failed'])
  const [done, failed] = ['completed', 'failed'].map(
    (status) => ended.find((one: { status: string }) => one.status === status).file_id as string,
  ) as [string, string]
  const found = await written(api, done, 3)
  const about = found.find(({ type }) => type === 'question')
  t.like(
    found.find(({ type }) => type === 'translation'),
    { status: 'completed', model: 'test-model', translation: [{ text: 'In English.' }] },
  )
  t.like(about, { status: 'completed', question, answer: 'The second.' })
  t.deepEqual((await api.get(pathOf(failed))).body.inquiries, [])
  t.is(asked.length, 3)
  t.false(await isOnDisk(nats.storeDir, 'confidential'), 'no record and no message has what was asked')
  await strict.stop()
  await addWorker()
  // who deletes one is not given it again
  t.is((await api.delete(`${pathOf(done)}/summary`)).status, 200)
  const { body: retried } = await api.post(`/transcribe/batch/${batch.batchId}/retry`)
  t.deepEqual(retried.options.after, [{ type: 'summary' }, { type: 'translation' }, { type: 'question' }])
  await submitted(api, retried).finished()
  await written(api, failed, 3)
  t.is((await api.get(pathOf(done))).body.inquiries.length, 2)
  t.is(asked.length, 6)
  for (const batchId of [batch.batchId, retried.batch_id])
    t.is((await api.delete(`/transcribe/batch/${batchId}?files=true`)).status, 200)
  await eventually('nothing of it is on the disk', async () => !(await isOnDisk(dataDir, 'confidential')))
})

test('what is written is told to the address of the batch with a call of its own', async (t) => {
  const { calls, environment, url } = await aReceiver(t, 204)
  const { api, submit, addWorker } = await aHouse(t, environment)
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content }], { task: 'translate', callback_url: url })
  await batch.finished()
  const told = await eventually('both are told', () =>
    Promise.resolve(calls.length === 2 ? calls.map(({ body }) => JSON.parse(body)) : undefined),
  )
  const about = told.find(({ type }) => type === 'inquiry.finished')
  t.like(about.data, { batch_id: batch.batchId, file_id: batch.fileIds[0], type: 'translation', status: 'completed' })
  t.truthy(told.find(({ type }) => type === 'batch.finished'))
  const { secret } = (await api.get('/transcribe/webhooks/secret')).body
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  for (const { headers, body } of calls) {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    t.is(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    t.is(headers['webhook-id'], JSON.parse(body).id)
  }
})

test('an inquiry may have an address of its own, with headers that nobody is shown', async (t) => {
  const { calls, environment, url } = await aReceiver(t, 204)
  const { api, submit, addWorker, gateway, nats } = await aHouse(t, environment)
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content }])
  await batch.finished()
  const [fileId] = batch.fileIds as [string]
  const wanted = { type: 'summary', callback_url: url, callback_headers: { 'X-Desk': 'confidential-desk' } }
  for (const [body, complaint] of [
    [{ ...wanted, callback_url: 'http://169.254.169.254/' }, /callback_url/],
    [{ ...wanted, callback_url: undefined }, /callback_headers/],
    [{ ...wanted, callback_headers: { host: 'elsewhere' } }, /callback_headers/],
  ] as const) {
    const refused = await api.post(pathOf(fileId), { json: body })
    t.is(refused.status, 400)
    t.regex(JSON.stringify(refused.body), complaint)
  }
  const stranger = await gateway.apiOf('ravi')
  t.is((await stranger.post(pathOf(fileId), { json: wanted })).status, 404)
  const asked = await api.post(pathOf(fileId), { json: wanted })
  t.is(asked.status, 202)
  const [found] = await written(api, fileId, 1)
  t.false(JSON.stringify([asked.body, found]).includes('confidential-desk'))
  await eventually('it is told', () => calls.length === 1)
  t.is(calls[0]!.headers['x-desk'], 'confidential-desk')
  t.like(JSON.parse(calls[0]!.body), { type: 'inquiry.finished', data: { file_id: fileId, status: 'completed' } })
  t.false(await isOnDisk(nats.storeDir, 'confidential-desk'), 'no record and no message has it')
})

test('vaak batch asks for them as vaak ask does', async (t) => {
  const { api, gateway, addWorker } = await aHouse(t)
  await addWorker()
  const recording = join(await aFolder(t), 'call.wav')
  await writeFile(recording, content)
  const environment = { VAAK_URL: api.url, VAAK_TOKEN: await gateway.tokenOf('asha') }
  const words = ['--summary', '--translation', '--question', 'Which one?', '--watch', '--json']
  const { code, stdout, stderr } = await runVaak(t, ['batch', recording, ...words], environment)
  t.is(code, 0, stderr)
  const { options, jobs } = JSON.parse(stdout)
  t.deepEqual(options.after, [{ type: 'summary' }, { type: 'translation' }, { type: 'question' }])
  await written(api, jobs[0].file_id, 3)
})
