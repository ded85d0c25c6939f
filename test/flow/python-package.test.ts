import { randomBytes } from 'node:crypto'

import test from 'ava'

import { scriptedConsole } from '../support/scripted-console.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/**
 * Requests as OpenAI's Python package writes them, which no registry that the tests may use has: its headers, the order of the parts
 * (fields before the file), lists as repeated `name[]`, truth as `true`, and the type that Python guesses from a name. Read off its source.
 */

const scene = scriptedConsole(test)
const recording = aScriptedRecording(scriptedSeconds(2, 400))
const said = textsOf(recording).join(' ')

const ownHeaders = {
  'User-Agent': 'OpenAI/Python 2.8.1',
  'X-Stainless-Lang': 'python',
  'X-Stainless-Package-Version': '2.8.1',
  'X-Stainless-OS': 'Linux',
  'X-Stainless-Arch': 'x64',
  'X-Stainless-Runtime': 'CPython',
  'X-Stainless-Runtime-Version': '3.12.3',
  'X-Stainless-Async': 'false',
  'x-stainless-retry-count': '0',
  'x-stainless-read-timeout': '600',
}

function multipart(fields: readonly (readonly [name: string, value: string])[]) {
  const boundary = randomBytes(16).toString('hex')
  const texts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="call.wav"\r\nContent-Type: audio/x-wav\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + file), recording, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

async function transcribed(token: string, ...fields: readonly (readonly [string, string])[]): Promise<Response> {
  const { type, body } = multipart([['model', 'whisper-1'], ...fields])
  return fetch(`${scene.service.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { ...ownHeaders, Accept: 'application/json', Authorization: `Bearer ${token}`, 'Content-Type': type },
    body,
  })
}

test.serial('client.audio.transcriptions.create, plainly and with the times of words', async (t) => {
  const { token } = await scene.aPerson(t)
  await scene.addWorker()
  const plain = await transcribed(token)
  t.is(plain.status, 200)
  t.like(await plain.json(), { text: said })
  const verbose = await transcribed(
    token,
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'word'],
    ['timestamp_granularities[]', 'segment'],
  )
  t.is(verbose.status, 200)
  const body = (await verbose.json()) as { words?: unknown[]; segments?: unknown[] } // as: what our API documents
  t.is(body.words?.length, said.split(' ').length)
  t.true((body.segments?.length ?? 0) > 0)
})

test.serial('stream=True gives events, the last of which has all of the text', async (t) => {
  const { token } = await scene.aPerson(t)
  await scene.addWorker()
  const answer = await transcribed(token, ['stream', 'true'])
  t.is(answer.status, 200)
  t.regex(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))
  t.like(events.at(-1), { type: 'transcript.text.done', text: said })
})

test.serial('an error has the shape from which the package makes its exceptions', async (t) => {
  const answer = await transcribed('not-a-token')
  t.is(answer.status, 401)
  const { error } = (await answer.json()) as { error?: { message?: unknown; type?: unknown } } // as: it is checked below
  t.is(typeof error?.message, 'string')
  t.is(typeof error?.type, 'string')
})
