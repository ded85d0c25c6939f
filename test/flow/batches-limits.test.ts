import test from 'ava'
import type { ExecutionContext } from 'ava'

import { aFile, aFileId } from '../support/builders.ts'
import { batchesIn } from '../support/batches.ts'
import type { StoredBatches } from '../support/batches.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { aNatsServer, startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { ownerOf } from '../support/service.ts'

/** What is too much for a user, for the queue, and for nobody. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

interface Limited {
  readonly records: StoredBatches
  readonly apiOf: (user: string) => Promise<Api>
}

async function limited(t: ExecutionContext, environment: Record<string, string>, broker = nats): Promise<Limited> {
  const gateway = await aGateway(t, broker, { environment })
  return { records: await batchesIn({ nats: broker, dataDir: gateway.dataDir }), apiOf: (user) => gateway.apiOf(user) }
}

function submitUrls(api: Api, count: number, signature = ''): Promise<ApiAnswer> {
  const sources = Array.from({ length: count }, (_, at) => ({ url: `https://example.org/${at}.mp3${signature}` }))
  return api.post('/transcribe/batch', { json: { sources } })
}

test('a user may have as many files open as the quota allows, and is then told 429 and when to come back', async (t) => {
  const { apiOf } = await limited(t, { QUOTA_FILES: '5' })
  const api = await apiOf(t.title)
  t.is((await submitUrls(api, 3)).status, 200)
  const refused = await submitUrls(api, 3)
  t.is(refused.status, 429)
  t.regex(refused.body.detail, /6 of your files .* quota is 5 files/)
  t.true(Number(refused.headers.get('retry-after')) >= 1)
  t.is((await submitUrls(api, 2)).status, 200)
  t.is((await submitUrls(await apiOf('somebody else'), 5)).status, 200, 'others have their own')
})

test('a user may have as much sound open as the quota allows', async (t) => {
  const { apiOf, records } = await limited(t, { QUOTA_AUDIO_SECONDS: '100' })
  const api = await apiOf(t.title)
  const fileIds = [aFileId(), aFileId()]
  for (const fileId of fileIds)
    await records.files.create(fileId, aFile('completed', { fileId, owner: ownerOf(t.title), durationSeconds: 60 }))
  t.is((await api.post('/transcribe/batch', { json: { file_ids: [fileIds[0]] } })).status, 200)
  const refused = await api.post('/transcribe/batch', { json: { file_ids: [fileIds[1]] } })
  t.is(refused.status, 429)
  t.regex(refused.body.detail, /120 seconds .* quota is 100 seconds/)
})

test('a batch that alone is more than the quota is told so, and not to come back', async (t) => {
  const { apiOf } = await limited(t, { QUOTA_FILES: '2', QUOTA_AUDIO_SECONDS: '170' })
  const api = await apiOf(t.title)
  for (const files of [3, 4]) {
    const refused = await submitUrls(api, files)
    t.is(refused.status, 429)
    t.regex(refused.body.detail, /quota is 2 files\. That is this batch alone: submit it in parts/)
    t.is(refused.headers.get('retry-after'), null)
  }
})

test('a batch that no queue could hold is 400, and not told to come back', async (t) => {
  const { apiOf } = await limited(t, { QUEUE_MAX_FILES: '2' })
  const refused = await submitUrls(await apiOf(t.title), 3)
  t.is(refused.status, 400)
  t.regex(refused.body.detail, /has 3 files, and the queue holds 2/)
  t.is(refused.headers.get('retry-after'), null)
})

test('a queue that has just been emptied is not full', async (t) => {
  const { apiOf } = await limited(t, { QUEUE_MAX_FILES: '4' }, await aNatsServer(t))
  const api = await apiOf('first')
  const { body } = await submitUrls(api, 4)
  t.is((await submitUrls(api, 1)).status, 503)
  t.is((await api.delete(`/transcribe/batch/${body.batch_id}`)).status, 200)
  // a queue that takes long to look at is not looked at again at once
  const isTaken = async () => (await submitUrls(api, 4)).status === 200
  t.true(await eventually('the queue is seen to be empty', isTaken))
})

test('of many submissions at the same moment no more are accepted than the quota allows', async (t) => {
  const { apiOf } = await limited(t, { QUOTA_FILES: '5' })
  const api = await apiOf(t.title)
  const answers = await Promise.all(Array.from({ length: 10 }, () => submitUrls(api, 1)))
  t.is(answers.filter(({ status }) => status === 200).length, 5)
  t.is(answers.filter(({ status }) => status === 429).length, 5)
})

test('a batch that is finished takes nothing of the quota, also when a crash kept it from giving it back', async (t) => {
  const { apiOf, records } = await limited(t, { QUOTA_FILES: '1' })
  const owner = ownerOf(t.title)
  const { batch } = await records.layOut(owner, [{ stage: 'completed' }])
  await records.quotas.create(owner, { reserved: { [batch.batchId]: { files: 1, seconds: 10 } } })
  t.is((await submitUrls(await apiOf(t.title), 1)).status, 200)
  const { reserved } = (await records.quotas.read(owner))!.value
  t.is(Object.keys(reserved).length, 1)
  t.false(batch.batchId in reserved)
})

test('without a quota none is kept', async (t) => {
  const { apiOf, records } = await limited(t, {})
  t.is((await submitUrls(await apiOf(t.title), 1)).status, 200)
  t.is(await records.quotas.read(ownerOf(t.title)), undefined)
})

test('a full queue is 503 and says when to come back, whoever filled it', async (t) => {
  // a broker of its own: everybody's files count
  const { apiOf } = await limited(t, { QUEUE_MAX_FILES: '10' }, await aNatsServer(t))
  t.is((await submitUrls(await apiOf('first'), 8)).status, 200)
  const refused = await submitUrls(await apiOf('second'), 3)
  t.is(refused.status, 503)
  t.regex(refused.body.detail, /queue is full: 8 files .* limit is 10/)
  t.true(Number(refused.headers.get('retry-after')) >= 1)
  t.is((await submitUrls(await apiOf('second'), 2)).status, 200)
})

test('what waits was seen by a gateway that has just started', async (t) => {
  const broker = await aNatsServer(t)
  const first = await limited(t, {}, broker)
  await submitUrls(await first.apiOf('first'), 8)
  const { apiOf } = await limited(t, { QUEUE_MAX_FILES: '10' }, broker)
  t.is((await submitUrls(await apiOf('second'), 3)).status, 503)
})

test('ten thousand files are accepted in one request, with a record for each hundred of them', async (t) => {
  const { apiOf, records } = await limited(t, {})
  const api = await apiOf(t.title)
  const { status, body } = await submitUrls(api, 10_000, `?signature=${'x'.repeat(500)}`)
  t.is(status, 200)
  t.is(body.jobs.length, 10_000)
  t.is(new Set(body.jobs.map((job: { file_id: string }) => job.file_id)).size, 10_000)
  t.is((await records.members.readUnder(body.batch_id)).size, 100)
})

test('files with URLs, names and metadata of the longest kind fit into their records', async (t) => {
  const { apiOf } = await limited(t, { BATCH_MAX_FILES: '250' })
  const api = await apiOf(t.title)
  const long = (at: number): string => `https://example.org/?${at}${'"'.repeat(2000)}`.slice(0, 2000)
  const sources = Array.from({ length: 250 }, (_, at) => ({
    url: long(at),
    filename: `${'"'.repeat(400)}.wav`,
    metadata: { a: '"'.repeat(90) },
  }))
  t.is((await api.post('/transcribe/batch', { json: { sources } })).status, 200)
})
