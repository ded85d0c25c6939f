import test from 'ava'

import type { Api } from '../support/api.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline, submitted } from '../support/pipeline.ts'
import type { Pipeline } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aScriptedRecording, textsOf } from '../support/scripted-speech.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

/** Heard differently each time: what stays the same was not transcribed again, or was not taken from that. */
const varying = [{ stage: 'transcribe', act: 'vary' }] as const
const recording = aScriptedRecording([1, 2, 3].flatMap((audio) => [{ audio, commands: varying }, 'silence' as const]))
/** The number of the second chunk by which it is found, and which the script says each time beside another. */
const second = textsOf(recording)[1]!.replace('heard ', '')
const words = { name: 'House', entries: [{ text: 'Meera', spoken: [second] }] }

async function aTranscript({ api, addWorker, submit }: Pipeline) {
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content: recording }], { name: 'Monday' })
  const { files } = await batch.finished()
  const { body } = await api.post('/vocabularies', { json: words })
  const path = `/transcribe/results/file/${batch.fileIds[0]}`
  const segments: { text: string }[] = files[0].result.segments
  const again = (by: Api = api) =>
    by.post(`${path}/again`, { json: { vocabulary: body.vocabulary_id, words: ['Meera'] } })
  return { batch, path, segments, again, vocabulary: body.vocabulary_id as string }
}

test.serial(
  'corrected once, better elsewhere: doubtful chunks alone are transcribed again, and edits stay',
  async (t) => {
    const pipeline = await aPipeline(t, nats)
    const { api } = pipeline
    const { path, segments, again, vocabulary } = await aTranscript(pipeline)
    const texts = segments.map(({ text }) => text)
    t.is(texts.length, 3)
    const changes = [
      { type: 'word', segment: 0, word: 0, text: 'Namaste' },
      { type: 'note', at: 1, text: 'ask her' },
    ]
    t.is((await api.patch(path, { json: { version: 0, changes } })).status, 200)
    const { status, body } = await again()
    t.is(status, 200, JSON.stringify(body))
    t.like(body, { total_chunks: 3, chunks: [1], batch: { name: 'Monday', options: { vocabulary: { version: 1 } } } })
    const { files } = await submitted(api, body.batch).finished()
    const { body: newest } = await api.get(path)
    const after = newest.result.segments.map(({ text }: { text: string }) => text)
    t.is(files[0].status, 'completed')
    t.is(after[0], texts[0]!.replace('heard', 'Namaste'))
    t.regex(after[1], /^heard Meera \d+$/)
    t.is(after[1], texts[1]!.replace(second, 'Meera'), 'what else was heard otherwise stays as it was')
    t.is(after[2], texts[2])
    t.deepEqual(newest.transcribed_again, { chunks: 1, changed: 1 })
    const { body: signed } = await api.get(`${path}?receipt=true`)
    const [whole, part] = signed.receipt.content.chunks
    t.is(whole.earlier, undefined)
    t.like(part.earlier, { attempts: 1, changed: true })
    t.true(part.earlier.transcribed_at < part.transcribed_at)
    t.like(newest.edits, { version: 1, notes: [{ text: 'ask her' }] })
    t.is((await api.get(`/search?q=Namaste`)).body.total, 1)
    // and once more: the audio of its parts is still there
    const once = await api.patch(`/vocabularies/${vocabulary}`, {
      json: { version: 1, add: [{ text: 'Kurla', spoken: [texts[2]!.split(' ')[1]] }] },
    })
    t.is(once.status, 200)
    const more = await api.post(`${path}/again`, { json: { vocabulary, words: ['Kurla'] } })
    t.deepEqual(more.body.chunks, [2])
    await submitted(api, more.body.batch).finished()
    const { body: last } = await api.get(path)
    t.deepEqual(
      last.result.segments.slice(0, 2).map(({ text }: { text: string }) => text),
      after.slice(0, 2),
    )
    t.regex(last.result.segments[2].text, /Kurla/)
  },
)

