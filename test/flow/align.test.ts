import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { alignLimits } from '../../actors/transcript/state.ts'
import type { ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline, uploadRecordings } from '../support/pipeline.ts'
import type { Pipeline } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

/** The way of a text and its recording; what is heard is scripted here and has no letters, so that every word is interpolated. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const recording = aScriptedRecording(scriptedSeconds(3))
const text = 'One line --> here\n\nऔर <b>एक</b> पंक्ति'

function ask(api: Pipeline['api'], fields: Readonly<Record<string, string>>, content = recording): Promise<ApiAnswer> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('file', new Blob([content]), 'call.wav')
  return api.post('/transcribe/align', { body })
}

const filesOf = async ({ api }: Pipeline): Promise<number> => (await api.get('/files')).body.total_files

test.serial(
  'a text comes back with times for every word, or as subtitles with its lines, and nothing stays',
  async (t) => {
    const pipeline = await aPipeline(t, nats)
    await pipeline.addWorker()
    const { status, body } = await ask(pipeline.api, { text })
    t.is(status, 200, JSON.stringify(body))
    t.deepEqual(
      body.words.map(({ word }: { word: string }) => word),
      text.split(/\s+/),
    )
    t.like(body, { duration: 3, words_found: 0, lines: [{ text: 'One line --> here' }, { text: 'और <b>एक</b> पंक्ति' }] })
    let before = 0
    for (const { start, end, interpolated } of body.words) {
      t.true(start >= before && end >= start && end <= 3 && interpolated === true)
      before = end
    }
    const { body: srt } = await ask(pipeline.api, { text, response_format: 'srt' })
    t.regex(
      srt,
      /^1\n00:00:00,000 --> 00:00:0\d,\d{3}\nOne line -> here\n\n2\n.* --> 00:00:03,000\nऔर ‹b>एक‹\/b> पंक्ति\n$/,
    )
    const { body: vtt } = await ask(pipeline.api, { text, response_format: 'vtt', profile: 'fast' })
    t.regex(vtt, /^WEBVTT\n\n00:00:00\.000 --> .*\nOne line -> here\n\n.*\nऔर &lt;b>एक&lt;\/b> पंक्ति\n$/)
    await eventually('nothing of it is left', async () => (await filesOf(pipeline)) === 0)
  },
)

test.serial('too much, too little and what is no sound are refused with the reason', async (t) => {
  const pipeline = await aPipeline(t, nats, { WAIT_MAX_FILE_BYTES: '64MiB' })
  await pipeline.addWorker()
  const refused = async (fields: Readonly<Record<string, string>>, content = recording) => {
    const { status, body } = await ask(pipeline.api, fields, content)
    return `${status} ${JSON.stringify(body.detail)}`
  }
  const { characters, seconds } = alignLimits
  t.regex(await refused({ text: 'a '.repeat(characters) }), new RegExp(`^400 .*body\\.text.*${characters} characters`))
  t.regex(await refused({ text: 'a'.repeat(200_000) }), /^400 .*128 KiB/)
  t.regex(await refused({ text: ' \n ' }), /^400 .*body\.text.*no words/)
  t.regex(await refused({}), /^400 .*body\.text/)
  t.regex(await refused({ text, response_format: 'ass' }), /^400 .*body\.response_format/)
  t.regex(await refused({ text, profile: 'best' }), /^400 .*body\.profile/)
  t.regex(await refused({ text }, Buffer.from('not sound')), /^400 /)
  const long = aScriptedRecording(scriptedSeconds(seconds + 5))
  t.regex(await refused({ text }, long), new RegExp(`^413 .*${seconds + 5} seconds, and the limit here is ${seconds}`))
  t.is((await ask(pipeline.api.as(undefined), { text })).status, 401)
  await eventually('nothing of it is left', async () => (await filesOf(pipeline)) === 0)
})

test.serial('who has as many waiting as one may have is told, and others are not kept from theirs', async (t) => {
  const pipeline = await aPipeline(t, nats, { WAIT_MAX_PER_USER: '1' })
  const first = ask(pipeline.api, { text })
  await eventually('it waits', async () => (await filesOf(pipeline)) === 1)
  const second = await ask(pipeline.api, { text })
  t.is(second.status, 429)
  t.regex(second.body.detail, /1 alignments open, and the limit is 1/)
  const theirs = ask(pipeline.api.as(await pipeline.gateway.tokenOf('bela')), { text: 'theirs' })
  await pipeline.addWorker()
  t.is((await theirs).body.words.length, 1)
  t.is((await first).status, 200)
})

test.serial('who leaves, deletes the recording or waits too long meanwhile leaves nothing behind', async (t) => {
  const pipeline = await aPipeline(t, nats, { WAIT_DEADLINE_SECONDS: '4' })
  const { api } = pipeline
  const body = new FormData()
  body.append('text', text)
  body.append('file', new Blob([recording]), 'call.wav')
  const leaving = new AbortController()
  const headers = { Authorization: `Bearer ${await pipeline.gateway.tokenOf('asha')}` }
  const left = fetch(`${api.url}/transcribe/align`, { method: 'POST', headers, body, signal: leaving.signal })
  await eventually('it waits', async () => (await filesOf(pipeline)) === 1)
  leaving.abort()
  await t.throwsAsync(left, { any: true })
  await eventually('it is taken back', async () => (await filesOf(pipeline)) === 0)

  const deleted = ask(api, { text })
  const [file] = await eventually('it waits', async () => {
    const { files } = (await api.get('/files')).body
    return files.length === 1 ? files : undefined
  })
  t.is((await api.delete('/files', { json: { file_ids: [file.file_id] } })).status, 200)
  t.like(await deleted, { status: 409 })

  const late = await ask(api, { text })
  t.is(late.status, 503)
  t.regex(late.body.detail, /not done within 4 seconds/)
  await eventually('nothing of it is left', async () => (await filesOf(pipeline)) === 0)
})

test.serial('where recordings are kept nobody else reads what was aligned', async (t) => {
  const pipeline = await aPipeline(t, nats, { WAIT_KEEP: 'true' })
  await pipeline.addWorker()
  t.is((await ask(pipeline.api, { text })).status, 200)
  const { body: files } = await pipeline.api.get('/files')
  const path = `/transcribe/results/file/${files.files[0].file_id}`
  const own = await pipeline.api.get(path)
  t.true(own.body.result.segments[0].words.every(({ interpolated }: { interpolated: boolean }) => interpolated))
  const theirs = pipeline.api.as(await pipeline.gateway.tokenOf('bela'))
  t.is((await theirs.get(path)).status, 404)
})

test.serial('a batch that says what is said has these words as its transcript, line by line', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const batch = await pipeline.submit([{ name: 'call.wav', content: recording }], { text })
  const [{ result }] = (await batch.finished()).files
  t.deepEqual(
    result.segments.map((segment: { text: string }) => segment.text),
    ['One line --> here', 'और <b>एक</b> पंक्ति'],
  )
  t.like(result.segments[0].words[0], { word: 'One', interpolated: true })
  t.deepEqual(result.warnings, [])
})

test.serial('a text for several files, for too long a one, or beside what finds out words is refused', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const { seconds, characters } = alignLimits
  const long = aScriptedRecording(scriptedSeconds(seconds + 5))
  const uploads = new Map(
    await Promise.all(
      Object.entries({ one: [recording], two: [recording, recording], long: [long] }).map(
        async ([name, recordings]): Promise<[string, string]> => {
          const parts = recordings.map((content, at) => ({ name: `${at}.wav`, content }))
          return [name, await uploadRecordings(pipeline.api, parts)]
        },
      ),
    ),
  )
  const refused = async (name: string, more: object = {}) => {
    const json = { batch_upload_id: uploads.get(name), text, ...more }
    const { status, body } = await pipeline.api.post('/transcribe/batch', { json })
    return `${status} ${JSON.stringify(body.detail)}`
  }
  t.regex(await refused('two'), /^400 .*body\.text: .*one recording, and these are 2 files/)
  t.regex(
    await refused('long'),
    new RegExp(`^400 .*lasts ${seconds + 5} seconds, and the limit with a text is ${seconds}`),
  )
  t.regex(
    await refused('one', { hotwords: ['Vaak'], channels: 'separate' }),
    /^400 .*nothing to do for `hotwords`, `channels`/,
  )
  t.regex(await refused('one', { text: 'a '.repeat(characters) }), new RegExp(`^400 .*${characters} characters`))
  t.regex(await refused('one', { text: ' ' }), /^400 .*no words/)
})

test.serial('the command prints words, marked where they were not found, and subtitles', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const folder = await aFolder(t)
  await writeFile(join(folder, 'call.wav'), recording)
  await writeFile(join(folder, 'call.txt'), text)
  const environment = { VAAK_URL: pipeline.api.url, VAAK_TOKEN: await pipeline.gateway.tokenOf('asha') }
  const vaak = (...words: string[]) => runVaak(t, words, environment)
  const plain = await vaak('align', join(folder, 'call.wav'), join(folder, 'call.txt'))
  t.is(plain.code, 0, plain.stderr)
  t.regex(plain.stdout, /^ {3}0\.000 {4}\d\.\d{3} 0\.00 One \*\n/)
  const srt = await vaak('align', join(folder, 'call.wav'), join(folder, 'call.txt'), '--format', 'srt')
  t.regex(srt.stdout, /^1\n00:00:00,000 --> /)
  await writeFile(join(folder, 'long.txt'), 'a'.repeat(200_000))
  const long = await vaak('align', join(folder, 'call.wav'), join(folder, 'long.txt'))
  t.is(long.code, 2)
  t.regex(long.stderr, new RegExp(`longer than ${alignLimits.characters} characters`))
})
