import test from 'ava'
import type { ExecutionContext } from 'ava'

import { transcriptKey } from '../../actors/ids.ts'
import { vocabularyLimits } from '../../actors/vocabulary/state.ts'
import { batchService } from '../support/batch-service.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

/** What strangers, and users who want too much or come at the wrong time, get of what is in doubt. Nobody works here: what waits goes on waiting. */

const service = batchService(test)
const words = {
  name: 'House',
  entries: [
    { text: 'Meera', spoken: ['dada'] },
    { text: 'Kurla', spoken: ['home'] },
  ],
}
const file = (fileId: string): string => `/transcribe/results/file/${fileId}`

/** Somebody with a transcript, with files that have none, and with words that may be in doubt. */
async function aListener(t: ExecutionContext) {
  const user = await service.user(t)
  const records = await service.records()
  const laid = [{ stage: 'completed' }, { stage: 'running' }, { stage: 'failed' }] as const
  const { refs } = await records.layOut(user.owner, laid)
  const [ref, running, failed] = refs as [(typeof refs)[number], (typeof refs)[number], (typeof refs)[number]]
  const told = aToldTranscript({ text: 'my dada came home.' })
  const chunks = [{ chunk: 0, status: 'completed', start: 0, end: 2, text: told.result.text, model: 'a-model' }]
  await records.blobs.put(transcriptKey(ref), { bytes: Buffer.from(JSON.stringify({ ...told, chunks })) })
  const { body } = await user.api.post('/vocabularies', { json: words })
  const vocabulary: string = body.vocabulary_id
  const again = (fileId: string, more: object = {}, api = user.api) =>
    api.post(`${file(fileId)}/again`, { json: { vocabulary, words: ['Meera'], ...more } })
  return { ...user, fileId: ref.fileId, running: running.fileId, failed: failed.fileId, vocabulary, again }
}

test("another user's transcript and another user's words are not there, and nothing is submitted", async (t) => {
  const [theirs, mine] = [await aListener(t), await aListener(t)]
  const missing = await mine.again('01900000-0000-7000-8000-000000000000')
  const foreign = await mine.again(theirs.fileId)
  t.deepEqual([foreign.status, foreign.body], [404, missing.body])
  t.is((await mine.again(mine.fileId, { vocabulary: theirs.vocabulary })).status, 404)
  t.is((await mine.again(mine.fileId, {}, mine.api.as(undefined))).status, 401)
  for (const { api } of [theirs, mine]) t.is((await api.get('/transcribe/batches')).body.batches.length, 1)
})

for (const [what, json, reason] of [
  ['more words than the limit', { words: Array.from({ length: 21 }, (_, at) => `w${at}`) }, /more than 20 words/],
  ['a word that is too long', { words: ['x'.repeat(vocabularyLimits.characters + 1)] }, /words/],
  ['no words', { words: [] }, /which words were corrected/],
  ['words that the vocabulary has not', { words: ['Nobody'] }, /none of these words/],
  ['what is no list', { words: 'Meera' }, /words/],
  ['what is no vocabulary', { vocabulary: '../other' }, /vocabulary/],
] as const)
  test(`who asks for ${what} is refused, and nothing is submitted`, async (t) => {
    const { api, fileId, again } = await aListener(t)
    const { status, body } = await again(fileId, json)
    t.is(status, 400, JSON.stringify(body))
    t.regex(String(body.detail), reason)
    t.is((await api.get('/transcribe/batches')).body.batches.length, 1)
  })

test('what is being transcribed, has failed, or whose words were deleted is not gone on with, and says so', async (t) => {
  const { api, fileId, running, failed, vocabulary, again } = await aListener(t)
  t.like(await again(running), { status: 409, body: { detail: 'It is being transcribed. Ask when that is done.' } })
  t.like(await again(failed), { status: 409, body: { detail: 'There is no transcript of this file.' } })
  t.is((await again(fileId)).status, 200)
  // the second would go on from what the first is about to replace
  t.is((await again(fileId, { words: ['Kurla'] })).status, 409)
  t.is((await api.delete(`/vocabularies/${vocabulary}`)).status, 200)
  t.is((await again(fileId)).status, 404)
})

test('a crowd of requests is answered or told to come back, and the places are given back', async (t) => {
  const { fileId, again } = await aListener(t)
  const other = await aListener(t)
  const crowd = await Promise.all(Array.from({ length: 30 }, () => again(fileId, { words: ['Kurla'] })))
  const statuses = crowd.map(({ status }) => status)
  t.true(
    statuses.every((status) => status === 200 || status === 409 || status === 429),
    String(statuses),
  )
  const refused = crowd.find(({ status }) => status === 429)
  t.regex(String(refused?.body.detail), /2 transcripts that are looked through open, and the limit is 2/)
  t.is((await again(fileId)).status, 409)
  t.is((await other.again(other.fileId)).status, 200)
})