test.serial(
  'nothing is transcribed again for words that nobody can have said, for strangers, or of what is redacted',
  async (t) => {
    const pipeline = await aPipeline(t, nats)
    const { api, gateway } = pipeline
    const { path, again, vocabulary } = await aTranscript(pipeline)
    t.is((await again(await gateway.apiOf('ravi'))).status, 404)
    t.is((await again(api.as(undefined))).status, 401)
    const json = { version: 1, add: [{ text: 'Thiruvananthapuram' }] }
    await api.patch(`/vocabularies/${vocabulary}`, { json })
    const none = await api.post(`${path}/again`, { json: { vocabulary, words: ['Thiruvananthapuram'] } })
    t.deepEqual(none.body.chunks, [])
    t.is(none.body.batch, undefined)
    const unknown = await api.post(`${path}/again`, { json: { vocabulary, words: ['Nobody'] } })
    t.is(unknown.status, 400)
    const many = Array.from({ length: 21 }, (_, at) => `w${at}`)
    t.is((await api.post(`${path}/again`, { json: { vocabulary, words: many } })).status, 400)
    const hidden = await pipeline.submit([{ name: 'call.wav', content: recording }], { redact: ['account'] })
    await hidden.finished()
    const refused = await api.post(`/transcribe/results/file/${hidden.fileIds[0]}/again`, {
      json: { vocabulary, words: ['Meera'] },
    })
    t.is(refused.status, 409)
    t.regex(refused.body.detail, /redacted/)
  },
)

test.serial('by the command a word is corrected once: kept, looked for again, and by nobody else', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const { api, gateway } = pipeline
  await pipeline.addWorker()
  const batch = await pipeline.submit([{ name: 'call.wav', content: recording }], {})
  const { files } = await batch.finished()
  const [fileId = ''] = batch.fileIds
  const commandOf = async (user: string) => {
    const environment = { VAAK_URL: api.url, VAAK_TOKEN: await gateway.tokenOf(user) }
    return (...given: string[]) => runVaak(t, given, environment)
  }
  const [vaak, stranger] = [await commandOf('asha'), await commandOf('ravi')]
  const theirs = await stranger('correct', fileId, second, 'Meera')
  t.deepEqual([theirs.code, theirs.stdout], [1, ''])
  t.is((await stranger('vocabulary', 'list')).stdout, '', 'nothing is kept for a file that is not theirs')
  const done = await vaak('correct', fileId, second, 'Meera', '--watch')
  t.is(done.code, 0, done.stderr)
  t.regex(done.stderr, /^Meera is kept in the vocabulary "My words"\.\n1 of 3 parts are transcribed again\.\n/)
  t.regex(done.stderr, /completed: 1 of 1 done/)
  const { body } = await api.get(`/transcribe/results/file/${fileId}`)
  t.is(body.result.segments[1].text, files[0].result.segments[1].text.replace(second, 'Meera'))
  t.is((await api.get(`/transcribe/status/batch/${done.stdout.trim()}`)).status, 200)
  t.is((await vaak('vocabulary', 'show', 'My words')).stdout, `Meera = ${second}\n`)

  const nowhere = await vaak('correct', fileId, 'nobody-said', 'Thiruvananthapuram')
  t.deepEqual([nowhere.code, nowhere.stdout], [0, ''])
  t.regex(nowhere.stderr, /nothing is transcribed again/)
  const hidden = await pipeline.submit([{ name: 'call.wav', content: recording }], { redact: ['account'] })
  await hidden.finished()
  const redacted = await vaak('correct', hidden.fileIds[0]!, 'ravee', 'Ravi')
  t.is(redacted.code, 1)
  t.regex(redacted.stderr, /^Ravi is kept in .*\n.*Submit the file again as it was, with this `vocabulary`/)
  await api.post('/vocabularies', { json: { ...words, name: 'Other' } })
  const which = await vaak('correct', fileId, second, 'Asha')
  t.deepEqual([which.code, which.stderr.slice(0, 20)], [2, 'In which vocabulary?'])
  t.is((await vaak('correct', fileId, second, 'Asha', '--vocabulary', 'Other', '--json')).code, 0)
  t.is((await vaak('correct', fileId, second)).code, 2)
})
