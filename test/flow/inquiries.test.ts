import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Api, ApiAnswer } from '../support/api.ts'
import { aChatServer, failsChat, saysInChat } from '../support/chat-server.ts'
import type { ChatAnswer } from '../support/chat-server.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { isOnDisk } from '../support/on-disk.ts'
import { aPipeline } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** Summaries, chapters and questions, from the request to what a chat endpoint wrote. */

const content = aScriptedRecording(scriptedSeconds(3))
const numbers = textsOf(content).map((text) => text.replace('heard ', ''))
const hurriedInquiries = {
  INQUIRY_RETRY_INTERVALS: '0.1',
  LLM_RETRIES: '0',
  LLM_MODEL: 'test-model',
  LLM_API_KEY: 'key',
}

async function aHouse(t: ExecutionContext, answers: readonly ChatAnswer[], options: object = {}) {
  const chat = await aChatServer(t, ...answers)
  const house = await aPipeline(t, await aNatsServer(t), { ...hurriedInquiries, LLM_BASE_URL: chat.baseUrl })
  await house.addWorker()
  const batch = await house.submit([{ name: 'call.wav', content }], options)
  await batch.finished()
  const fileId = batch.fileIds[0]!
  return { ...house, ...chat, fileId, path: `/transcribe/results/file/${fileId}/inquiries` }
}

async function settled(api: Api, path: string, inquiryId: string): Promise<ApiAnswer['body']> {
  return eventually(`${inquiryId} has an outcome`, async () => {
    const { body } = await api.get(path)
    const found = body.inquiries.find((one: { inquiry_id: string }) => one.inquiry_id === inquiryId)
    return found.status === 'waiting' ? undefined : found
  })
}

test('summary, chapters and an answer are written beside the transcript', async (t) => {
  const { api, path, asked } = await aHouse(t, [
    saysInChat('{"summary": "Three numbers are told."}'),
    saysInChat('{"chapters": [{"line": 1, "title": "Numbers"}]}'),
    saysInChat('{"answered": true, "answer": "The second.", "lines": [1]}'),
  ])
  const first = await api.post(path, { json: { type: 'summary' } })
  t.like(first, { status: 202, body: { inquiry_id: 'summary', status: 'waiting' } })
  t.like(await settled(api, path, 'summary'), {
    status: 'completed',
    summary: 'Three numbers are told.',
    model: 'test-model',
    version: 0,
  })
  t.is((await api.post(path, { json: { type: 'summary' } })).status, 200)
  await api.post(path, { json: { type: 'chapters' } })
  const { body: transcript } = await api.get(path.replace('/inquiries', ''))
  const { start, end } = transcript.result.segments[0]
  t.like(await settled(api, path, 'chapters'), {
    chapters: [{ start, end, title: 'Numbers' }],
  })
  const { body: question } = await api.post(path, { json: { type: 'question', question: ' Which one? ' } })
  t.is(question.question, 'Which one?')
  t.like(await settled(api, path, question.inquiry_id), {
    answered: true,
    answer: 'The second.',
    sources: [{ start, end }],
  })
  t.deepEqual(
    asked.map(({ body, headers }) => [
      body.model,
      body.messages.map(({ role }: { role: string }) => role),
      headers.authorization,
    ]),
    Array.from({ length: 3 }, () => ['test-model', ['system', 'user'], 'Bearer key']),
  )
  t.is((await api.delete(`${path}/chapters`)).status, 200)
  t.deepEqual(
    (await api.get(path)).body.inquiries.map((one: { type: string }) => one.type),
    ['summary', 'question'],
  )
})

test('nothing that was redacted is sent, and what was edited is', async (t) => {
  const house = await aHouse(t, [saysInChat('{"summary": "An account is told."}')], { redact: ['account'] })
  const { api, path, asked } = house
  const changes = [{ type: 'word', segment: 0, word: 0, text: 'wrote' }]
  await api.patch(path.replace('/inquiries', ''), { json: { version: 0, changes } })
  await api.post(path, { json: { type: 'summary' } })
  t.like(await settled(api, path, 'summary'), { version: 1 })
  const sent = JSON.stringify(asked)
  t.false(numbers.some((number) => sent.includes(number)))
  const [, user] = asked[0]!.body.messages
  t.is(JSON.parse(user.content).transcript[0].text, 'wrote [account] heard [account] heard [account]')
})

test('an endpoint that is away costs time: what was asked is written when it is back', async (t) => {
  const { api, path, asked } = await aHouse(t, [
    failsChat(503),
    failsChat(429, { 'Retry-After': '1' }),
    saysInChat('{"summary": "It is back."}'),
  ])
  await api.post(path, { json: { type: 'summary' } })
  t.like(await settled(api, path, 'summary'), { status: 'completed', summary: 'It is back.' })
  t.is(asked.length, 3)
})

test('an endpoint that refuses, or never answers in the form, is told with a sentence, and asked again on demand', async (t) => {
  const { api, path, asked } = await aHouse(t, [
    failsChat(401),
    saysInChat('no'),
    saysInChat('no'),
    saysInChat('no'),
    saysInChat('no'),
  ])
  await api.post(path, { json: { type: 'summary' } })
  t.regex((await settled(api, path, 'summary')).error, /status 401\. The operator should look at LLM_BASE_URL/)
  t.is((await api.post(path, { json: { type: 'summary' } })).status, 202)
  const again = await eventually('it has failed otherwise', async () => {
    const found = await settled(api, path, 'summary')
    return asked.length === 4 ? found : undefined
  })
  t.regex(again.error, /3 times with something that is not a summary/)
})

test('with its file everything goes that was written about it', async (t) => {
  const { api, path, dataDir, fileId, nats } = await aHouse(t, [saysInChat('{"summary": "Told in confidence."}')])
  await api.post(path, { json: { type: 'summary' } })
  await settled(api, path, 'summary')
  const { body } = await api.post(path, { json: { type: 'question', question: 'Asked in confidence?' } })
  await settled(api, path, body.inquiry_id)
  t.true(await isOnDisk(dataDir, 'in confidence'))
  t.is((await api.delete('/files', { json: { file_ids: [fileId] } })).status, 200)
  t.is((await api.get(path)).status, 404)
  t.is((await api.post(path, { json: { type: 'summary' } })).status, 404)
  await eventually('nothing of it is on the disk', async () => !(await isOnDisk(dataDir, 'in confidence')))
  t.false(await isOnDisk(nats.storeDir, 'in confidence'))
})

test('vaak ask prints what was written, waits for it, and says when the recording does not', async (t) => {
  const { api, gateway, fileId } = await aHouse(t, [
    saysInChat('{"summary": "Three numbers\\u001b[31m are told."}'),
    saysInChat('{"chapters": [{"line": 1, "title": "Numbers"}]}'),
    saysInChat('{"answered": false, "answer": ""}'),
    saysInChat('{"translations": [{"line": 1, "text": "In English."}]}'),
  ])
  const environment = { VAAK_URL: api.url, VAAK_TOKEN: await gateway.tokenOf('asha') }
  const vaak = (...words: string[]) => runVaak(t, ['ask', fileId, ...words], environment)
  t.like(await vaak('--summary'), { code: 0, stdout: 'Three numbers[31m are told.\n' })
  t.like(await vaak('--chapters'), { code: 0, stdout: '0:00 Numbers\n' })
  t.like(await vaak('Who', 'speaks?'), { code: 1, stdout: '', stderr: 'The recording does not say.\n' })
  t.like(await vaak('--translation'), { code: 0, stdout: '0:00 In English.\n' })
  t.like(await vaak('--summary', '--chapters'), { code: 2 })
})
