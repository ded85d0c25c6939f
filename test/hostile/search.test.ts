import test from 'ava'
import type { ExecutionContext } from 'ava'

import { passagesKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import { oddTexts } from '../fuzz/odd-values.ts'
import { batchService } from '../support/batch-service.ts'
import type { TestUser } from '../support/service.ts'

const service = batchService(test)

/** What this many finished files of a user say can be searched. */
async function aSpeaker(t: ExecutionContext, files = 1): Promise<TestUser & { refs: readonly RunRef[] }> {
  const user = await service.user(t)
  const records = await service.records()
  const { refs } = await records.layOut(
    user.owner,
    Array.from({ length: files }, () => ({ stage: 'completed' as const })),
  )
  for (const ref of refs) await plant(ref)
  return { ...user, refs }
}

async function plant(run: Omit<RunRef, 'index'>, text = 'secret mango'): Promise<void> {
  const words = text.split(' ').map((word, at) => [word, at, at + 1])
  const bytes = Buffer.from(JSON.stringify({ filename: 'a.wav', passages: [words] }))
  await (await service.records()).blobs.put(passagesKey(run), { bytes })
}

test("another user's words are not found, nor are they by an object that came into one's own folder", async (t) => {
  const theirs = await aSpeaker(t)
  const { api } = await service.user(t)
  t.like((await theirs.api.get('/search?q=mango')).body, { total: 1, results: [{ file_id: theirs.refs[0]!.fileId }] })
  t.like((await api.get('/search?q=mango')).body, { total: 0, results: [] })

  t.like((await api.get(`/search?q=mango&file_id=${theirs.refs[0]!.fileId}`)).body, { total: 0, results: [] })
  t.is((await theirs.api.get('/search?q=mango&file_id=..%2F..')).body.total, 0)

  const another = await service.user(t)
  await plant({ ...theirs.refs[0]!, owner: another.owner })
  t.deepEqual((await another.api.get('/search?q=mango')).body.results, [], 'the record of the run is not theirs')
})

test('nothing that can be asked for breaks it, and it says what it was asked for', async (t) => {
  const { api } = await aSpeaker(t)
  for (const text of [...oddTexts, '.*', '{"$ne":1}', '__proto__', 'constructor', '؀'.repeat(50), 'a '.repeat(100)]) {
    const { status, body } = await api.get(`/search?${new URLSearchParams({ q: text }).toString()}`)
    t.true(status === 200 || status === 400, `${JSON.stringify(text.slice(0, 40))}: ${status}`)
    if (status === 200) t.is(body.query, Buffer.from(text).toString().trim())
  }
  t.is((await api.get('/search?q=mango')).body.total, 1)
})

for (const path of ['q=a&page=0', 'q=a&page=1e9', 'q=a&limit=1000000', 'q=a&q=b', `q=${'ह'.repeat(201)}`])
  test(`${path.slice(0, 20)} is refused`, async (t) => {
    const { api } = await service.user(t)
    t.is((await api.get(`/search?${path}`)).status, 400)
  })

test('who has many files and asks for a page far behind the last is given none', async (t) => {
  const { api } = await aSpeaker(t, 60)
  t.like((await api.get('/search?q=mango&limit=50')).body, { total: 60, total_pages: 2 })
  t.like((await api.get('/search?q=mango&limit=50&page=2')).body, { total: 60 })
  t.deepEqual((await api.get('/search?q=mango&page=100000')).body.results, [])
})

test('a crowd of searches is answered or told to come back, and others are served meanwhile', async (t) => {
  const { api } = await aSpeaker(t, 30)
  const other = await aSpeaker(t)
  const crowd = Array.from({ length: 40 }, () => api.get('/search?q=mango'))
  t.is((await other.api.get('/search?q=mango')).status, 200)
  for (const { status } of await Promise.all(crowd)) t.true(status === 200 || status === 429, String(status))
  t.is((await api.get('/search?q=mango')).status, 200, 'the places were given back')
})
