import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import OpenAI from 'openai'

import { containerOf } from '../../infra/speech/audio/container.ts'
import { boundedBytes } from '../../infra/speech/audio/header/bounded-bytes.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway } from '../support/gateway.ts'
import { inMemory } from '../support/probing.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService(test, { TTS_ENGINE: 'light', SPEECH_MAX_CHARACTERS: '500', SPEECH_MAX_CONCURRENT: '20' })

test('the voices are listed with their language, engine, other names and a sample', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get('/v1/voices')
  t.is(status, 200)
  t.is(body.data.length, 12)
  t.like(body.data[0], { id: 'asha', gender: 'female', language: 'hi', engine: 'light' })
  t.true(body.data.some(({ aliases }: { aliases: string[] }) => aliases.includes('alloy')))
  t.is((await api.as(undefined).get('/v1/voices')).status, 401)
})

test('a sample can be heard without a token, and there is none of a voice that does not exist', async (t) => {
  const { api } = await service.user(t)
  const response = await fetch(`${service.url}/v1/voices/kavya/sample`)
  t.is(response.status, 200)
  const wav = Buffer.from(await response.arrayBuffer())
  t.is(wav.toString('latin1', 0, 4), 'RIFF')
  t.is(wav.readUInt32LE(40), wav.length - 44)
  t.true(wav.length > 48_000)
  t.is((await api.get('/v1/voices/nobody/sample')).status, 404)
})

