import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { decodeWav } from '../../infra/speech/audio/wav.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline, submitted } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'
import { levelAt } from '../support/sound-level.ts'

/** A scripted recording says numbers of fifteen digits, as accounts have them. */
const content = aScriptedRecording(scriptedSeconds(3))
const numbers = textsOf(content).map((text) => text.replace('heard ', ''))
const redacted = 'heard [account] heard [account] heard [account]'

/** Which of the numbers are anywhere in the files below a folder. */
async function numbersIn(folder: string): Promise<string[]> {
  const found = new Set<string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    // a file may go while it is looked for
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    for (const number of numbers) if (bytes.includes(number)) found.add(number)
  }
  return [...found]
}

async function aHouse(t: ExecutionContext) {
  return aPipeline(t, await aNatsServer(t))
}

test('what is redacted is in no answer, and on no disk when the file is put together', async (t) => {
  const { nats, api, dataDir, addWorker, submit } = await aHouse(t)
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content }], { redact: ['account', 'phone'] })
  const { files } = await batch.finished()
  t.is(files[0].result.text, redacted)
  t.is(files[0].result.segments[0].words[1].word, '[account]')
  const path = `/transcribe/results/file/${batch.fileIds[0]}`
  for (const format of ['json', 'ndjson', 'text', 'srt', 'vtt'])
    for (const more of ['', '&original=true', '&numerals=true', '&chunks=true', '&script=native']) {
      const { body } = await api.get(`${path}?format=${format}${more}`)
      const text = JSON.stringify(body)
      t.true(text.includes('[account]'), `${format}${more}`)
      t.false(
        numbers.some((number) => text.includes(number)),
        `${format}${more}`,
      )
    }
  const { body: withChunks } = await api.get(`${path}?chunks=true`)
  t.deepEqual(
    withChunks.chunk_results.map(({ text }: { text: string }) => text),
    ['heard [account]', 'heard [account]', 'heard [account]'],
  )
  await eventually('nothing of it is on the disks', async () => (await numbersIn(dataDir)).length === 0)
  t.deepEqual(await numbersIn(nats.storeDir), [])
  for (const number of numbers) t.is((await api.get(`/search?q=${number}`)).body.total, 0)
})

test('no words of a redacted file are shown before all of it is transcribed', async (t) => {
  const { api, addWorker, submit } = await aHouse(t)
  const held = aScriptedRecording([
    { audio: 1 },
    { audio: 2 },
    { audio: 3, commands: [{ stage: 'transcribe', act: 'retryable', times: 2 }] },
  ])
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content: held }], { redact: ['account'] })
  const seen: string[] = []
  await eventually('it has ended', async () => {
    const { body } = await api.get(`/transcribe/results/file/${batch.fileIds[0]}?chunks=true`)
    seen.push(JSON.stringify(body))
    return body.status === 'completed'
  })
  for (const body of seen) t.notRegex(body, /\d{15}/u)
})

test('what was taken out is kept where its user asks for it, for them alone, and goes with the rest', async (t) => {
  const { api, gateway, dataDir, addWorker, submit } = await aHouse(t)
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content }], { redact: ['account'], keep_unredacted: true })
  await batch.finished()
  const path = `/transcribe/results/file/${batch.fileIds[0]}`
  t.is((await api.get(path)).body.result.text, redacted)
  const { status, headers, body } = await api.get(`${path}/unredacted`)
  t.is(status, 200)
  t.is(headers.get('cache-control'), 'no-store')
  t.is(body.result.text, textsOf(content).join(' '))
  const vaak = async (...words: string[]) =>
    runVaak(t, ['results', ...words], { VAAK_URL: api.url, VAAK_TOKEN: await gateway.tokenOf('asha') })
  const printed = await vaak('--file', batch.fileIds[0]!, '--unredacted')
  t.is(printed.stdout, `==> call.wav, unredacted <==\n${textsOf(content).join(' ')}\n`)
  t.regex((await vaak(batch.batchId, '--unredacted')).stderr, /--file FILE_ID --unredacted/)
  const other = await gateway.apiOf('another')
  t.is((await other.get(`${path}/unredacted`)).status, 404)
  t.is((await api.as(undefined).get(`${path}/unredacted`)).status, 401)
  const { body: made } = await api.post(`${path}/share_links`, { json: { audio: true } })
  const stranger = api.as(made.link)
  t.is((await stranger.get(`${path}/unredacted`)).status, 401)
  const { body: shared } = await stranger.get('/shared/result')
  t.is(shared.result.text, redacted)
  t.false(shared.audio, 'the recording says it all')
  t.is((await stranger.get('/shared/audio')).status, 403)
  for (const number of numbers) t.is((await api.get(`/search?q=${number}`)).body.total, 0)
  t.deepEqual((await numbersIn(dataDir)).toSorted(), numbers.toSorted(), 'it is kept')
  await api.delete(`/transcribe/batch/${batch.batchId}`)
  await eventually('it is gone', async () => (await numbersIn(dataDir)).length === 0)
})

test('what somebody writes into a redacted transcript is redacted before it is stored', async (t) => {
  const { api, dataDir, addWorker, submit } = await aHouse(t)
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content }], { redact: ['phone'] })
  await batch.finished()
  const path = `/transcribe/results/file/${batch.fileIds[0]}`
  const edit = (version: number, text: string) =>
    api.patch(path, { json: { version, changes: [{ type: 'text', segment: 0, text }] } })
  // parts that stand apart are no number yet; without what is between them they are one
  t.is((await edit(0, 'it was 98765 and many words went by before the 43211')).status, 200)
  t.regex((await api.get(path)).body.result.text, /98765 .* 43211/u)
  t.is((await edit(1, 'it was 98765 43211')).status, 200)
  t.is((await edit(2, 'it was nine eight seven six five double four three two two')).status, 200)
  const { body } = await api.get(path)
  t.regex(body.result.text, /^it was \[phone\]/u)
  t.notRegex(JSON.stringify((await api.get(`${path}?version=2`)).body), /43211/u)
  t.is((await api.get('/search?q=double')).body.total, 0)
  const files = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true })
  for (const entry of files.filter((one) => one.isFile()))
    t.false((await readFile(join(entry.parentPath, entry.name))).includes('double'), entry.name)
})

