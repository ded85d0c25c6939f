import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline, submitted } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const recording = aScriptedRecording(scriptedSeconds(2))
const numbers = textsOf(recording).map((text) => text.replace('heard ', ''))
const spelt = numbers.map((number) => `Vaak ${number}`).join(' ')
const words = { name: 'Words of the house', entries: [{ text: 'Vaak', spoken: ['heard'] }] }

async function aVocabulary(api: Api): Promise<{ readonly vocabulary_id: string; readonly sha256: string }> {
  const { status, body } = await api.post('/vocabularies', { json: words })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

async function wordsIn(dataDir: string): Promise<string[]> {
  const all = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return all
    .filter((one) => one.isFile() && /\/words\//.test(one.parentPath))
    .map((one) => join(one.parentPath, one.name))
}

test.serial('a batch keeps the words that it was submitted with, whatever becomes of the vocabulary', async (t) => {
  const { api, dataDir, addWorker, submit } = await aPipeline(t, nats)
  const { vocabulary_id: vocabulary, sha256 } = await aVocabulary(api)
  const batch = await submit([{ name: 'call.wav', content: recording }], { vocabulary })
  t.is((await api.delete(`/vocabularies/${vocabulary}`)).status, 200)
  await addWorker()
  const { files } = await batch.finished()
  t.is(files[0].result.text, spelt)
  const [first, second] = files[0].result.segments[0].words
  t.like(first, { word: 'Vaak', heard: 'heard', start: 0 })
  t.is(second.heard, undefined)
  const path = `/transcribe/results/file/${batch.fileIds[0]}`
  const { body } = await api.get(`${path}?receipt=true`)
  t.deepEqual(body.receipt.content.options.vocabulary, { id: vocabulary, version: 1, sha256 })
  t.is((await wordsIn(dataDir)).length, 1)
  t.is((await api.delete(`/transcribe/batch/${batch.batchId}`)).status, 200)
  await eventually('the words went with the batch', async () => (await wordsIn(dataDir)).length === 0)
})

test.serial('a retry has the words of the batch that it follows, as they were then', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const { api } = pipeline
  const { vocabulary_id: vocabulary } = await aVocabulary(api)
  const failing = aScriptedRecording([
    { audio: 1, commands: [{ stage: 'plan', act: 'retryable', times: 1 }] },
    { audio: 2 },
  ])
  const strict = await pipeline.startWorker({ FILE_MAX_RETRIES: '0' })
  const batch = await pipeline.submit([{ name: 'call.wav', content: failing }], { vocabulary })
  await batch.finished()
  await strict.stop()
  const json = { version: 1, entries: [{ text: 'Other', spoken: ['heard'] }] }
  t.is((await api.patch(`/vocabularies/${vocabulary}`, { json })).body.version, 2)
  await pipeline.addWorker()
  const { body } = await api.post(`/transcribe/batch/${batch.batchId}/retry`)
  t.like(body.options.vocabulary, { vocabulary_id: vocabulary, version: 1 })
  const { files } = await submitted(api, body).finished()
  t.regex(files[0].result.text, /^Vaak \d+ Vaak \d+$/)
  t.is((await wordsIn(pipeline.dataDir)).length, 2)
})

test.serial('what is redacted does not say what was heard before it was spelt', async (t) => {
  const { api, dataDir, addWorker, submit } = await aPipeline(t, nats)
  await addWorker()
  const json = { name: 'Numbers', entries: [{ text: 'our account', spoken: [numbers[0]] }] }
  const { body } = await api.post('/vocabularies', { json })
  const options = { vocabulary: body.vocabulary_id, redact: ['account'] }
  const batch = await submit([{ name: 'call.wav', content: recording }], options)
  const { files } = await batch.finished()
  t.is(files[0].result.text, 'heard our account heard [account]')
  t.false(JSON.stringify(files).includes(numbers[0]!))
  t.is((await wordsIn(dataDir)).length, 1)
})

test.serial('OpenAI’s form takes a vocabulary, and one that is not there leaves no recording', async (t) => {
  const { api, gateway, addWorker } = await aPipeline(t, nats)
  await addWorker()
  const { vocabulary_id: vocabulary } = await aVocabulary(api)
  const ask = (by: Api) => {
    const body = new FormData()
    body.append('file', new Blob([recording]), 'call.wav')
    body.append('model', 'whisper-1')
    body.append('vocabulary', vocabulary)
    return by.post('/v1/audio/transcriptions', { body })
  }
  const { status, body } = await ask(api)
  t.is(status, 200, JSON.stringify(body))
  t.is(body.text, spelt)
  const stranger = await gateway.apiOf('ravi')
  t.is((await ask(stranger)).status, 404)
  await eventually('it is taken back', async () => (await stranger.get('/files')).body.total_files === 0)
})
