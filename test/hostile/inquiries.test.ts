import test from 'ava'
import type { ExecutionContext } from 'ava'

import { transcriptKey } from '../../actors/ids.ts'
import { inquiryLimits } from '../../actors/inquiry/state.ts'
import { batchService } from '../support/batch-service.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

/** What users may not do with summaries, chapters and questions. No worker is here: all of them wait. */

const openMax = 3
const service = batchService(test, {
  LLM_BASE_URL: 'http://127.0.0.1:9/v1',
  LLM_MODEL: 'nobody',
  INQUIRY_USER_OPEN: String(openMax),
})
const withoutChat = batchService(test)

async function aReader(t: ExecutionContext, from = service) {
  const user = await from.user(t)
  const records = await from.records()
  const { refs } = await records.layOut(user.owner, [{ stage: 'completed' }, { stage: 'queued' }, { stage: 'failed' }])
  const [ref, ...others] = refs
  const said = aToldTranscript({ text: 'my dada came home.' })
  await records.blobs.put(transcriptKey(ref!), { bytes: Buffer.from(JSON.stringify(said)) })
  const pathOf = (fileId: string): string => `/transcribe/results/file/${fileId}/inquiries`
  return { ...user, path: pathOf(ref!.fileId), others: others.map(({ fileId }) => pathOf(fileId)) }
}

test('nobody asks about, reads or deletes what is written of another user’s file', async (t) => {
  const { api, path } = await aReader(t)
  t.is((await api.post(path, { json: { type: 'summary' } })).status, 202)
  const { api: stranger } = await service.user(t)
  t.is((await stranger.post(path, { json: { type: 'summary' } })).status, 404)
  t.is((await stranger.get(path)).status, 404)
  t.is((await stranger.delete(`${path}/summary`)).status, 404)
  t.is((await api.get(path)).body.inquiries.length, 1)
})

test('what is too much is refused with the limit, and nothing is kept of it', async (t) => {
  const { api, path } = await aReader(t)
  const question = (text: string): Promise<{ status: number; body: { detail: unknown } }> =>
    api.post(path, { json: { type: 'question', question: text } })
  const long = await question('a'.repeat(inquiryLimits.questionCharacters + 1))
  t.is(long.status, 400)
  t.regex(JSON.stringify(long.body), /more than 1000 characters, which is the limit/)
  for (let at = 0; at < openMax; at += 1) t.is((await question(`Which is ${at}?`)).status, 202)
  const beyond = await question('One more?')
  t.is(beyond.status, 429)
  t.regex(String(beyond.body.detail), /wait for 3/)
  t.is((await api.get(path)).body.inquiries.length, openMax)
})

test('what is not of the form is refused with the reason', async (t) => {
  const { api, path } = await aReader(t)
  for (const json of [
    {},
    { type: 'poem' },
    { type: 'question' },
    { type: 'question', question: '   ' },
    { type: 'summary', question: 'Who?' },
    { type: 'summary', again: 'yes' },
  ])
    t.is((await api.post(path, { json })).status, 400, JSON.stringify(json))
  for (const id of ['poem', 'question-..', 'question-0123456789abcdeF'])
    t.is((await api.delete(`${path}/${id}`)).status, 404, id)
  t.deepEqual((await api.get(path)).body.inquiries, [])
})

test('what has no transcript, or none yet, is not asked about', async (t) => {
  const { api, others } = await aReader(t)
  for (const path of others) {
    const { status, body } = await api.post(path, { json: { type: 'summary' } })
    t.is(status, 409, JSON.stringify(body))
    t.regex(String(body.detail), /no transcript/)
    t.deepEqual((await api.get(path)).body, { available: true, inquiries: [] })
  }
})

test('without a chat endpoint the refusal names what the operator sets', async (t) => {
  const { api, path } = await aReader(t, withoutChat)
  const { status, body } = await api.post(path, { json: { type: 'summary' } })
  t.is(status, 409)
  t.regex(String(body.detail), /LLM_BASE_URL and LLM_MODEL/)
  t.deepEqual((await api.get(path)).body, { available: false, inquiries: [] })
})

test('what a submission wants written is refused at once where it is too much, not of the form, or nobody can write it', async (t) => {
  const { submittedQuestions, perBatch } = inquiryLimits
  const user = await service.user(t)
  const sources = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ url: `https://example.org/${at}.wav` }))
  const submit = (body: object, api = user.api) =>
    api.post('/transcribe/batch', { json: { sources: sources(1), ...body } })
  const questions = Array.from({ length: submittedQuestions + 1 }, (_, at) => ({
    type: 'question',
    question: `Which is ${at}?`,
  }))
  for (const [body, reason] of [
    [{ after: [] }, /say what is wanted/],
    [{ after: ['summary'] }, /after/],
    [{ after: [{ type: 'poem' }] }, /after/],
    [{ after: [{ type: 'question' }] }, /goes with/],
    [{ after: [{ type: 'summary', question: 'Who?' }] }, /goes with/],
    [{ task: 'sing' }, /task/],
    [{ after: questions }, /6 questions are asked of each file, and the limit is 5/],
    [{ after: Array.from({ length: 9 }, () => ({ type: 'summary' })) }, /more than 8, which is the limit/],
    [
      { after: [{ type: 'summary' }], task: 'translate', sources: sources(perBatch / 2 + 1) },
      /2 for each of 1001 files are 2002 inquiries, and the limit for a batch is 2000/,
    ],
  ] as const) {
    const { status, body: said } = await submit(body)
    t.is(status, 400, JSON.stringify(body).slice(0, 200))
    t.regex(JSON.stringify(said), reason)
  }
  const other = await withoutChat.user(t)
  for (const body of [{ after: [{ type: 'summary' }] }, { task: 'translate' }]) {
    const refused = await submit(body, other.api)
    t.is(refused.status, 409)
    t.regex(String(refused.body.detail), /LLM_BASE_URL and LLM_MODEL/)
  }
  t.deepEqual((await user.api.get('/transcribe/inquiries')).body, { available: true })
  t.deepEqual((await other.api.get('/transcribe/inquiries')).body, { available: false })
  for (const { api } of [user, other]) t.deepEqual((await api.get('/transcribe/batches')).body.batches, [])
  t.is((await submit({ task: 'transcribe' }, other.api)).status, 200)
})