test('a redacted file with a gap is tried again from the beginning, and is redacted then too', async (t) => {
  const { api, dataDir, addWorker, submit } = await aHouse(t)
  const failing = aScriptedRecording([
    { audio: 1 },
    { audio: 2, commands: [{ stage: 'transcribe', act: 'terminal', times: 1 }] },
    { audio: 3 },
  ])
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content: failing }], { redact: ['account'] })
  const { files } = await batch.finished()
  t.is(files[0].status, 'partial')
  await eventually('no words of chunks are left', async () => (await numbersIn(dataDir)).length === 0)
  const { status, body } = await api.post(`/transcribe/batch/${batch.batchId}/retry`, {})
  t.is(status, 200)
  t.deepEqual(body.options.redact, ['account'])
  const again = submitted(api, body)
  // the script makes the same chunk of another batch fail once more
  const { files: tried } = await again.finished()
  t.is(tried[0].result.text, 'heard [account] heard [account]')
  t.deepEqual(
    (await again.results('?raw=true')).jobs.map(({ status: of }: { status: string }) => of),
    ['partial', 'completed', 'failed', 'completed'],
  )
  await eventually('no words of chunks are left', async () => (await numbersIn(dataDir)).length === 0)
})

test('who waits for the answer is told the words without what is redacted, streamed or not', async (t) => {
  const { api, addWorker } = await aHouse(t)
  await addWorker()
  const ask = async (...fields: readonly (readonly [name: string, value: string])[]) => {
    const form = new FormData()
    form.append('file', new Blob([content]), 'call.wav')
    form.append('model', 'whisper-1')
    for (const [name, value] of fields) form.append(name, value)
    return api.post('/v1/audio/transcriptions', { body: form })
  }
  t.is((await ask(['redact[]', 'account'], ['redact[]', 'phone'])).body.text, redacted)
  t.is((await ask(['redact', 'account'], ['response_format', 'text'])).body, `${redacted}\n`)
  t.is((await ask(['redact', 'salary'])).status, 400)
  const { body: stream } = await ask(['redact', 'account'], ['stream', 'true'])
  t.regex(stream, /transcript\.text\.delta.*\[account\]/su)
  t.false(numbers.some((number) => stream.includes(number)))
})

test('what is redacted is not heard where the audio is given out, and its user alone has the original', async (t) => {
  const { api, gateway, dataDir, addWorker, submit } = await aHouse(t)
  await addWorker()
  const spoken = aScriptedRecording([{ audio: 1 }, 'silence', { audio: 2 }])
  const batch = await submit([{ name: 'call.wav', content: spoken }], { redact: ['account'], redact_audio: true })
  await batch.finished()
  const hear = async (token: string, path: string) => {
    const answer = await fetch(`${api.url}${path}`, { headers: { Authorization: `Bearer ${token}` } })
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const path = `/files/${batch.fileIds[0]}/audio`
  const own = await gateway.tokenOf('asha')
  const { status, bytes } = await hear(own, path)
  t.is(status, 200)
  const { samples } = decodeWav(bytes)!
  t.is(samples.length, 3 * 16_000)
  // the first half of a second says "heard", the other half says the number
  t.true(levelAt(samples, 0.1) > 0.2, 'what is not redacted is heard')
  for (const seconds of [0.5, 0.7, 0.9, 2.5, 2.9]) {
    const level = levelAt(samples, seconds)
    t.true(level > 0.05 && level < 0.15, `a tone at ${seconds}: ${level}`)
  }
  t.deepEqual((await hear(own, `${path}?original=true`)).bytes, Buffer.from(spoken))
  const other = await gateway.tokenOf('another')
  for (const more of ['', '?original=true']) t.is((await hear(other, path + more)).status, 404)
  const { body: made } = await api.post(`/transcribe/results/file/${batch.fileIds[0]}/share_links`, {
    json: { audio: true },
  })
  const stranger = api.as(made.link)
  t.true((await stranger.get('/shared/result')).body.audio)
  for (const more of ['', '?original=true'])
    t.deepEqual((await hear(made.link, `/shared/audio${more}`)).bytes, bytes, 'a link has no other')
  await api.delete(`/transcribe/batch/${batch.batchId}?files=true`)
  const left = async () => (await readdir(dataDir, { recursive: true })).filter((name) => name.endsWith('bleeped.wav'))
  await eventually('the copy is gone', async () => (await left()).length === 0)
})

for (const [what, json] of [
  ['an unknown kind', { redact: ['salary'] }],
  ['no kind', { redact: [] }],
  ['a kind that is no list', { redact: 'phone' }],
  ['more than there are', { redact: Array(50).fill('phone') }],
  ['what is kept of nothing', { keep_unredacted: true }],
  ['audio of nothing', { redact_audio: true }],
  ['audio that is not kept', { redact: ['phone'], redact_audio: true }],
] as const)
  test.serial(`${what} is refused`, async (t) => {
    const { api } = await aHouse(t)
    const sources = [{ url: 'https://example.org/a.wav' }]
    t.is((await api.post('/transcribe/batch', { json: { sources, ...json } })).status, 400)
  })
