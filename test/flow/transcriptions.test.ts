import test from 'ava'
import OpenAI, { toFile } from 'openai'

import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { Pipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** One recording through the client that people have, unmodified; the rest is the pipeline as it is. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const recording = aScriptedRecording(scriptedSeconds(3))
const said = textsOf(recording).join(' ')
const model = 'whisper-1'
const theFile = () => toFile(recording, 'call.wav')

async function aClient({ gateway, api }: Pipeline): Promise<OpenAI> {
  return new OpenAI({ apiKey: await gateway.tokenOf('asha'), baseURL: `${api.url}/v1`, maxRetries: 0 })
}

const filesOf = async ({ api }: Pipeline): Promise<number> => (await api.get('/files')).body.total_files

test.serial('the openai package transcribes a recording in every format, and nothing of it stays', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const { audio } = await aClient(pipeline)
  const plain = await audio.transcriptions.create({ file: await theFile(), model })
  t.is(plain.text, said)
  t.is(plain.logprobs, undefined)
  const sure = await audio.transcriptions.create({ file: await theFile(), model, include: ['logprobs'] })
  t.is(sure.logprobs?.map(({ token }) => token).join(''), said)
  for (const { token = '', logprob, bytes } of sure.logprobs ?? []) {
    t.true(logprob !== undefined && logprob <= 0)
    t.is(Buffer.from(bytes ?? []).toString(), token)
  }
  t.is(await audio.transcriptions.create({ file: await theFile(), model, response_format: 'text' }), `${said}\n`)
  t.regex(
    await audio.transcriptions.create({ file: await theFile(), model, response_format: 'srt' }),
    /^1\n00:00:00,000 --> .*\nheard \d+/,
  )
  t.regex(
    await audio.transcriptions.create({ file: await theFile(), model, response_format: 'vtt' }),
    /^WEBVTT\n\n00:00:00\.000 --> /,
  )
  const verbose = await audio.transcriptions.create({
    file: await theFile(),
    model,
    language: 'en',
    response_format: 'verbose_json',
    timestamp_granularities: ['word', 'segment'],
  })
  t.like(verbose, { language: 'english', duration: 3, text: said, warnings: [] })
  t.is(verbose.words?.map(({ word }) => word).join(' '), said)
  t.is(verbose.segments?.map(({ text }) => text).join(' '), said)
  t.true(verbose.words?.every(({ start, end }) => start < end))
  const diarized = await audio.transcriptions.create({ file: await theFile(), model, response_format: 'diarized_json' })
  const passages = [{ type: 'transcript.text.segment', id: 'seg_0', text: said }]
  t.like(diarized, { task: 'transcribe', duration: 3, text: said, segments: passages })
  await eventually('nothing of it is left', async () => (await filesOf(pipeline)) === 0)
})

test.serial('the openai package lists the models, and reads one', async (t) => {
  const { models } = await aClient(await aPipeline(t, nats))
  const { data } = await models.list()
  t.deepEqual(
    data.map(({ id }) => id),
    ['fast', 'balanced', 'accurate', 'whisper-1', 'tts-1', 'vaak-realtime'],
  )
  t.deepEqual(await models.retrieve('vaak-realtime').then(({ id }) => id), 'vaak-realtime')
  await t.throwsAsync(models.retrieve('x'.repeat(500)), { message: '404 model not found' })
  await t.throwsAsync(models.retrieve('gpt-4o'), { message: '404 There is no such model; GET /v1/models lists them.' })
})