for (const format of ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const)
  test(`speech comes as ${format}`, async (t) => {
    const { token } = await service.user(t)
    const client = new OpenAI({ apiKey: token, baseURL: `${service.url}/v1` })
    const answer = await client.audio.speech.create({
      model: 'tts-1',
      voice: 'alloy',
      input: 'नमस्ते, this is one sentence.',
      response_format: format,
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    t.true(bytes.length > 2_000, `${bytes.length} bytes`)
    if (format !== 'pcm') t.is(await sniffed(bytes), format === 'opus' ? 'ogg' : format)
  })

interface WithTimes {
  readonly audio: string
  readonly duration: number
  readonly words: readonly { readonly text: string; readonly start: number; readonly end: number }[]
}

const twoSentences = 'नमस्ते, this is Vaak. यह दूसरा वाक्य है।'

/** That there is a time for each word, that they follow each other, and that each is within the audio. */
function areInOrder(t: ExecutionContext, { words, duration }: Pick<WithTimes, 'words' | 'duration'>): void {
  t.deepEqual(
    words.map(({ text }) => text),
    twoSentences.split(' '),
  )
  const marks = [0, ...words.flatMap(({ start, end }) => [start, end]), duration]
  t.deepEqual(
    marks,
    marks.toSorted((one, other) => one - other),
  )
  t.true(words.every(({ start, end }) => end > start))
}

/** To the millisecond. */
function lastsSoLong(t: ExecutionContext, pcmBytes: number, seconds: number): void {
  t.true(Math.abs(pcmBytes / 48_000 - seconds) < 0.001, `${pcmBytes} bytes, ${seconds} seconds`)
}

test('speech as JSON has the whole audio, and says when each word is heard', async (t) => {
  const { api } = await service.user(t)
  const asked = { voice: 'asha', input: twoSentences, response_format: 'pcm' }
  const { status, body } = await api.post('/v1/audio/speech', { json: { ...asked, stream_format: 'json' } })
  t.is(status, 200)
  const spoken = body as WithTimes & { readonly format: string }
  areInOrder(t, spoken)
  t.is(spoken.format, 'pcm')
  lastsSoLong(t, Buffer.from(spoken.audio, 'base64').length, spoken.duration)
})

test('speech as events tells of words before their audio, and of the end', async (t) => {
  const { token } = await service.user(t)
  const client = new OpenAI({ apiKey: token, baseURL: `${service.url}/v1` })
  const answer = await client.audio.speech.create({
    model: 'tts-1',
    voice: 'asha',
    input: twoSentences,
    response_format: 'pcm',
    stream_format: 'sse',
  })
  t.regex(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = Array.from((await answer.text()).matchAll(/^data: (.*)$/gm), ([, data]) => JSON.parse(data!))
  t.is(events[0].type, 'speech.audio.words')
  t.is(events.at(-1).type, 'speech.audio.done')
  areInOrder(t, { words: events.flatMap(({ words = [] }) => words), duration: events.at(-1).duration })
  const audio = Buffer.concat(events.map(({ audio: piece = '' }) => Buffer.from(piece, 'base64')))
  lastsSoLong(t, audio.length, events.at(-1).duration)
})

test('a wrong request is told what is wrong and what there is', async (t) => {
  const { api } = await service.user(t)
  const ask = (json: object) => api.post('/v1/audio/speech', { json })
  for (const [json, pattern] of [
    [{ voice: 'nobody', input: 'Hello.' }, /There are asha, .*vikram/],
    [{ voice: 'asha', input: 'Hello.', response_format: 'midi' }, /response_format.*mp3/],
    [{ voice: 'asha', input: 'Hello.', speed: 9 }, /speed/],
    [{ voice: 'asha', input: '' }, /input/],
    [{ voice: 'asha', input: 'a'.repeat(501) }, /500 characters/],
  ] as const) {
    const { status, body } = await ask(json)
    t.is(status, 400)
    t.regex(body.detail, pattern)
  }
  t.is((await api.as(undefined).post('/v1/audio/speech', { json: { voice: 'asha', input: 'x' } })).status, 401)
})

test('a field that there is not changes nothing', async (t) => {
  const { api } = await service.user(t)
  t.is((await api.post('/v1/audio/speech', { json: { voice: 'asha', input: 'Hello.', pitch: 3 } })).status, 200)
})

test('no more is spoken at once than is allowed, and a client that leaves makes room', async (t) => {
  const gateway = await aGateway(t, service.nats, {
    environment: { TTS_ENGINE: 'light', SPEECH_MAX_CONCURRENT: '1' },
  })
  const token = await gateway.tokenOf('asha')
  const ask = (input: string, signal = AbortSignal.timeout(100_000)) =>
    fetch(`${gateway.url}/v1/audio/speech`, {
      method: 'POST',
      signal,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ voice: 'maya', input, response_format: 'pcm', speed: 0.25 }),
    })
  const leaving = new AbortController()
  const unread = await ask('One sentence after the other. '.repeat(130), leaving.signal)
  t.is(unread.status, 200)
  const refused = await ask('Yes.')
  t.is(refused.status, 503)
  t.truthy(refused.headers.get('retry-after'))
  leaving.abort()
  const answered = async (): Promise<boolean> => {
    const response = await ask('Yes.')
    await response.arrayBuffer()
    return response.status === 200
  }
  await eventually('there is room again', answered)
})

test('vaak say writes a file, and says which voices there are when it knows no such voice', async (t) => {
  const out = join(await aFolder(t), 'hello.wav')
  t.deepEqual(await vaak(['say', 'नमस्ते, kal meeting है।', '--voice', 'asha', '--out', out]), {
    code: 0,
    said: '',
    written: '',
  })
  t.is(await sniffed(await readFile(out)), 'wav')
  const wrong = await vaak(['say', 'hello', '--voice', 'nobody', '--out', out])
  t.is(wrong.code, 2)
  t.regex(wrong.said, /There are asha/)
})

test('vaak say writes down when each word is heard, and not where the audio goes', async (t) => {
  const out = join(await aFolder(t), 'hello.wav')
  const { code, written } = await vaak(['say', twoSentences, '--out', out, '--timestamps'])
  t.is(code, 0)
  const times = JSON.parse(written) as WithTimes
  areInOrder(t, times)
  lastsSoLong(t, (await readFile(out)).length - 44, times.duration)
  const wrong = await vaak(['say', 'hello', '--timestamps'])
  t.is(wrong.code, 2)
  t.regex(wrong.said, /add --out FILE/)
})

const sniffed = async (bytes: Buffer): Promise<string | undefined> =>
  (await containerOf(boundedBytes(inMemory(bytes))))?.demuxer

async function vaak(words: readonly string[]): Promise<{ code: number; said: string; written: string }> {
  const program = fileURLToPath(new URL('../../infra/cli/vaak.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, TTS_ENGINE: 'light' } })
  let [said, written] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said, written }
}
