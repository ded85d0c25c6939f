import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Api } from '../support/api.ts'
import { aChatServer, saysInChat } from '../support/chat-server.ts'
import type { ChatAnswer } from '../support/chat-server.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

/** What strangers, users who want too much, and those who leave at the wrong time get of `/v1/audio/translations`. */

const recording = aScriptedRecording(scriptedSeconds(2))
const translated = saysInChat(JSON.stringify({ translations: [{ line: 1, text: 'Two numbers.' }] }))
/** Who asks waits for as long as there is patience. */
const silent: ChatAnswer = () => undefined

async function aHouse(t: ExecutionContext, answer: ChatAnswer, more: Record<string, string> = {}) {
  const chat = await aChatServer(t, answer)
  const environment = { LLM_BASE_URL: chat.baseUrl, LLM_MODEL: 'test-model', LLM_RETRIES: '0', ...more }
  const house = await aPipeline(t, await aNatsServer(t), environment)
  await house.addWorker()
  const { api, gateway } = house
  const filesOf = async (by: Api = api): Promise<{ file_id: string }[]> => (await by.get('/files')).body.files
  const isAsked = () => eventually('the chat model is asked', () => Promise.resolve(chat.asked.length > 0))
  const isEmpty = () => eventually('nothing of it is left', async () => (await filesOf()).length === 0)
  return { api, filesOf, isAsked, isEmpty, other: await gateway.apiOf('bela'), token: await gateway.tokenOf('asha') }
}

function aForm(fields: Readonly<Record<string, string>> = {}, content: Uint8Array = recording): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ model: 'whisper-1', ...fields })) form.append(name, value)
  form.append('file', new Blob([content]), 'call.wav')
  return form
}

const path = '/v1/audio/translations'

test.serial('too much, what is no sound and what is not of the form are refused with the reason', async (t) => {
  const { api, isEmpty } = await aHouse(t, translated, { WAIT_MAX_AUDIO_SECONDS: '5', WAIT_MAX_FILE_BYTES: '1MiB' })
  for (const [form, reason] of [
    [aForm({}, aScriptedRecording(scriptedSeconds(6))), /^413 .*lasts 6 seconds, and the limit here is 5/],
    [aForm({}, aScriptedRecording(scriptedSeconds(60))), /^413 .*1 MiB/],
    [aForm({}, Buffer.from('not sound')), /^400 /],
    [aForm({ response_format: 'diarized_json' }), /^400 .*body\.response_format/],
    [aForm({ language: 'xx' }), /^400 .*body\.language/],
    [aForm({ model: 'x'.repeat(201) }), /^400 .*body\.model/],
    [aForm({ prompt: 'x'.repeat(20_000) }), /^400 .*16 KiB/],
  ] as const) {
    const { status, body } = await api.post(path, { body: form })
    t.regex(`${status} ${body.error?.message}`, reason)
  }
  await isEmpty()
})

test.serial('who has as many waiting as one may have is told, and others are not kept from theirs', async (t) => {
  const { api, other, filesOf } = await aHouse(t, translated, { WAIT_MAX_PER_USER: '1', WAIT_KEEP: 'true' })
  const [first, second, theirs] = await Promise.all([
    api.post(path, { body: aForm() }),
    api.post(path, { body: aForm() }),
    other.post(path, { body: aForm() }),
  ])
  t.deepEqual([Math.min(first.status, second.status), Math.max(first.status, second.status)], [200, 429])
  const refused = first.status === 429 ? first : second
  t.regex(String(refused.body.error.message), /1 translations open, and the limit is 1/)
  t.is(theirs.status, 200)
  const [kept] = await filesOf()
  const file = `/transcribe/results/file/${kept?.file_id}`
  t.like((await api.get(`${file}/inquiries`)).body.inquiries[0], { type: 'translation', status: 'completed' })
  for (const address of [file, `${file}/inquiries`]) t.is((await other.get(address)).status, 404, 'it is not theirs')
})

test.serial('a client that hangs up while a model translates takes its recording back', async (t) => {
  const { api, token, isAsked, isEmpty } = await aHouse(t, silent)
  const leaving = new AbortController()
  const headers = { Authorization: `Bearer ${token}` }
  const asked = fetch(api.url + path, { method: 'POST', headers, body: aForm(), signal: leaving.signal })
  await isAsked()
  leaving.abort()
  await t.throwsAsync(asked, { any: true })
  await isEmpty()
})

test.serial('who deletes the recording while it is translated is told so', async (t) => {
  const { api, filesOf, isAsked, isEmpty } = await aHouse(t, silent)
  const asked = api.post(path, { body: aForm() })
  await isAsked()
  const [file] = await filesOf()
  t.is((await api.delete('/files', { json: { file_ids: [file?.file_id] } })).status, 200)
  const { status, body } = await asked
  t.is(status, 409)
  t.regex(String(body.error.message), /was deleted while it was translated/)
  await isEmpty()
})
