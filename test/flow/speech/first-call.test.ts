import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { decodeWav } from '../../../infra/speech/audio/wav.ts'
import type { Api } from '../../support/api.ts'
import { aChatServer, saysInChat } from '../../support/chat-server.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { aLossyProxy } from '../../support/lossy-proxy.ts'
import { aNatsServer } from '../../support/nats.ts'
import { aPipeline, submitted } from '../../support/pipeline.ts'
import { runVaak } from '../../support/processes.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { sendByTus } from '../../support/resumable.ts'
import { levelAt } from '../../support/sound-level.ts'
import { writeWav } from '../../support/wav-file.ts'

/** What a new user does with the recording of a call, from the first byte to the proof, with the real models. */

const withinMs = 240_000
/** Of the recognised words one stands for a name that the house writes so. */
const [misheard, name] = ['दुकानदार', 'मीरा']

/** Who asks says the same twice, on the left; who answers is on the right. */
async function aCall(t: ExecutionContext): Promise<string> {
  const clips = await speechFixtures('hindi')
  const clipOf = (file: string): Float32Array => clips.find((one) => one.name === file)!.samples
  const [asks, answers] = [clipOf('mangoes.ogg'), clipOf('rain.ogg')]
  const gap = 8_000
  const length = 2 * asks.length + answers.length + 2 * gap
  const [left, right] = [new Float32Array(length), new Float32Array(length)]
  left.set(asks)
  right.set(answers, asks.length + gap)
  left.set(asks, asks.length + answers.length + 2 * gap)
  return writeWav(join(await aFolder(t), 'call.wav'), left, right)
}

interface SaidSegment {
  readonly channel: number
  readonly text: string
  readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[]
}

async function segmentsOf(api: Api, fileId: string): Promise<readonly SaidSegment[]> {
  return (await api.get(`/transcribe/results/file/${fileId}`)).body.result.segments
}

const countIn = (segments: readonly SaidSegment[], word: string): number =>
  segments.flatMap(({ words }) => words).filter((one) => one.word.includes(word)).length

test('a call comes over a bad line, is corrected once, summarised, aligned, redacted and proven', async (t) => {
  t.timeout(3 * withinMs, 'the first run fetches the models')
  const chat = await aChatServer(t, saysInChat('{"summary": "आम अगले हफ़्ते आएँगे।"}'))
  const pipeline = await aPipeline(t, await aNatsServer(t), {
    RECOGNISER: 'models',
    STALE_MS: '60000',
    ACK_WAIT_MS: '30000',
    LLM_BASE_URL: chat.baseUrl,
    LLM_MODEL: 'test-model',
  })
  await pipeline.addWorker()
  const { api, gateway } = pipeline
  const token = await gateway.tokenOf('asha')
  const vaak = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runVaak(t, words, { VAAK_URL: api.url, VAAK_TOKEN: token })
    t.is(code, 0, stderr)
    return stdout
  }

  const path = await aCall(t)
  const content = await readFile(path)
  const proxy = await aLossyProxy(t, Number(new URL(api.url).port))
  proxy.cutAfter([content.length / 3, content.length / 3])
  const { fileId } = await sendByTus({ url: `http://127.0.0.1:${proxy.port}`, token, content, filename: 'call.wav' })
  t.is(proxy.cuts, 2)

  const order = { file_ids: [fileId], channels: 'separate', language: 'hi', profile: 'fast' }
  const transcribe = async (more: object) =>
    submitted(api, (await api.post('/transcribe/batch', { json: { ...order, ...more } })).body).finished(withinMs)
  await eventually('it is stored', async () => (await api.get('/files?upload_status=completed')).body.count === 1)
  await transcribe({})
  const heard = await segmentsOf(api, fileId)
  t.deepEqual(
    heard.map(({ channel }) => channel).filter((channel, at, all) => channel !== all[at - 1]),
    [0, 1, 0],
  )
  t.is(countIn(heard, misheard), 2, JSON.stringify(heard.map(({ text }) => text)))

  const file = `/transcribe/results/file/${fileId}`
  const changes = [{ type: 'word', segment: 0, word: 0, text: name }]
  t.is((await api.patch(file, { json: { version: 0, changes } })).status, 200)
  const words = { name: 'house', entries: [{ text: name, spoken: [misheard] }] }
  const { vocabulary_id: vocabulary } = (await api.post('/vocabularies', { json: words })).body
  const again = await api.post(`${file}/again`, { json: { vocabulary, words: [name] } })
  await submitted(api, again.body.batch).finished(withinMs)
  const corrected = await segmentsOf(api, fileId)
  t.deepEqual([countIn(corrected, misheard), countIn(corrected, name)], [0, 2], 'corrected once, better everywhere')

  t.regex(await vaak('ask', fileId, '--summary'), /अगले हफ़्ते/)
  const text = join(await aFolder(t), 'call.txt')
  await writeFile(text, 'मीठे आम अगले हफ़्ते तक आ जाएँगे\nसुबह से तेज़ बारिश हो रही है')
  t.regex(await vaak('align', path, text, '--format', 'srt'), /-->[^\n]*\nमीठे आम/)

  await transcribe({ vocabulary, redact: ['name'], redact_audio: true })
  const redacted = await segmentsOf(api, fileId)
  t.deepEqual([countIn(redacted, misheard), countIn(redacted, name)], [0, 0])
  const audio = await fetch(`${api.url}/files/${fileId}/audio`, { headers: { authorization: `Bearer ${token}` } })
  const bleeped = Buffer.from(await audio.arrayBuffer())
  t.is(audio.status, 200)
  const { samples } = decodeWav(bleeped)!
  const names = redacted.flatMap(({ words: all }) => all).filter(({ word }) => word === '[name]')
  t.is(names.length, 2)
  for (const { start, end } of names) {
    const level = levelAt(samples, (start + end) / 2 - 0.05)
    t.true(level > 0.05 && level < 0.15, `a tone in place of a name, from ${start} to ${end}: ${level}`)
  }

  const proof = join(await aFolder(t), 'call.json')
  await vaak('download', '--file', fileId, '--receipt', '--output', proof)
  const proven = await vaak('verify', proof, path)
  t.is(proven.match(/^proven/gm)?.length, 3, proven)
})