test.serial('what cannot be transcribed is refused in words that the client shows', async (t) => {
  const pipeline = await aPipeline(t, nats, { WAIT_MAX_AUDIO_SECONDS: '5', WAIT_MAX_FILE_BYTES: '1MiB' })
  await pipeline.addWorker()
  const { audio } = await aClient(pipeline)
  const ask =
    (content: Uint8Array, more: object = {}) =>
    async () =>
      audio.transcriptions.create({ file: await toFile(content, 'call.wav'), model, ...more })
  const long = aScriptedRecording(scriptedSeconds(6))
  await t.throwsAsync(ask(long), { message: /^413 The recording lasts 6 seconds, and the limit here is 5/ })
  await t.throwsAsync(ask(aScriptedRecording(scriptedSeconds(60))), { message: /^413 .*1 MiB/ })
  await t.throwsAsync(ask(Buffer.from('not sound')), { message: /^400 / })
  await t.throwsAsync(ask(recording, { language: 'xx' }), { message: /^400 body\.language/ })
  await t.throwsAsync(ask(recording, { timestamp_granularities: ['word'] }), { message: /verbose_json only/ })
  const unsure = { include: ['logprobs'], response_format: 'verbose_json' }
  await t.throwsAsync(ask(recording, unsure), { message: /^400 body\.include: logprobs are part of/ })
  await t.throwsAsync(ask(recording, { include: ['everything'] }), { message: /^400 body\.include/ })
  const broken = aScriptedRecording([{ audio: 7, commands: [{ stage: 'plan', act: 'terminal' }] }])
  await t.throwsAsync(ask(broken), { message: /^415 .*fails for good/ })
  const nobody = new OpenAI({ apiKey: 'none', baseURL: `${pipeline.api.url}/v1`, maxRetries: 0 })
  const file = await theFile()
  await t.throwsAsync(() => nobody.audio.transcriptions.create({ file, model }), { message: /^401 / })
  await eventually('nothing of it is left', async () => (await filesOf(pipeline)) === 0)
})

test.serial('a client that hangs up takes its recording back, and one that waits too long is told', async (t) => {
  const pipeline = await aPipeline(t, nats, { WAIT_DEADLINE_SECONDS: '2' })
  const { audio } = await aClient(pipeline)
  const leaving = new AbortController()
  const asked = audio.transcriptions.create({ file: await theFile(), model }, { signal: leaving.signal })
  await eventually('it waits', async () => (await filesOf(pipeline)) === 1)
  leaving.abort()
  await t.throwsAsync(asked)
  await eventually('it is taken back', async () => (await filesOf(pipeline)) === 0)
  const file = await theFile()
  await t.throwsAsync(() => audio.transcriptions.create({ file, model }), {
    message: /^503 It was not done within 2 seconds/,
  })
  await eventually('it is taken back as well', async () => (await filesOf(pipeline)) === 0)
})

test.serial('with stream the text comes passage by passage, and whole at the end', async (t) => {
  const pipeline = await aPipeline(t, nats, { WAIT_KEEP: 'true' })
  await pipeline.addWorker()
  const { audio } = await aClient(pipeline)
  const include = ['logprobs' as const]
  const stream = await audio.transcriptions.create({ file: await theFile(), model, stream: true, include })
  let text = ''
  let tokens = ''
  let whole: string | undefined
  for await (const event of stream) {
    if (event.type === 'transcript.text.delta') text += event.delta
    if (event.type === 'transcript.text.done') {
      whole = event.text
      tokens = (event.logprobs ?? []).map(({ token }) => token).join('')
    }
  }
  t.is(text, said)
  t.is(whole, said)
  t.is(tokens, said)
  t.is(await filesOf(pipeline), 1)
})

interface ShownForm {
  readonly value: Readonly<Record<string, string | string[]>>
}

test.serial('the examples of the form in the API’s own document give what they ask for', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const { api, gateway } = pipeline
  const { requestBody } = (await api.get('/openapi.json')).body.paths['/v1/audio/transcriptions'].post
  const examples: Record<string, ShownForm> = requestBody.content['multipart/form-data'].examples
  const headers = { Authorization: `Bearer ${await gateway.tokenOf('asha')}` }
  const answers = new Map<string, string>()
  for (const [id, { value }] of Object.entries(examples)) {
    const { file, ...fields } = value
    const form = new FormData()
    form.append('file', new Blob([recording]), String(file))
    for (const [name, given] of Object.entries(fields))
      for (const one of [given].flat()) form.append(Array.isArray(given) ? `${name}[]` : name, one)
    const response = await fetch(`${api.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
    t.is(response.status, 200, id)
    answers.set(id, await response.text())
  }
  const [diarized = '', streamed = '', sure = ''] = ['speakers', 'stream', 'certainty'].map((id) => answers.get(id))
  t.true(JSON.parse(diarized).segments.every(({ speaker }: { speaker: unknown }) => typeof speaker === 'string'))
  t.regex(streamed, /"transcript\.text\.delta"[^]*"transcript\.text\.done"/)
  t.is(
    JSON.parse(sure)
      .logprobs.map(({ token }: { token: string }) => token)
      .join(''),
    said,
  )
})
