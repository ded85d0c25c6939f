import test from 'ava'
import type { ExecutionContext } from 'ava'
import OpenAI, { toFile } from 'openai'

import { aChatServer, failsChat, saysInChat } from '../support/chat-server.ts'
import type { ChatAnswer } from '../support/chat-server.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** A recording in English, through the client that people have, unmodified. */

const recording = aScriptedRecording(scriptedSeconds(3))
const said = textsOf(recording).join(' ')
const model = 'whisper-1'
const inEnglish = 'Three numbers were heard.'
const translated = saysInChat(JSON.stringify({ translations: [{ line: 1, text: inEnglish }] }))

async function aHouse(t: ExecutionContext, answers: readonly ChatAnswer[], more: Record<string, string> = {}) {
  const chat = await aChatServer(t, ...answers)
  const environment = { LLM_BASE_URL: chat.baseUrl, LLM_MODEL: 'test-model', LLM_RETRIES: '0', ...more }
  const pipeline = await aPipeline(t, await aNatsServer(t), environment)
  await pipeline.addWorker()
  const { api, gateway } = pipeline
  const { audio } = new OpenAI({ apiKey: await gateway.tokenOf('asha'), baseURL: `${api.url}/v1`, maxRetries: 0 })
  type Format = 'json' | 'text' | 'srt' | 'vtt' | 'verbose_json'
  const translate = async (format: Format = 'json'): Promise<unknown> =>
    audio.translations.create({ file: await toFile(recording, 'call.wav'), model, response_format: format })
  const isEmpty = async (): Promise<boolean> => (await api.get('/files')).body.total_files === 0
  return { ...pipeline, ...chat, translate, isEmpty }
}

test('the openai package has a recording translated in every format, and nothing of it stays', async (t) => {
  const { translate, asked, isEmpty } = await aHouse(t, [translated])
  t.like(await translate(), { text: inEnglish, translated_by: 'test-model' })
  t.is(await translate('text'), `${inEnglish}\n`)
  t.regex(String(await translate('srt')), /^1\n00:00:00,000 --> .*\nThree numbers were heard\./)
  t.regex(String(await translate('vtt')), /^WEBVTT\n\n00:00:00\.000 --> /)
  t.like(await translate('verbose_json'), {
    task: 'translate',
    language: 'english',
    text: inEnglish,
    segments: [{ id: 0, text: inEnglish }],
    translated_by: 'test-model',
  })
  const [system, user] = asked[0]!.body.messages
  t.false(system.content.includes(said))
  t.is(JSON.parse(user.content).transcript[0].text, said)
  await eventually('nothing of it is left', isEmpty)
})

test('a translation that does not come is told, and the recording taken back', async (t) => {
  const { translate, isEmpty } = await aHouse(t, [saysInChat('{"translations": []}')])
  await t.throwsAsync(translate(), { message: /^500 .*3 times with something that is not a translation of every line/ })
  await eventually('nothing of it is left', isEmpty)
  const away = await aHouse(t, [failsChat(503)], { WAIT_DEADLINE_SECONDS: '3' })
  await t.throwsAsync(away.translate(), { message: /^503 It was not done within 3 seconds/ })
  await eventually('nothing of it is left either', away.isEmpty)
})

test('without a chat endpoint it is refused before anything is received', async (t) => {
  const { translate, isEmpty } = await aHouse(t, [translated], { LLM_BASE_URL: '', LLM_MODEL: '' })
  await t.throwsAsync(translate(), { message: /^409 .*LLM_BASE_URL and LLM_MODEL/ })
  t.true(await isEmpty())
})
