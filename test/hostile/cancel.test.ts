import test from 'ava'
import type { ExecutionContext } from 'ava'

import { batchService } from '../support/batch-service.ts'
import { aBatchId, aFileId } from '../support/builders.ts'

/** What strangers, and users who want too much or come too late, can do by cancelling. Nobody works here: what waits goes on waiting. */

const service = batchService(test)

async function aWaitingBatch(t: ExecutionContext) {
  const user = await service.uploader(t, 'completed', 'completed')
  const { status, body } = await user.api.post('/transcribe/batch', { json: { file_ids: user.fileIds } })
  t.is(status, 200, JSON.stringify(body))
  const path = `/transcribe/batch/${body.batch_id}`
  const statusOf = async (): Promise<string> =>
    (await user.api.get(`/transcribe/status/batch/${body.batch_id}`)).body.status
  return { ...user, path, statusOf, batchId: body.batch_id as string }
}

test("another user's batch, and another user's files in one's own, are not there to be cancelled", async (t) => {
  const theirs = await aWaitingBatch(t)
  const mine = await aWaitingBatch(t)
  const missing = await mine.api.post(`/transcribe/batch/${aBatchId()}/cancel`)
  const foreign = await mine.api.post(`${theirs.path}/cancel`)
  t.deepEqual([foreign.status, foreign.body.detail.message], [404, missing.body.detail.message])
  for (const file_ids of [theirs.fileIds, mine.fileIds])
    t.is((await mine.api.post(`${theirs.path}/cancel_files`, { json: { file_ids } })).status, 404)
  const among = { file_ids: [mine.fileIds[0], theirs.fileIds[0]] }
  const refused = await mine.api.post(`${mine.path}/cancel_files`, { json: among })
  t.deepEqual([refused.status, refused.body.detail.file_ids], [409, [theirs.fileIds[0]]])
  t.deepEqual([await theirs.statusOf(), await mine.statusOf()], ['queued', 'queued'], 'nothing was cancelled')
})

for (const [what, json, reason] of [
  ['more files than may be named', { file_ids: Array.from({ length: 201 }, aFileId) }, /at most 200 files/],
  ['no files', { file_ids: [] }, /file_ids/],
  ['what is no list', { file_ids: 'all' }, /file_ids/],
  ['what are no ids', { file_ids: ['../../x'] }, /file_ids/],
] as const)
  test(`who cancels ${what} is refused, and nothing is cancelled`, async (t) => {
    const { api, path, statusOf } = await aWaitingBatch(t)
    const { status, body } = await api.post(`${path}/cancel_files`, { json })
    t.true(status >= 400 && status < 500, String(status))
    t.regex(JSON.stringify(body.detail), reason)
    t.is(await statusOf(), 'queued')
  })

test('what has ended is not cancelled, and what was deleted is not there', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch, refs } = await (await service.records()).layOut(owner, [{ stage: 'completed' }])
  const path = `/transcribe/batch/${batch.batchId}`
  t.like(await api.post(`${path}/cancel`), { status: 202, body: { files_cancelled: 0 } })
  const named = await api.post(`${path}/cancel_files`, { json: { file_ids: [refs[0]!.fileId] } })
  t.is(named.status, 409)
  t.is((await api.get(`/transcribe/results/file/${refs[0]!.fileId}`)).body.status, 'completed')
  const waiting = await aWaitingBatch(t)
  t.is((await waiting.api.delete(waiting.path)).status, 200)
  t.is((await waiting.api.post(`${waiting.path}/cancel`)).status, 404)
})
